import { statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** True when a process that did not close its database has left commits in the log. They can be read, but may not be on the disk. */
export function hasLeftLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** What a {@link LateFlush} works on. */
export interface LateFlushOptions {
  /** The main file of the database; the write-ahead log is beside it. */
  readonly path: string;
  /** Moves all of the write-ahead log into the main file, brings that to the disk and has the log begun anew. @throws when it cannot */
  readonly checkpoint: () => void;
}

/**
 * Brings commits to the disk that SQLite has not brought there itself: it has written them to the write-ahead log, which survives a crash of
 * the process, but not a loss of power. The flush runs beside the event loop. Whoever waits while one runs shares the next.
 */
export class LateFlush {
  readonly #options: LateFlushOptions;
  #committed = 0;
  #flushed = 0;
  #running: Promise<void> | undefined;
  #log: Promise<FileHandle> | undefined;
  /** A flush that failed may have left pages behind that the system takes for written: then only what is written anew counts. */
  #failed = false;

  constructor(options: LateFlushOptions) {
    this.#options = options;
  }

  /** Notes a commit that was not flushed. */
  committed(): void {
    this.#committed += 1;
  }

  /**
   * Resolves once all commits noted so far are on the disk; at once when they are.
   * @throws the system's error; the next call tries again
   */
  async flushed(): Promise<void> {
    const upTo = this.#committed;
    while (this.#flushed < upTo) {
      this.#running ??= this.#flush().finally(() => {
        this.#running = undefined;
      });
      try {
        await this.#running;
      } catch (error) {
        // The file may have been closed meanwhile, which is as good.
        if (this.#flushed < upTo) throw error;
      }
    }
  }

  /** Says that the disk failed SQLite: the system tells each file of it once, so the next flush may hear nothing. */
  failed(): void {
    if (this.#flushed < this.#committed) this.#failed = true;
  }

  /**
   * Makes up for a flush that failed. Nothing may be committed before: what stands in the log behind pages that are not on the disk is lost with
   * them, whether it is flushed or not.
   * @throws when the log cannot be moved now; nothing is made up for then
   */
  makeUp(): void {
    if (!this.#failed) return;
    this.#options.checkpoint();
    this.#failed = false;
    this.#flushed = this.#committed;
  }

  /** Says that everything is on the disk, and lets the log go. */
  async close(): Promise<void> {
    this.#flushed = this.#committed;
    // Nothing depends on the log any more, so neither does it matter whether it could be opened, or closes well.
    await this.#log?.then((log) => log.close()).catch(() => undefined);
  }

  async #flush(): Promise<void> {
    const upTo = this.#committed;
    this.makeUp();
    try {
      if (this.#flushed < upTo) await this.#sync();
    } catch (error) {
      this.#failed = true;
      throw error;
    }
    this.#flushed = Math.max(this.#flushed, upTo);
  }

  async #sync(): Promise<void> {
    // SQLite keeps one log for as long as the file is open. It can be written here, because some systems flush no file otherwise.
    this.#log ??= open(`${this.#options.path}-wal`, 'r+').catch((error: unknown) => {
      this.#log = undefined;
      throw error;
    });
    // It stays open when this fails: a file that is opened later is not told of what failed before.
    await (await this.#log).datasync();
  }
}
