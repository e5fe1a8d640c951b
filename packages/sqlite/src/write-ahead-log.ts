import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { isDiskFailure } from './sqlite-errors.ts';

/**
 * Pages of 4 kB in the write-ahead log at which a commit moves them into the main file. SQLite's own 1000 are reached by a busy service
 * several times a second, each time with the same pages, and all of that is work inside commits. With 8000 the log has 32 MB, which a
 * process that was killed reads again within a second when it starts.
 */
const CHECKPOINT_PAGES = 8000;
/** The -wal file is cut down to this when it is restarted: one large transaction must not leave a large file for good. */
const MAX_IDLE_LOG_BYTES = 64 * 1024 * 1024;
/** Memory for pages of one file, at most: what the commits of some seconds touch. It is taken as pages are read. */
const CACHE_KIB = 16_000;
/** A commit waits so long for another process that holds the file. */
const BUSY_TIMEOUT_MS = 2_000;
/** After so long without a commit what is in the log is moved. */
const IDLE_MS = 1_000;

/** What is set when a file is opened. */
export function openingPragmas(synchronous: 'full' | 'normal'): string {
  return [
    'journal_mode=WAL',
    `synchronous=${synchronous}`,
    'foreign_keys=ON',
    // What is deleted or changed is overwritten in pages that are written anyway.
    'secure_delete=FAST',
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
 * Moves all of the write-ahead log into the main file, so that the next commit restarts the log. Does not wait for other processes:
 * nothing else runs meanwhile.
 * @param mode `TRUNCATE` also empties the file of the log, which otherwise keeps old pages until they are overwritten
 * @throws when another process reads the log
 */
export function restartLog(db: DatabaseSyncInstance, mode: 'RESTART' | 'TRUNCATE' = 'RESTART'): void {
  db.exec('PRAGMA busy_timeout=0');
  try {
    const { busy } = db.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as { busy: number };
    if (busy !== 0) throw new Error('Another process reads the file, so its log cannot be moved');
  } finally {
    db.exec(`PRAGMA busy_timeout=${BUSY_TIMEOUT_MS}`);
  }
}

/**
 * Moves the write-ahead log into the main file when nothing has been committed for a moment, so that commits of busy seconds seldom have to,
 * and a process that is killed later has little to read again.
 */
export class IdleCheckpoint {
  /** When the last commit ended, by the clock of {@link performance}. Whoever commits sets it. */
  committedAt = 0;
  /** True while a timer runs that looks at {@link committedAt}. Only read from outside. */
  isPlanned = false;
  readonly #db: DatabaseSyncInstance;
  readonly #onDiskFailure: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param onDiskFailure called when the log could not be moved because of the disk */
  constructor(db: DatabaseSyncInstance, onDiskFailure: () => void) {
    this.#db = db;
    this.#onDiskFailure = onDiskFailure;
  }

  /** Moves the log once the last commit is a second ago: one timer a second, however many commits there are. Call it after a commit. */
  plan(): void {
    this.isPlanned = true;
    const left = this.committedAt + IDLE_MS - performance.now();
    this.#timer = setTimeout(() => this.#look(), Math.max(0, left)).unref();
  }

  /** Moves nothing any more. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #look(): void {
    if (this.committedAt + IDLE_MS - performance.now() > 1) {
      this.plan();
      return;
    }
    this.isPlanned = false;
    try {
      this.#db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    } catch (error) {
      // Nothing is lost: the log stays as it is. The next commit meets the same disk and reports its error.
      if (isDiskFailure(error)) this.#onDiskFailure();
    }
  }
}
