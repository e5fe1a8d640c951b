import { createHash } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newToken } from '@parcelway/kernel/ids';
import { assertBlobKey } from './blob-key.ts';
import type { BlobInfo, Blobs, OpenBlob } from './blobs.ts';
import { FileSink } from './file-sink.ts';
import { storageFailure } from './storage-failure.ts';

/*
 * One object is one file: the content from its first byte, then a trailer of fixed size with the content type. Because
 * both are in one file, one rename makes the whole object visible, and a crash at any time leaves the old object, the
 * new one, or a temporary file that the next start removes.
 */

const TRAILER_BYTES = 512;
const READ_BYTES = 256 * 1024;

interface Trailer {
  readonly key: string;
  readonly contentType: string;
}

function encodeTrailer(trailer: Trailer): Buffer {
  const bytes = Buffer.alloc(TRAILER_BYTES, ' ');
  const text = Buffer.from(`\n${JSON.stringify(trailer)}`);
  if (text.length > TRAILER_BYTES) throw new RangeError('The content type is too long');
  text.copy(bytes);
  return bytes;
}

async function readInfo(handle: FileHandle): Promise<BlobInfo> {
  const size = (await handle.stat()).size - TRAILER_BYTES;
  const { buffer } = await handle.read(Buffer.alloc(TRAILER_BYTES), 0, TRAILER_BYTES, Math.max(0, size));
  const { contentType } = JSON.parse(buffer.toString('utf8')) as Trailer;
  return { size, contentType };
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** Makes the entries of a folder durable: a file's own fsync does not cover its name. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

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

  async put(key: string, content: Readable, contentType: string): Promise<BlobInfo> {
    const path = this.#pathOf(key);
    const temporary = join(this.#temporary, newToken());
    const sink = new FileSink(temporary, encodeTrailer({ key, contentType }));
    try {
      await pipeline(content, sink);
      await this.#publish(temporary, path);
      return { size: sink.size, contentType };
    } catch (error) {
      // A stream that failed early may still be making its file.
      if (!sink.closed) await new Promise((closed) => sink.once('close', closed));
      await rm(temporary, { force: true }).catch(() => undefined); // the next start removes it
      throw error;
    }
  }

  async open(key: string, range?: { readonly start: number; readonly end: number }): Promise<OpenBlob | undefined> {
    const path = this.#pathOf(key);
    let handle: FileHandle | undefined;
    try {
      handle = await open(path, 'r');
      const info = await readInfo(handle);
      const start = range?.start ?? 0;
      const end = Math.min(range?.end ?? info.size - 1, info.size - 1);
      if (start <= end) return { ...info, stream: handle.createReadStream({ start, end, highWaterMark: READ_BYTES }) };
      await handle.close();
      return { ...info, stream: Readable.from([]) };
    } catch (error) {
      await handle?.close().catch(() => undefined); // the first failure is the one to report
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

  async #publish(temporary: string, path: string): Promise<void> {
    try {
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
