import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';

/**
 * Takes the data directory for this process. The lock is an operating-system lock on a file, so it ends with the
 * process however that dies; nothing stale is left to clean up.
 * @param directory made when it does not exist
 * @returns a function that gives the directory back
 * @throws Error when another process has it
 */
export function lockDataDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(join(directory, 'lock.db'));
  try {
    db.exec('PRAGMA busy_timeout=0; BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw new Error(
      `The data directory ${directory} is in use by another running platform. Stop that one, or set DATA_DIR to another directory.`,
      { cause: error },
    );
  }
  return () => db.close();
}
