import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { misplaced } from '../domain/event-place.ts';
import type { EventFeed } from '../ports.ts';
import { lastPosition, positionBefore } from './sqlite-positions.ts';

interface FeedRow {
  readonly position: number;
  readonly event_id: string;
  readonly type: SentEventType;
  readonly body: string;
}

const PAGE = `SELECT position, event_id, type, body FROM events WHERE tenant_id = ? AND position > ? AND test = 0
  ORDER BY position LIMIT ?`;
/** A place is the position of the last event that was looked at. */
const PLACE = /^\d{1,15}$/;

function positionOf(place: string): number {
  if (!PLACE.test(place)) throw misplaced();
  return Number(place);
}

/**
 * The event feed in SQLite, in the order of the positions. One process writes the file and a position is given in the
 * transaction that stores the event, so nothing is ever stored before what a reader has seen. Of a clock that was set back
 * `since` finds one of the places that fit.
 */
export function createSqliteFeed(db: SqliteDatabase): EventFeed {
  return {
    async page(tenantId, from, types, limit) {
      const after = 'after' in from ? positionOf(from.after) : from.since === null ? 0 : positionBefore(db, from.since);
      const rows = db.all<FeedRow>(PAGE, tenantId, after, limit + 1);
      const looked = rows.slice(0, limit);
      const shown = types === null ? looked : looked.filter(({ type }) => types.includes(type));
      return {
        events: shown.map(({ event_id, type, body }) => ({ eventId: event_id, type, body })),
        next: String(looked.at(-1)?.position ?? after),
        more: rows.length > limit,
      };
    },
    end: async () => String(lastPosition(db)),
  };
}
