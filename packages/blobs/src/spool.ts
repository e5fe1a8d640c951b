import { createHash } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError } from '@parcelway/kernel/app-error';
import { newToken } from '@parcelway/kernel/ids';
import { storageFailure } from './storage-failure.ts';

const READ_BYTES = 256 * 1024;

/** Bytes in all spools of the process together. The folder may lie in memory, and that of a container ends. */
const MAX_BYTES_IN_ALL = 256 * 1024 * 1024;
let bytesInAll = 0;

/** Counts bytes that are about to be spooled. @throws AppError 50301 when there is no room */
function reserve(bytes: number): void {
  if (bytesInAll + bytes > MAX_BYTES_IN_ALL) throw AppError.unavailable('Too much is being uploaded at the same time; try again');
  bytesInAll += bytes;
}

/** A file without a name: its space is free again when it is closed or the process ends, however that happens. */
async function openNameless(directory: string): Promise<FileHandle> {
  const path = join(directory, `parcelway-spool-${newToken()}`);
  const handle = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A stream that was received to its end, kept on the local disk, so that its size and hash are known and it can be read again. */
export class Spool {
  /** Bytes received. */
  readonly size: number;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly sha256: string;
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle, size: number, sha256: string) {
    this.#handle = handle;
    this.size = size;
    this.sha256 = sha256;
  }

  /**
   * Receives a stream, chunk by chunk: the source is read no faster than the disk writes.
   * @param directory for the file, which has no name in it
   * @throws AppError 50301 when the disk does not take it, or too much is spooled already; the source's own error as it is
   */
  static async fill(directory: string, content: Readable): Promise<Spool> {
    content.on('error', () => undefined); // it may fail before the loop listens, which gets the error all the same
    const handle = await openNameless(directory).catch((error: unknown) => {
      content.destroy();
      throw storageFailure(error);
    });
    let size = 0;
    try {
      const hash = createHash('sha256');
      for await (const chunk of content as AsyncIterable<Buffer>) {
        reserve(chunk.length);
        size += chunk.length;
        hash.update(chunk);
        await handle.writeFile(chunk).catch(failWithStorageFailure);
      }
      return new Spool(handle, size, hash.digest('hex'));
    } catch (error) {
      bytesInAll -= size;
      await handle.close();
      throw error;
    }
  }

  /** @throws AppError 50301 when nothing can be spooled in the directory */
  static async check(directory: string): Promise<void> {
    const handle = await openNameless(directory).catch(failWithStorageFailure);
    await handle.close();
  }

  /** The bytes from the first to the last. May be called again for another pass. */
  read(): Readable {
    if (this.size === 0) return Readable.from([]);
    return this.#handle.createReadStream({ start: 0, end: this.size - 1, autoClose: false, highWaterMark: READ_BYTES });
  }

  /** Frees the space. Streams of {@link read} must have ended. */
  async close(): Promise<void> {
    bytesInAll -= this.size;
    await this.#handle.close();
  }
}

function failWithStorageFailure(error: unknown): never {
  throw storageFailure(error);
}
