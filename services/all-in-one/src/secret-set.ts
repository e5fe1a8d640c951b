import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environ } from '@parcelway/platform/config';
import { writeFileAtomically } from '@parcelway/platform/installation';

/** For the one user that made it; nobody changes a secret in place. */
const OWNER_READS = 0o400;

const long = (): string => randomBytes(32).toString('base64url');

/** What services share, by the variable that takes it; the file is called alike. */
const makers: Readonly<Record<string, () => string>> = {
  INTERNAL_SECRET: long,
  FILE_SECRET: long,
  ADMIN_TOKEN: long,
  // S3 servers take letters and digits in an access key everywhere.
  S3_ACCESS_KEY: () => randomBytes(10).toString('hex'),
  S3_SECRET_KEY: long,
};

/** Issued file URLs are signed with it: another one takes its place step by step alone. */
const FOR_EVER = 'FILE_SECRET';

/** Name of the file of a secret, such as `internal-secret`. */
const fileNameOf = (variable: string): string => variable.toLowerCase().replaceAll('_', '-');

function keptIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const kept = readFileSync(file, 'utf8').trim();
  if (kept === '') throw new Error(`${file} is empty; restore it from a backup, or delete it, and the platform makes a new one`);
  return kept;
}

/**
 * Sees to it that a directory holds every secret of an installation as a file, readable by this user only. What is there
 * stays, unless the environment gives another value; what lacks is taken from the environment or made.
 * @returns names of the files written
 * @throws Error when a file is empty, or the environment gives another FILE_SECRET than the one kept
 */
export function makeSecrets(directory: string, env: Environ): readonly string[] {
  const written: string[] = [];
  for (const [variable, make] of Object.entries(makers)) {
    const name = fileNameOf(variable);
    const file = join(directory, name);
    const kept = keptIn(file);
    const value = env[variable] || kept || make();
    if (value === kept) continue;
    if (kept !== undefined && variable === FOR_EVER) {
      throw new Error(`${variable} differs from ${file}: change it as docs/operate.md says, or issued file URLs stop working`);
    }
    writeFileAtomically(file, `${value}\n`, OWNER_READS);
    written.push(name);
  }
  return written;
}
