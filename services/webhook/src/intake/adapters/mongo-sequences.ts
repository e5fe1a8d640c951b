import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { AT_ONCE, collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { type EventDocument, events, sequences } from './mongo-event-documents.ts';

export interface Sequences {
  /** The highest number that each parcel has given; absent for a parcel that has given none. */
  last(parcels: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Keeps the numbers of events that are about to be deleted. Call it before the deletion. */
  keep(leaving: readonly Pick<EventDocument, 'parcel' | 'event_seq' | 'created_at'>[]): Promise<void>;
}

/**
 * There is no counter that could run ahead of the events: the next number of a parcel is one more than the highest that
 * one of its events carries, and a unique index gives each number to one event. Number and event are written in one
 * insert, so a crash leaves no gap. Only when the retention deletes events their number is put down beside them, before.
 */
export function createSequences(db: MongoDatabase): Sequences {
  const stored = collectionOf(db, events);
  const kept = collectionOf(db, sequences);
  return {
    async last(parcels) {
      if (parcels.length === 0) return new Map();
      const wanted = { $in: [...parcels] };
      // The events first: of what leaves between the two reads, the number was kept before.
      const highest = stored.aggregate<{ _id: string; last: number }>(
        [
          { $match: { parcel: wanted } },
          { $sort: { parcel: 1, event_seq: -1 } },
          { $group: { _id: '$parcel', last: { $first: '$event_seq' } } },
          { $unionWith: { coll: sequences.name, pipeline: [{ $match: { _id: wanted } }, { $project: { last: 1 } }] } },
        ],
        AT_ONCE,
      );
      const last = new Map<string, number>();
      for (const row of await highest.toArray()) last.set(row._id, Math.max(row.last, last.get(row._id) ?? 0));
      return last;
    },
    async keep(leaving) {
      const writes = leaving.flatMap(({ parcel, event_seq, created_at }) => {
        if (parcel === undefined || event_seq === undefined) return [];
        const update = { $max: { last: event_seq, updated_at: created_at } };
        return [{ updateOne: { filter: { _id: parcel }, update, upsert: true } }];
      });
      if (writes.length > 0) await kept.bulkWrite(writes, { ordered: false });
    },
  };
}
