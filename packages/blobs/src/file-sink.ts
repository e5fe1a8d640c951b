import { type FileHandle, open } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { storageFailure } from './storage-failure.ts';
import { writeAll } from './write-all.ts';

/** Chunks that arrive during a write are held up to this size and written by one system call. */
const BUFFER_BYTES = 1024 * 1024;

/**
 * A stream into a new file that ends with a trailer and is on disk once the stream has finished. Its failures are
 * AppError 50301, which distinguishes them from those of the stream that is piped into it.
 */
export class FileSink extends Writable {
  /** Bytes of content written, without the trailer. */
  size = 0;
  readonly #path: string;
  readonly #trailer: Buffer;
  #handle: FileHandle | undefined;

  /** @param path must not exist; the file is left behind when the stream fails: its maker removes it */
  constructor(path: string, trailer: Buffer) {
    super({ highWaterMark: BUFFER_BYTES });
    this.#path = path;
    this.#trailer = trailer;
  }

  override _construct(callback: (error?: Error | null) => void): void {
    open(this.#path, 'wx', 0o600).then((handle) => {
      this.#handle = handle;
      callback();
    }, failWith(callback));
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#append([chunk], callback);
  }

  override _writev(chunks: { chunk: Buffer }[], callback: (error?: Error | null) => void): void {
    this.#append(
      chunks.map((entry) => entry.chunk),
      callback,
    );
  }

  override _final(callback: (error?: Error | null) => void): void {
    const handle = this.#handle as FileHandle;
    writeAll(handle, [this.#trailer])
      .then(() => handle.sync())
      .then(() => callback(), failWith(callback));
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (!this.#handle) callback(error);
    else this.#handle.close().then(() => callback(error), error ? () => callback(error) : failWith(callback));
  }

  #append(chunks: readonly Buffer[], callback: (error?: Error | null) => void): void {
    writeAll(this.#handle as FileHandle, chunks).then((written) => {
      this.size += written;
      callback();
    }, failWith(callback));
  }
}

function failWith(callback: (error: Error) => void): (error: unknown) => void {
  return (error) => callback(storageFailure(error));
}
