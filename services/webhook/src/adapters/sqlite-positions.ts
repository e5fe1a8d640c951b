import type { SqliteDatabase } from '@parcelway/sqlite/database';

const LAST = 'SELECT max(position) AS position FROM events';
/** The first event of any tenant from a position on. */
const FROM = 'SELECT position, created_at FROM events WHERE position >= ? ORDER BY position LIMIT 1';

/** Of the last event of any tenant; 0 when there is none. */
export function lastPosition(db: SqliteDatabase): number {
  return db.get<{ position: number | null }>(LAST)?.position ?? 0;
}

/**
 * The last position before what was taken in at or after an instant. Positions rise with time, so it is found by halving,
 * some thirty look-ups, and the hot path is spared an index on time.
 */
export function positionBefore(db: SqliteDatabase, since: number): number {
  let low = 1;
  let high = lastPosition(db) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = db.get<{ position: number; created_at: number }>(FROM, middle);
    if (found === undefined || found.created_at >= since) high = middle;
    else low = found.position + 1;
  }
  return low - 1;
}
