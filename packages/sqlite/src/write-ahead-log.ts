import type { DatabaseSyncInstance } from '@photostructure/sqlite';

/** The -wal file is cut down to this when it is restarted: one large transaction must not leave a large file for good. */
const MAX_IDLE_LOG_BYTES = 64 * 1024 * 1024;
/** Memory for pages, at most: what the commits of some seconds touch. It is taken as pages are read. */
const CACHE_KIB = 32_000;
/** A commit waits so long for another process that holds the file. */
const BUSY_TIMEOUT_MS = 2_000;

/** What is set when a file is opened. */
export function openingPragmas(): string {
  return [
    'journal_mode=WAL',
    // A commit is brought to the disk beside the event loop (late-flush), and the log moved in a thread (checkpoints).
    'synchronous=NORMAL',
    'wal_autocheckpoint=0',
    'foreign_keys=ON',
    // Overwrites deleted and changed content, also on freed pages. Copies that a page split leaves inside a page stay until SQLite writes that page again.
    'secure_delete=ON',
    `busy_timeout=${BUSY_TIMEOUT_MS}`,
    'temp_store=MEMORY',
    `cache_size=-${CACHE_KIB}`,
    `journal_size_limit=${MAX_IDLE_LOG_BYTES}`,
  ]
    .map((pragma) => `PRAGMA ${pragma};`)
    .join(' ');
}

/**
 * Moves all of the write-ahead log into the main file, so that the next commit restarts the log. Does not wait for other processes:
 * nothing else runs meanwhile.
 * @throws when another process reads the log
 */
export function restartLog(db: DatabaseSyncInstance): void {
  db.exec('PRAGMA busy_timeout=0');
  try {
    const { busy } = db.prepare(`PRAGMA wal_checkpoint(RESTART)`).get() as { busy: number };
    if (busy !== 0) throw new Error('Another process reads the file, so its log cannot be moved');
  } finally {
    db.exec(`PRAGMA busy_timeout=${BUSY_TIMEOUT_MS}`);
  }
}
