import { statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { storeFailure } from './sqlite-errors.ts';

/** True when a process that did not close its database has left commits in the log. They can be read, but may not be on the disk. */
export function hasLeftLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** What a {@link LateFlush} works on. */
export interface LateFlushOptions {
  /** The main file of the database; the write-ahead log is beside it. */
  readonly path: string;
  /** False when nothing is ever brought to the disk. */
  readonly flushes: boolean;
  /** Moves all of the write-ahead log into the main file, brings that to the disk and has the log restarted. @throws when it cannot */
  readonly checkpoint: () => void;
}

/**
 * Brings commits to the disk. SQLite itself has only written them to the write-ahead log, which survives a crash of the process, but not a loss of
 * power. The flush runs beside the event loop. Whoever waits while one runs shares the next.
 */
export class LateFlush {
  /**
   * True after a flush failed: it may have left pages behind that the system takes for written. Then nothing may be committed before
   * {@link recover}: a commit behind pages that are not on the disk is lost with them, whether it is flushed or not. Only read from outside.
   */
  hasFailed = false;
  readonly #options: LateFlushOptions;
  #commits = 0;
  /** Of the commits, up to the last that somebody waits for. */
  #promised = 0;
  #flushed = 0;
  #running: Promise<void> | undefined;
  #log: Promise<FileHandle> | undefined;

  constructor(options: LateFlushOptions) {
    this.#options = options;
  }

  /** Notes a commit. */
  committed(): void {
    if (this.#options.flushes) this.#commits += 1;
  }

  /**
   * Resolves once all commits counted so far are on the disk; at once when they are.
   * @throws AppError 50301 when the disk is out; the next call tries again
   */
  flushed(): Promise<void> {
    this.#promised = this.#commits;
    return this.settled();
  }

  /** The same of the commits that somebody has waited for: not of those that follow from work that is done again. */
  async settled(): Promise<void> {
    const upTo = this.#promised;
    while (this.#flushed < upTo) {
      this.#running ??= this.#flush().finally(() => {
        this.#running = undefined;
      });
      try {
        await this.#running;
      } catch (error) {
        // The file may have been closed meanwhile, which is as good.
        if (this.#flushed < upTo) throw storeFailure(error);
      }
    }
  }

  /** Notes that a write of SQLite failed: the system reports that once per file, so the next flush may not hear of it. */
  failed(): void {
    if (this.#flushed < this.#commits) this.hasFailed = true;
  }

  /**
   * Brings all commits to the disk after a failed flush, by writing them again into the main file.
   * @throws when the log cannot be moved now; nothing has changed then
   */
  recover(): void {
    this.#options.checkpoint();
    this.hasFailed = false;
    this.#flushed = this.#commits;
  }

  /** Notes that everything is on the disk, and closes the log. */
  async close(): Promise<void> {
    this.#flushed = this.#commits;
    // Nothing depends on the log any more, so neither does it matter whether it could be opened, or closes well.
    await this.#log?.then((log) => log.close()).catch(() => undefined);
  }

  async #flush(): Promise<void> {
    const upTo = this.#commits;
    if (this.hasFailed) this.recover();
    try {
      if (this.#flushed < upTo) await this.#sync();
    } catch (error) {
      this.hasFailed = true;
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
    // It stays open when this fails: a descriptor that is opened later gets no error for what failed before.
    await (await this.#log).datasync();
  }
}
