import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { misplaced } from '../../intake/domain/event-place.ts';
import { type EventStream, streamsOf } from '../../intake/domain/event-stream.ts';
import type { EventFeed } from '../ports.ts';

interface FeedRow {
  readonly position: number;
  readonly event_id: string;
  readonly type: SentEventType;
  readonly body: string;
}

/** Stream → its page. */
const PAGE: Readonly<Record<EventStream, string>> = {
  standard: `SELECT position, event_id, type, body FROM events INDEXED BY events_feed
    WHERE tenant_id = ? AND position > ? AND stream = 0 ORDER BY position LIMIT ?`,
  opt_in: `SELECT position, event_id, type, body FROM events INDEXED BY events_opt_in
    WHERE tenant_id = ? AND position > ? AND stream = 2 ORDER BY position LIMIT ?`,
};
/** Stream → its number in the table. */
const NUMBERS: Readonly<Record<EventStream, number>> = { standard: 0, opt_in: 2 };
const PAGE_OF_PARCEL = `SELECT position, event_id, type, body FROM events INDEXED BY events_of_parcel
  WHERE tenant_id = ? AND po_number = ? AND stream = ? AND position > ? ORDER BY position LIMIT ?`;
const LAST = 'SELECT max(position) AS position FROM events';
/** The first event of any tenant from a position on. */
const FROM = 'SELECT position, created_at FROM events WHERE position >= ? ORDER BY position LIMIT 1';

/** A place is the position of the last event that was looked at. */
const PLACE = /^\d{1,15}$/;

function positionOf(place: string): number {
  if (!PLACE.test(place)) throw misplaced('after');
  return Number(place);
}

function lastPosition(db: SqliteDatabase): number {
  return db.get<{ position: number | null }>(LAST)?.position ?? 0;
}

/**
 * The last position before what was stored at or after an instant. Positions rise with time, so it is found by halving,
 * some thirty look-ups, and the hot path is spared an index on time.
 */
function positionBefore(db: SqliteDatabase, since: number): number {
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

/**
 * The event feed in SQLite, in the order of the positions. One process writes the file and a position is given in the
 * transaction that stores the event, so nothing is ever stored before what a reader has seen. Of a clock that was set back
 * `since` finds one of the places that fit. What was read is on the disk before it is shown: no place that somebody was given is used again.
 */
export function createSqliteFeed(db: SqliteDatabase): EventFeed {
  return {
    async page(tenantId, from, { types, poNumber }, limit) {
      const after = 'after' in from ? positionOf(from.after) : from.since === null ? 0 : positionBefore(db, from.since);
      const rows = streamsOf(types).flatMap((stream) =>
        poNumber === null
          ? db.all<FeedRow>(PAGE[stream], tenantId, after, limit + 1)
          : db.all<FeedRow>(PAGE_OF_PARCEL, tenantId, poNumber, NUMBERS[stream], after, limit + 1),
      );
      rows.sort((a, b) => a.position - b.position);
      await db.flushed();
      const looked = rows.slice(0, limit);
      const shown = types === null ? looked : looked.filter(({ type }) => types.includes(type));
      return {
        events: shown.map(({ event_id, type, body }) => ({ eventId: event_id, type, body })),
        next: String(looked.at(-1)?.position ?? after),
        more: rows.length > limit,
      };
    },
    async end() {
      const last = lastPosition(db);
      await db.flushed();
      return String(last);
    },
  };
}
