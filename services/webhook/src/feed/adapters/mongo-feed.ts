import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import { AT_ONCE, collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import {
  type EventDocument,
  events,
  FEED_INDEX,
  NOT_FED,
  PARCEL_FEED_INDEX,
  STREAM_BEGINS,
} from '../../intake/adapters/mongo-event-documents.ts';
import { FEED_SETTLE_MS } from '../../intake/adapters/mongo-feed-sequence.ts';
import { misplaced } from '../../intake/domain/event-place.ts';
import { type EventStream, streamsOf } from '../../intake/domain/event-stream.ts';
import type { EventFeed } from '../ports.ts';

type FeedRow = Pick<EventDocument, 'event_id' | 'type' | 'body' | 'fed_at'>;

/** Named, because the planner, which knows no numbers, might rather sort what another index finds. */
const IN_ORDER = { hint: FEED_INDEX, ...AT_ONCE } as const;
const OF_PARCEL_IN_ORDER = { hint: PARCEL_FEED_INDEX, ...AT_ONCE } as const;

const ROW = { _id: 0, event_id: 1, type: 1, body: 1, fed_at: 1 } as const;

/** Whose events are wanted: a tenant's, or those of one of its parcels. */
interface FeedOwner {
  readonly tenantId: string;
  readonly poNumber: string | null;
}

function filterOf({ tenantId, poNumber }: FeedOwner): { tenant_id: string; po_number?: { $eq: string } } {
  return poNumber === null ? { tenant_id: tenantId } : { tenant_id: tenantId, po_number: { $eq: poNumber } };
}

function orderOf({ poNumber }: FeedOwner): typeof IN_ORDER | typeof OF_PARCEL_IN_ORDER {
  return poNumber === null ? IN_ORDER : OF_PARCEL_IN_ORDER;
}

/** Two rows in the order of the feed. */
function inOrder(a: FeedRow, b: FeedRow): number {
  return a.fed_at - b.fed_at || (a.event_id < b.event_id ? -1 : 1);
}

/** A place in the feed: behind an event, or before all events of an instant when the id is empty. */
interface Place {
  readonly fedAt: number;
  readonly eventId: string;
}

/** `<fed_at>.<event_id>`. */
const NOTATION = /^(\d{1,15})\.([\x21-\x7e]{0,80})$/;

function textOf({ fedAt, eventId }: Place): string {
  return `${fedAt}.${eventId}`;
}

function placeOf(text: string): Place {
  const [, fedAt, eventId = ''] = NOTATION.exec(text) ?? [];
  if (fedAt === undefined) throw misplaced('after');
  return { fedAt: Number(fedAt), eventId };
}

/** @param since epoch milliseconds; null for the beginning */
function beginning(since: number | null): Place {
  return { fedAt: Math.max(since ?? 0, NOT_FED + 1), eventId: '' };
}

/**
 * The event feed in MongoDB. Each stream has a range of its own in the index (STREAM_BEGINS): a page of one does not pass over the other, a page of
 * both merges them.
 *
 * The order is that of the times (`fed_at`) that the writers take from the server's clock, of equal ones in
 * the order of the event ids.
 *
 * Crashes and races: writers overlap, so an event may be stored after one with a later time. A page therefore ends some
 * seconds ago (FEED_SETTLE_MS): what has an older time is there, because a writer that has waited for longer than half that
 * time gives its events a new one (mongo-feed-sequence); the other half is for differing estimates of the clock, a new primary's
 * included. A writer that dies before it could is followed by whoever receives the event again, finds it stored, and
 * gives it a new time unless it is young; until then the event may be missing for a reader who has passed its place, after
 * that it is read, or read again. The time of an event only ever rises, so a write that arrives late moves nothing back. A reader's
 * place is that of an event it has seen: who reads from a primary that has been replaced sees too little, and skips nothing.
 */
export function createMongoFeed(db: MongoDatabase, time: MongoServerTime): EventFeed {
  const stored = collectionOf(db, events);

  async function settledAt(): Promise<number> {
    return (await time.now()) - FEED_SETTLE_MS;
  }

  /** @returns the rows of a stream, with their places in time */
  async function rowsOf(stream: EventStream, owner: FeedOwner, place: Place, until: number, limit: number): Promise<FeedRow[]> {
    const { eventId } = place;
    const start = STREAM_BEGINS[stream];
    const fedAt = start + place.fedAt;
    const behind = eventId === '' ? {} : { $or: [{ fed_at: { $gt: fedAt } }, { event_id: { $gt: eventId } }] };
    const rest = { ...filterOf(owner), fed_at: { $gte: fedAt, $lte: start + until }, ...behind };
    const options = { projection: ROW, sort: { fed_at: 1, event_id: 1 }, limit, ...orderOf(owner) } as const;
    const rows = await stored.find<FeedRow>(rest, options).toArray();
    return start === 0 ? rows : rows.map((row) => ({ ...row, fed_at: row.fed_at - start }));
  }

  return {
    async page(tenantId, from, { types, poNumber }, limit) {
      const owner = { tenantId, poNumber };
      const place = 'after' in from ? placeOf(from.after) : beginning(from.since);
      const until = await settledAt();
      const streams = streamsOf(types);
      return db.run(async () => {
        const ofStreams = await Promise.all(streams.map((one) => rowsOf(one, owner, place, until, limit + 1)));
        const rows = ofStreams.length === 1 ? (ofStreams[0] ?? []) : ofStreams.flat().sort(inOrder);
        const looked = rows.slice(0, limit);
        const last = looked.at(-1);
        const shown = types === null ? looked : looked.filter(({ type }) => types.includes(type));
        return {
          events: shown.map(({ event_id, type, body }) => ({ eventId: event_id, type, body })),
          next: textOf(last === undefined ? place : { fedAt: last.fed_at, eventId: last.event_id }),
          more: rows.length > limit,
        };
      });
    },
    end: async () => textOf({ fedAt: await settledAt(), eventId: '~' }),
  };
}
