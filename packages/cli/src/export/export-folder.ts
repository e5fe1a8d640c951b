import { existsSync } from 'node:fs';
import { mkdir, open, opendir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readHashed } from '@parcelway/platform/backup/hashed-file';
import { writeFileAtomically } from '@parcelway/platform/installation';
import { CliError, exitCodes } from '../cli-error.ts';

/** Written last: a folder without it is not complete. */
const MANIFEST = 'manifest.json';
/** Says whose export is under way; there until the manifest is. */
const MARKER = 'export.json';

const HINT = 'Name a new folder.';

interface Marker {
  readonly tenant_id: string;
  readonly began_at: string;
}

async function markerIn(folder: string): Promise<Marker | undefined> {
  const path = join(folder, MARKER);
  if (!existsSync(path)) return undefined;
  try {
    const { tenant_id, began_at } = JSON.parse(await readFile(path, 'utf8')) as Partial<Marker>;
    return typeof tenant_id === 'string' && typeof began_at === 'string' ? { tenant_id, began_at } : undefined;
  } catch {
    // Not a file of an export: the folder is refused as any other that is not empty.
    return undefined;
  }
}

/** Removes what an interrupted export has left half. */
async function removeParts(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(names.filter((name) => name.endsWith('.part')).map((name) => rm(join(folder, name))));
}

/**
 * Begins an export in a new or empty folder, or goes on with one of the same tenant that was interrupted. So a folder never has data of two tenants, or of
 * an export that was complete before.
 * @param now ISO 8601
 * @returns when the export has begun, ISO 8601
 * @throws CliError when the folder has anything else; nothing in it has changed then
 */
export async function beginExport(folder: string, tenantId: string, now: string): Promise<string> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  // Left behind by an export that was interrupted.
  if (names.every((name) => /^export\.json\.\d+\.tmp$/.test(name))) {
    await Promise.all(names.map((name) => rm(join(folder, name))));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    writeFileAtomically(join(folder, MARKER), `${JSON.stringify({ tenant_id: tenantId, began_at: now } satisfies Marker)}\n`, 0o600);
    return now;
  }
  if (names.includes(MANIFEST)) throw new CliError(exitCodes.usage, `${folder} has a complete export already`, HINT);
  const marker = await markerIn(folder);
  if (marker === undefined) throw new CliError(exitCodes.usage, `${folder} is not empty, and has no export to go on with`, HINT);
  if (marker.tenant_id !== tenantId) throw new CliError(exitCodes.usage, `${folder} has an export of ${marker.tenant_id}`, HINT);
  await removeParts(folder);
  return marker.began_at;
}

/**
 * Ends an export with the manifest: the facts, and name, bytes and SHA-256 of every other file. However many files there are, one at a time is in memory.
 * @param facts at least one
 * @returns bytes of all files
 */
export async function endExport(folder: string, facts: Readonly<Record<string, unknown>>): Promise<number> {
  const part = join(folder, `${MANIFEST}.part`);
  const file = await open(part, 'w');
  let total = 0;
  try {
    await file.appendFile(`${JSON.stringify(facts).slice(0, -1)},"files":[`);
    let separator = '\n';
    for await (const entry of await opendir(folder, { recursive: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || path === part || path === join(folder, MARKER)) continue;
      const one = { name: relative(folder, path), ...(await readHashed(path)) };
      await file.appendFile(`${separator}${JSON.stringify(one)}`);
      separator = ',\n';
      total += one.bytes;
    }
    await file.appendFile('\n]}\n');
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, join(folder, MANIFEST));
  await rm(join(folder, MARKER), { force: true });
  return total;
}
