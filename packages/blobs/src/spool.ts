import type { Hash } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@parcelway/kernel/app-error';
import { newToken } from '@parcelway/kernel/ids';
import { storageFailure } from './storage-failure.ts';
import { writeAll } from './write-all.ts';

const READ_BYTES = 256 * 1024;

/** Chunks that arrive while the disk writes are held up to this size, and written by one system call. */
const BUFFER_BYTES = 256 * 1024;

/** Bytes in all spools of the process together. The folder may lie in memory, and that of a container ends. */
const MAX_BYTES_IN_ALL = 256 * 1024 * 1024;
/** Those of them in the memory of the process. A spool that finds no more of it goes to the disk as a whole. */
const MAX_HELD_IN_ALL = 48 * 1024 * 1024;
/** Memory that a chunk takes besides its bytes. A client can send a file in chunks of one byte. */
const CHUNK_BYTES = 512;

let bytesInAll = 0;
let heldInAll = 0;

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

/** Takes the stream in. Its failures are AppError 50301, which distinguishes them from those of the stream that is piped into it. */
class Intake extends Writable {
  size = 0;
  /** What is held in memory; nothing once there is a file. */
  held: Buffer[] = [];
  handle: FileHandle | undefined;
  #heldBytes = 0;
  #writing: Promise<void> = Promise.resolve();
  readonly #directory: string;
  readonly #hash: Hash | undefined;

  constructor(directory: string, hash: Hash | undefined) {
    super({ highWaterMark: BUFFER_BYTES });
    this.#directory = directory;
    this.#hash = hash;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#take([chunk], callback);
  }

  override _writev(entries: { chunk: Buffer }[], callback: (error?: Error | null) => void): void {
    this.#take(
      entries.map(({ chunk }) => chunk),
      callback,
    );
  }

  /** Frees memory and disk, once no write is under way. */
  async free(): Promise<void> {
    await this.#writing.catch(() => undefined); // whoever wrote has its failure
    bytesInAll -= this.size;
    this.size = 0;
    this.#letGo();
    await this.handle?.close();
  }

  #take(chunks: readonly Buffer[], callback: (error?: Error | null) => void): void {
    try {
      const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      reserve(bytes);
      this.size += bytes;
      for (const chunk of chunks) this.#hash?.update(chunk);
    } catch (error) {
      callback(error as Error);
      return;
    }
    if (this.handle === undefined && this.#hold(chunks)) {
      callback();
      return;
    }
    this.#writing = this.#append(chunks);
    this.#writing.then(
      () => callback(),
      (error: unknown) => callback(storageFailure(error)),
    );
  }

  /** @returns false when there is no memory for them */
  #hold(chunks: readonly Buffer[]): boolean {
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length + CHUNK_BYTES, 0);
    if (heldInAll + bytes > MAX_HELD_IN_ALL) return false;
    heldInAll += bytes;
    this.#heldBytes += bytes;
    this.held.push(...chunks);
    return true;
  }

  /** Writes to the file, behind all that was held until then. */
  async #append(chunks: readonly Buffer[]): Promise<void> {
    this.handle ??= await openNameless(this.#directory);
    if (this.held.length > 0) await writeAll(this.handle, this.held);
    this.#letGo();
    await writeAll(this.handle, chunks);
  }

  #letGo(): void {
    heldInAll -= this.#heldBytes;
    this.#heldBytes = 0;
    this.held = [];
  }
}

/**
 * A stream that was received to its end, so that its size is known and it can be read again. It is kept in memory, or on the local disk
 * once spools together would take too much memory.
 */
export class Spool {
  /** Bytes received. */
  readonly size: number;
  readonly #intake: Intake;

  private constructor(intake: Intake) {
    this.size = intake.size;
    this.#intake = intake;
  }

  /**
   * Receives a stream. Its chunks must not be changed afterwards. The source is read no faster than the disk writes.
   * @param directory for the file, which has no name in it
   * @param hash gets all bytes
   * @throws AppError 50301 when the disk does not take it, or too much is spooled already; the source's own error as it is
   */
  static async fill(directory: string, content: Readable, hash?: Hash): Promise<Spool> {
    const intake = new Intake(directory, hash);
    try {
      await pipeline(content, intake);
      return new Spool(intake);
    } catch (error) {
      await intake.free();
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
    const { handle, held } = this.#intake;
    if (handle !== undefined) return handle.createReadStream({ start: 0, end: this.size - 1, autoClose: false, highWaterMark: READ_BYTES });
    const chunks = held.values();
    return new Readable({
      read() {
        this.push(chunks.next().value ?? null);
      },
    });
  }

  /** Frees the space. Streams of {@link read} must have ended. */
  close(): Promise<void> {
    return this.#intake.free();
  }
}
