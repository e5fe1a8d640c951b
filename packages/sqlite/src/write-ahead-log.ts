/**
 * Pages of 4 kB in the write-ahead log at which a commit moves them into the main file. SQLite's own 1000 are reached by a busy service
 * several times a second, each time with the same pages, and all of that is work inside commits. With 8000 the log has 32 MB, which a
 * process that was killed reads again within a second when it starts.
 */
const CHECKPOINT_PAGES = 8000;
/** The -wal file is cut down to this when it is begun anew: one large transaction must not leave a large file for good. */
const MAX_IDLE_LOG_BYTES = 64 * 1024 * 1024;
/** Memory for pages of one file, at most: what the commits of some seconds touch. It is taken as pages are read. */
const CACHE_KIB = 16_000;
/** A commit waits so long for another process that holds the file. */
export const BUSY_TIMEOUT_MS = 2_000;
/** After so long without a commit what is in the log is moved. */
const IDLE_MS = 1_000;

/** What is set when a file is opened. */
export function openingPragmas(synchronous: 'full' | 'normal'): string {
  return [
    'journal_mode=WAL',
    `synchronous=${synchronous}`,
    'foreign_keys=ON',
    `busy_timeout=${BUSY_TIMEOUT_MS}`,
    'temp_store=MEMORY',
    `cache_size=-${CACHE_KIB}`,
    `wal_autocheckpoint=${CHECKPOINT_PAGES}`,
    `journal_size_limit=${MAX_IDLE_LOG_BYTES}`,
  ]
    .map((pragma) => `PRAGMA ${pragma};`)
    .join(' ');
}

/**
 * Moves the write-ahead log into the main file when nothing has been committed for a moment, so that busy seconds seldom have to, and a
 * process that is killed later has little to read again.
 */
export class IdleCheckpoint {
  readonly #checkpoint: () => void;
  #committedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param checkpoint moves what can be moved; short, because nothing else runs meanwhile */
  constructor(checkpoint: () => void) {
    this.#checkpoint = checkpoint;
  }

  /** Says that there was a commit. @param at by the clock of {@link performance} */
  committed(at: number): void {
    this.#committedAt = at;
    this.#timer ??= setTimeout(() => this.#look(), IDLE_MS).unref();
  }

  /** Moves nothing any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const left = this.#committedAt + IDLE_MS - performance.now();
    // One timer a second however many commits there are.
    this.#timer = left > 1 ? setTimeout(() => this.#look(), left).unref() : undefined;
    if (this.#timer === undefined) this.#checkpoint();
  }
}
