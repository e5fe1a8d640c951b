import { mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { storageFailure } from '../blobs.ts';
import { isMissing, syncFolder } from '../local-files.ts';
import { type Archive, type ArchiveEntry, assertArchivePath } from './archive.ts';

/** What a crash left half-written: no list shows it, and the repeat of the write replaces it. */
const TEMPORARY = '.tmp-';

const isOccupied = (error: unknown): boolean => ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');

/** A file of a folder; undefined when it was deleted since the folder was read. */
async function fileEntry(folder: string, name: string): Promise<ArchiveEntry | undefined> {
  try {
    return { name, bytes: (await stat(join(folder, name))).size };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** An archive in a folder of the local disk: each path is a file of that name. */
class DirectoryArchive implements Archive {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async put(path: string, content: Uint8Array): Promise<void> {
    const file = this.#fileOf(path);
    const folder = dirname(file);
    const temporary = join(folder, `${TEMPORARY}${basename(file)}`);
    try {
      await this.#makeFolder(folder);
      await writeFile(temporary, content, { mode: 0o600, flush: true });
      await rename(temporary, file);
      await syncFolder(folder);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined); // the first failure is the one to report
      throw storageFailure(error);
    }
  }

  async get(path: string): Promise<Buffer | undefined> {
    try {
      return await readFile(this.#fileOf(path));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw storageFailure(error);
    }
  }

  async list(folder: string): Promise<readonly ArchiveEntry[]> {
    const path = folder === '' ? this.#root : this.#fileOf(folder);
    try {
      const entries = await readdir(path, { withFileTypes: true });
      const shown = entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1));
      const found = await Promise.all(shown.map((entry) => (entry.isDirectory() ? { name: entry.name } : fileEntry(path, entry.name))));
      return found.filter((entry) => entry !== undefined);
    } catch (error) {
      if (isMissing(error)) return [];
      throw storageFailure(error);
    }
  }

  async delete(path: string): Promise<void> {
    const file = this.#fileOf(path);
    try {
      await rm(file, { force: true });
      await syncFolder(await this.#removeEmpty(dirname(file)));
    } catch (error) {
      if (!isMissing(error)) throw storageFailure(error);
    }
  }

  async close(): Promise<void> {}

  /** Removes a folder and those above it as far as they are empty: a walk reads each folder that there is. @returns the first that stays */
  async #removeEmpty(folder: string): Promise<string> {
    let left = folder;
    try {
      for (; left !== this.#root; left = dirname(left)) await rmdir(left);
    } catch (error) {
      if (!isMissing(error) && !isOccupied(error)) throw error;
    }
    return left;
  }

  /** Makes a folder with those above it, and makes their names durable. */
  async #makeFolder(folder: string): Promise<void> {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    const above = dirname(first);
    for (let made = folder; made !== above; made = dirname(made)) await syncFolder(dirname(made));
  }

  #fileOf(path: string): string {
    assertArchivePath(path);
    return join(this.#root, path);
  }
}

/** The archive of an installation in embedded mode. @param directory made at the first object */
export function openDirectoryArchive(directory: string): Archive {
  return new DirectoryArchive(directory);
}
