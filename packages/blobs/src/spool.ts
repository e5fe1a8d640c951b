import type { Hash } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '@parcelway/kernel/app-error';
import { newToken } from '@parcelway/kernel/ids';
import { writeStream } from './local-files.ts';

const READ_BYTES = 256 * 1024;

/** Bytes in all spools of the process together. The folder may lie in memory, and that of a container ends. */
const MAX_BYTES_IN_ALL = 256 * 1024 * 1024;
let bytesInAll = 0;

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

/** A stream that was received to its end, into a file on the local disk, so that its size is known and it can be read again. */
export class Spool {
  /** Bytes received. */
  size = 0;
  #file: FileHandle | undefined;

  private constructor() {}

  /**
   * Receives a stream. Its chunks must not be changed afterwards. The source is read no faster than the disk writes.
   * @param directory for the file, which has no name in it
   * @param hash gets all bytes
   * @throws AppError 50301 when the disk does not take it, or too much is spooled already; the source's own error as it is
   */
  static async fill(directory: string, content: Readable, hash?: Hash): Promise<Spool> {
    const spool = new Spool();
    try {
      await writeStream(
        content,
        async () => {
          spool.#file = await openNameless(directory);
          return spool.#file;
        },
        (chunk) => {
          spool.#reserve(chunk.length);
          hash?.update(chunk);
        },
      );
      return spool;
    } catch (error) {
      await spool.close();
      throw error;
    }
  }

  /** @throws Error that names the cause and the path when nothing can be spooled in the directory, which otherwise shows under load alone */
  static async check(directory: string): Promise<void> {
    const handle = await openNameless(directory).catch((cause: Error) => {
      throw new Error(`The temporary folder cannot be used: ${cause.message}. Mount a writable folder there, or name one in TMPDIR.`, {
        cause,
      });
    });
    await handle.close();
  }

  /** The bytes from the first to the last. May be called again for another pass. */
  read(): Readable {
    const file = this.#file as FileHandle;
    return file.createReadStream({ start: 0, end: Math.max(0, this.size - 1), autoClose: false, highWaterMark: READ_BYTES });
  }

  /** Frees the space. Streams of {@link read} must have ended. */
  async close(): Promise<void> {
    bytesInAll -= this.size;
    this.size = 0;
    await this.#file?.close();
  }

  #reserve(bytes: number): void {
    if (bytesInAll + bytes > MAX_BYTES_IN_ALL) throw AppError.unavailable('Too much is being uploaded at the same time; try again');
    bytesInAll += bytes;
    this.size += bytes;
  }
}
