import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';

/** The family of codes of a file that another process holds. */
const SQLITE_BUSY = 5;

/** The locks of this process: one that nobody refers to any more would be collected, and closed with that. */
const held = new Set<DatabaseSyncInstance>();

/** Makes the directory where it lacks. What SQLite says of one that belongs to another user names neither it nor the reason. */
function makeWritable(directory: string, lock: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.W_OK | constants.X_OK);
    if (existsSync(lock)) accessSync(lock, constants.R_OK | constants.W_OK);
  } catch (error) {
    const user = process.getuid === undefined ? 'the user of this process' : `user ${process.getuid()}, who runs this`;
    throw new Error(
      `The data directory ${directory} is not writable (${(error as NodeJS.ErrnoException).code}). It and all that is in it must belong to ${user}: change its owner, or set DATA_DIR to another directory.`,
      { cause: error },
    );
  }
}

/**
 * Takes the data directory for this process. The lock is an operating-system lock on a file, so it ends with the
 * process however that dies; nothing stale is left to clean up.
 * @param directory made when it does not exist
 * @returns a function that gives the directory back
 * @throws Error when another process has it, or this user may not write to it
 */
export function lockDataDirectory(directory: string): () => void {
  const file = join(directory, 'lock.db');
  makeWritable(directory, file);
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA busy_timeout=0; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if ((((error as { sqliteExtendedCode?: number }).sqliteExtendedCode ?? 0) & 0xff) !== SQLITE_BUSY) throw error;
    throw new Error(
      `The data directory ${directory} is in use by another running platform. Stop that one, or set DATA_DIR to another directory.`,
      { cause: error },
    );
  }
  held.add(db);
  return () => {
    held.delete(db);
    db.close();
  };
}
