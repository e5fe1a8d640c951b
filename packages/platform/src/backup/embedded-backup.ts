import { createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { lockDataDirectory } from '@parcelway/sqlite/data-directory-lock';
import type { Environ } from '../config.ts';
import { type Installation, UNFINISHED_RESTORE, writeFileAtomically } from '../installation.ts';
import { DATABASE } from '../kept-stores.ts';
import { flush, makeFolderOf, readHashed, type StoredFile, writeHashed } from './hashed-file.ts';
import {
  BackupError,
  fingerprintOf,
  isEmptyFolder,
  type Manifest,
  makeBackupFolder,
  readManifest,
  verifyFiles,
  writeManifest,
} from './manifest.ts';

/** Receives progress, one line at a time. */
export type Say = (line: string) => void;

/** Holds demo keys, and the address and token of the running platform. */
const QUICKSTART = 'quickstart.json';
/** Holds only the address and token, in production. */
const ACCESS_FILE = 'admin.json';
/** Secrets and certificate; some of them lack, depending on the configuration. */
const SMALL_FILES = ['installation.json', QUICKSTART, ACCESS_FILE, 'admin-token', 'tls/cert.pem', 'tls/key.pem'];
/** Files and photos, and what was deleted and archived. */
const CONTENTS = ['blobs', 'archive'];

const directoryOf = (env: Environ): string => resolve(env['DATA_DIR'] || './.data');

async function* filesIn(folder: string): AsyncGenerator<string> {
  if (!existsSync(folder)) return;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) yield join(entry.parentPath, entry.name);
  }
}

async function readInstallationFile(directory: string): Promise<Installation> {
  try {
    return JSON.parse(await readFile(join(directory, 'installation.json'), 'utf8')) as Installation;
  } catch (error) {
    throw new BackupError(
      `${directory} is not the data directory of an installation in embedded mode (installation.json: ${(error as NodeJS.ErrnoException).code ?? 'not JSON'})`,
    );
  }
}

/** The bytes of a file, opened by whoever reads them: a stream that is opened before anybody listens ends the process when the file is gone. */
async function* contentOf(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file);
}

/** Contents: each is written once under a name of its own, so that they can be copied at leisure. */
async function copyContents(directory: string, folder: string, to: string): Promise<StoredFile[]> {
  const copied: StoredFile[] = [];
  for await (const file of filesIn(join(directory, folder))) {
    const path = relative(directory, file).split(sep).join('/');
    try {
      copied.push({ path, ...(await writeHashed(join(to, path), contentOf(file))) });
    } catch (error) {
      // An aborted upload or a temporary file: no record names it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return copied;
}

/**
 * Backs up an installation in embedded mode, running or stopped: the database as of one moment, then the contents that
 * it names. See docs/backup.md for why in this order.
 * @param env reads DATA_DIR
 * @throws BackupError
 */
export async function backUpEmbedded(env: Environ, to: string, say: Say): Promise<Manifest> {
  const directory = directoryOf(env);
  const { environment, fileSecret } = await readInstallationFile(directory);
  if (!existsSync(join(directory, DATABASE))) throw new BackupError(`${directory} lacks ${DATABASE}`);
  await makeBackupFolder(to);
  const { copyFile: copyDatabase } = await import('@parcelway/sqlite/copy-file');
  const beganAt = new Date().toISOString();
  await copyDatabase(join(directory, DATABASE), join(to, DATABASE), () => say(`database as of ${new Date().toISOString()}`));
  await flush(join(to, DATABASE));
  const files: StoredFile[] = [{ path: DATABASE, ...(await readHashed(join(to, DATABASE))) }];
  for (const path of SMALL_FILES) {
    if (existsSync(join(directory, path))) files.push({ path, ...(await writeHashed(join(to, path), contentOf(join(directory, path)))) });
  }
  const blobs = (await Promise.all(CONTENTS.map((folder) => copyContents(directory, folder, to)))).flat();
  say(`${blobs.length} contents`);
  const manifest: Manifest = {
    format: 1,
    mode: 'embedded',
    environment,
    began_at: beganAt,
    ended_at: new Date().toISOString(),
    file_secret: fingerprintOf(fileSecret),
    files: [...files, ...blobs],
  };
  writeManifest(to, manifest);
  return manifest;
}

/**
 * Restores quickstart.json with the demo keys alone: with the address and the token in it, parcelctl would change the
 * platform that was backed up, until the one on this directory has started and written its own.
 */
async function restoreKeys(from: string, to: string): Promise<void> {
  let kept: Partial<Record<'tenant' | 'warehouse', unknown>>;
  try {
    kept = Object(JSON.parse(await readFile(from, 'utf8')));
  } catch (error) {
    // Was spoilt before it was backed up: the platform says so and makes new keys where the file cannot be used.
    if (error instanceof SyntaxError) return;
    throw error;
  }
  const { tenant, warehouse } = kept;
  writeFileAtomically(to, `${JSON.stringify({ tenant, warehouse }, null, 2)}\n`, 0o600);
}

async function restoreFile(path: string, from: string, to: string): Promise<void> {
  if (path === ACCESS_FILE) return;
  const file = join(to, path);
  await makeFolderOf(file);
  if (path === QUICKSTART) return restoreKeys(join(from, path), file);
  await copyFile(join(from, path), file);
  await flush(file);
}

/**
 * Restores a backup into an empty data directory; the platform is started afterwards.
 * @param env reads DATA_DIR
 * @throws BackupError when the directory is not empty, or the backup is damaged
 */
export async function restoreEmbedded(env: Environ, from: string, say: Say): Promise<Manifest> {
  const directory = directoryOf(env);
  const manifest = await readManifest(from);
  if (manifest.mode !== 'embedded')
    throw new BackupError(`${from} is a backup of a distributed installation: run this with the variables of one`);
  if (!(await isEmptyFolder(directory)))
    throw new BackupError(`${directory} is not empty: set DATA_DIR to a new directory, or move what is there`);
  await verifyFiles(from, manifest);
  say(`${manifest.files.length} files are unchanged`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // No platform may start on half of it: not meanwhile, nor when this ends in the middle.
  const unlock = lockDataDirectory(directory);
  try {
    const unfinished = join(directory, UNFINISHED_RESTORE);
    writeFileAtomically(unfinished, '', 0o600);
    for (const { path } of manifest.files) await restoreFile(path, from, directory);
    await rm(unfinished);
  } finally {
    unlock();
  }
  return manifest;
}
