import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { newToken } from '@parcelway/kernel/ids';
import { assertBlobKey, assertBlobRange, type BlobRange, type Blobs, storageFailure } from './blobs.ts';
import { isMissing, syncFolder, writeStream } from './local-files.ts';

/*
 * One object is one file, which one rename makes visible: a crash at any time leaves the old object, the new one, or a temporary file that the next
 * start removes.
 */

const READ_BYTES = 256 * 1024;

class FilesystemBlobs implements Blobs {
  readonly #objects: string;
  readonly #temporary: string;
  readonly #folders = new Map<string, Promise<void>>();

  constructor(directory: string) {
    this.#objects = join(directory, 'objects');
    this.#temporary = join(directory, 'tmp');
  }

  /** Makes the folders and removes what a crash left half-made. */
  async prepare(): Promise<void> {
    await mkdir(this.#objects, { recursive: true, mode: 0o700 });
    await mkdir(this.#temporary, { recursive: true, mode: 0o700 });
    for (const name of await readdir(this.#temporary)) await rm(join(this.#temporary, name), { force: true });
  }

  async put(key: string, content: Readable): Promise<void> {
    const path = this.#pathOf(key);
    const temporary = join(this.#temporary, newToken());
    let file: FileHandle | undefined;
    try {
      await writeStream(content, async () => {
        file = await open(temporary, 'wx', 0o600);
        return file;
      });
      await this.#publish(file as unknown as FileHandle, temporary, path);
    } catch (error) {
      await file?.close().catch(() => undefined); // the first failure is the one to report
      await rm(temporary, { force: true }).catch(() => undefined); // the next start removes it
      throw error;
    }
  }

  async open(key: string, range?: BlobRange): Promise<Readable | undefined> {
    const path = this.#pathOf(key);
    // A stream that rejects its range would leave the file open.
    assertBlobRange(range);
    try {
      return (await open(path, 'r')).createReadStream({ ...range, highWaterMark: READ_BYTES });
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw storageFailure(error);
    }
  }

  async delete(key: string): Promise<void> {
    const path = this.#pathOf(key);
    try {
      await unlink(path);
      await syncFolder(dirname(path));
    } catch (error) {
      if (!isMissing(error)) throw storageFailure(error);
    }
  }

  async check(): Promise<void> {
    const probe = join(this.#temporary, newToken());
    try {
      await writeFile(probe, 'probe');
      await unlink(probe);
    } catch (error) {
      await rm(probe, { force: true }).catch(() => undefined); // reported below
      throw storageFailure(error);
    }
  }

  async close(): Promise<void> {}

  async #publish(file: FileHandle, temporary: string, path: string): Promise<void> {
    try {
      await file.sync();
      await file.close();
      const folder = dirname(path);
      await this.#folder(folder);
      await rename(temporary, path);
      await syncFolder(folder);
    } catch (error) {
      throw storageFailure(error);
    }
  }

  /** Makes a folder once; concurrent writers wait for the same making. */
  #folder(path: string): Promise<void> {
    let made = this.#folders.get(path);
    if (!made) {
      made = mkdir(path, { recursive: true, mode: 0o700 }).then(() => syncFolder(this.#objects));
      made.catch(() => this.#folders.delete(path));
      this.#folders.set(path, made);
    }
    return made;
  }

  /** Spreads objects over 4096 folders by a hash, so that no key can name a path or collide with another's folder. */
  #pathOf(key: string): string {
    assertBlobKey(key);
    const hash = createHash('sha256').update(key).digest('hex');
    return join(this.#objects, hash.slice(0, 3), hash.slice(3));
  }
}

/**
 * Object storage in a folder of the local disk. Everything acknowledged has been synced to disk.
 * @param directory made when missing; opened by one process and once at a time, as temporary files of earlier runs
 * are removed here
 * @throws AppError 50301 when the folder cannot be used
 */
export async function openFilesystemBlobs(directory: string): Promise<Blobs> {
  const blobs = new FilesystemBlobs(directory);
  try {
    await blobs.prepare();
  } catch (error) {
    throw storageFailure(error);
  }
  return blobs;
}
