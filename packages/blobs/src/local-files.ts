import { type FileHandle, open } from 'node:fs/promises';
import { type Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { storageFailure } from './blobs.ts';

/** Chunks that arrive during a write are held up to this size and written by one system call. */
const BUFFER_BYTES = 1024 * 1024;

export const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

/** Makes the entries of a folder durable: a file's own fsync does not cover its name. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeAll(file: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const { bytesWritten } = await file.writev(chunks);
  // A short write: usually a disk that is filling up. The rest goes on until the system says why.
  let rest = bytesWritten === total ? Buffer.alloc(0) : Buffer.concat(chunks).subarray(bytesWritten);
  while (rest.length > 0) rest = rest.subarray((await file.write(rest)).bytesWritten);
}

/**
 * Writes a stream into an empty file. Its chunks must not be changed afterwards.
 * @param make opens the file, which is the caller's to close
 * @param note sees each chunk before it is written; what it throws fails the write
 * @throws AppError 50301 when the disk does not take it; the stream's own error as it is
 */
export async function writeStream(
  content: Readable,
  make: () => Promise<FileHandle>,
  note: (chunk: Buffer) => void = () => undefined,
): Promise<void> {
  let opened: Promise<FileHandle> | undefined;
  let written: Promise<void> = Promise.resolve();
  const write = (chunks: readonly Buffer[], callback: (error?: Error) => void): void => {
    written = (async () => {
      for (const chunk of chunks) note(chunk);
      await writeAll(await (opened as Promise<FileHandle>), chunks);
    })();
    written.then(
      () => callback(),
      (error: unknown) => callback(storageFailure(error)),
    );
  };
  const sink = new Writable({
    highWaterMark: BUFFER_BYTES,
    construct(callback) {
      opened = make();
      opened.then(
        () => callback(),
        (error: unknown) => callback(storageFailure(error)),
      );
    },
    write: (chunk: Buffer, _encoding, callback) => write([chunk], callback),
    writev: (entries, callback) =>
      write(
        entries.map(({ chunk }) => chunk as Buffer),
        callback,
      ),
  });
  try {
    await pipeline(content, sink);
  } catch (error) {
    // A stream that failed early leaves nothing under way: neither the making of the file nor a write.
    await Promise.allSettled([opened, written]);
    throw error;
  }
}
