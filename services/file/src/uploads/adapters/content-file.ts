import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { newToken } from '@parcelway/kernel/ids';

/**
 * A file without a name that this process writes and a child process reads: it takes a content of megabytes across in a millisecond, where a pipe
 * keeps the event loop of both busy. It holds one content at a time. Its space is free again when both have closed it or ended.
 */
export class ContentFile {
  readonly #handle: FileHandle;
  #written: Promise<void> = Promise.resolve();

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /**
   * @param folder for the file, which has no name in it
   * @throws the system's error when the folder takes none
   */
  static async open(folder: string): Promise<ContentFile> {
    const path = join(folder, `parcelway-content-${newToken()}`);
    const handle = await open(path, 'wx+', 0o600);
    const file = new ContentFile(handle);
    try {
      await unlink(path);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** For a child process to inherit. */
  get fd(): number {
    return this.#handle.fd;
  }

  /**
   * Replaces the content from its first byte; what was longer keeps its end. Contents are written one after the other.
   * @param content in pieces
   * @throws the system's error when the disk is full
   */
  write(content: readonly Buffer[]): Promise<void> {
    const written = this.#written.then(async () => {
      const { bytesWritten } = await this.#handle.writev(content, 0);
      const total = content.reduce((sum, piece) => sum + piece.length, 0);
      if (bytesWritten === total) return;
      // A short write: usually a disk that is filling up. The rest goes on until the system says why.
      const whole = Buffer.concat(content);
      for (let at = bytesWritten; at < total; ) at += (await this.#handle.write(whole, at, total - at, at)).bytesWritten;
    });
    this.#written = written.catch(() => undefined);
    return written;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
