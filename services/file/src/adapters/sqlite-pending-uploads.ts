import { AppError } from '@parcelway/kernel/app-error';
import type { SqliteDatabase } from '@parcelway/sqlite/database';

/*
 * The end of a pending upload, one way or the other; inside the transaction of whoever decides it.
 */

/** Makes sure that an upload is not recorded any more. @returns how many pending ones there are of that name: 1, or 0 when it was recorded or forgotten */
export function abandonUpload(db: SqliteDatabase, ownerId: string, storageKey: string): number {
  return db.run('UPDATE pending_uploads SET abandoned = 1 WHERE owner_id = ? AND storage_key = ?', ownerId, storageKey).changes;
}

/** Ends a pending upload that is recorded. @throws AppError 50301 when a sweep has claimed its content */
export function finishUpload(db: SqliteDatabase, ownerId: string, storageKey: string): void {
  const { changes } = db.run('DELETE FROM pending_uploads WHERE owner_id = ? AND storage_key = ? AND abandoned = 0', ownerId, storageKey);
  if (changes !== 1) throw AppError.unavailable('The upload took too long and was cancelled');
}
