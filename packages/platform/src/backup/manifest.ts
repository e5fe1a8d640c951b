import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '@parcelway/contracts/environment';
import { writeFileAtomically } from '../installation.ts';
import { readHashed, type StoredFile } from './hashed-file.ts';

/** What a backup is of, and every file in it. Written last: a folder without it is no backup. */
export interface Manifest {
  readonly format: 1;
  readonly mode: 'embedded' | 'distributed';
  readonly environment: Environment;
  /** ISO 8601: everything that was acknowledged before is in the backup. */
  readonly began_at: string;
  readonly ended_at: string;
  /** Shows whether FILE_SECRET is the one that the backup needs, without revealing it. */
  readonly file_secret: string;
  readonly files: readonly StoredFile[];
}

const NAME = 'manifest.json';

/** A backup that cannot be made or used, in words for the operator. */
export class BackupError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BackupError';
  }
}

/** Distinguishes FILE_SECRETs; a secret of 32 random characters cannot be derived from it. */
export function fingerprintOf(fileSecret: string): string {
  return createHash('sha256').update(`parcelway file secret\n${fileSecret}`).digest('hex').slice(0, 32);
}

/** True when a folder does not exist or has nothing in it. */
export async function isEmptyFolder(folder: string): Promise<boolean> {
  return !existsSync(folder) || (await readdir(folder)).length === 0;
}

/** Makes the folder of a new backup. @throws BackupError when there is something in it */
export async function makeBackupFolder(folder: string): Promise<void> {
  if (!(await isEmptyFolder(folder))) throw new BackupError(`${folder} is not empty: use a new folder for each backup`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Completes a backup. */
export function writeManifest(folder: string, manifest: Manifest): void {
  writeFileAtomically(join(folder, NAME), `${JSON.stringify(manifest, null, 2)}\n`, 0o600);
}

/** Reads what a folder is a backup of. @throws BackupError when it is none */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(folder, NAME), 'utf8');
  } catch (error) {
    throw new BackupError(
      `${folder} has no ${NAME}: it is not a backup, or the backup was not finished (${(error as NodeJS.ErrnoException).code})`,
    );
  }
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== 1) throw new BackupError(`${folder} was made by another version of parcelctl: use that version`);
  for (const { path } of manifest.files) {
    if (path.startsWith('/') || path.split('/').includes('..'))
      throw new BackupError(`${NAME} names a file outside of the backup: ${path}`);
  }
  return manifest;
}

/** Compares every file of a backup with its checksum. @throws BackupError naming one that lacks or differs */
export async function verifyFiles(folder: string, { files }: Manifest): Promise<void> {
  for (const { path, bytes, sha256 } of files) {
    const found = await readHashed(join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      throw new BackupError(`${path} of the backup cannot be read (${error.code ?? error.message})`);
    });
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw new BackupError(`${path} of the backup has changed since it was written: use another copy of the backup`);
  }
}
