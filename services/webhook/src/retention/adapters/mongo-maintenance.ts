import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { mongo } from 'mongoose';
import { AT_ONCE, collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { type EndpointDocument, endpointOf, endpoints } from '../../endpoints/adapters/mongo-endpoint-documents.ts';
import { LIVE } from '../../endpoints/adapters/mongo-endpoints.ts';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { deliveries, SETTLED } from '../../intake/adapters/mongo-delivery-documents.ts';
import { type EventDocument, events, sequences } from '../../intake/adapters/mongo-event-documents.ts';
import { createSequences } from '../../intake/adapters/mongo-sequences.ts';
import { createOrphanSweep } from '../../queue/adapters/mongo-orphan-sweep.ts';
import type { Maintenance } from '../ports.ts';

type OldEvent = Pick<EventDocument, '_id' | 'parcel' | 'event_seq' | 'created_at'> & { readonly used: readonly unknown[] };

/** Finds out whether an event has a delivery. Those of one event follow each other: their ids are its own, a blank, and more. */
const USE = [
  {
    $lookup: {
      from: deliveries.name,
      let: { from: { $concat: ['$_id', ' '] }, to: { $concat: ['$_id', '!'] } },
      pipeline: [
        { $match: { $expr: { $and: [{ $gt: ['$_id', '$$from'] }, { $lt: ['$_id', '$$to'] }] } } },
        { $limit: 1 },
        { $project: { _id: 1 } },
      ],
      as: 'used',
    },
  },
  { $project: { parcel: 1, event_seq: 1, created_at: 1, used: 1 } },
];

/** Deletes events that nothing refers to, from the old end on. */
function createEventExpiry(db: MongoDatabase): (before: number, limit: number) => Promise<boolean> {
  const stored = collectionOf(db, events);
  const numbers = createSequences(db);
  // Events that must stay are passed over; the walk starts again when it has come to young ones. Only spares this process work.
  let after = { created_at: 0, _id: '' };

  return async (before, limit) => {
    const old = { created_at: { $gte: after.created_at, $lt: before } };
    const further = { $or: [{ created_at: { $gt: after.created_at } }, { _id: { $gt: after._id } }] };
    const page = await stored
      .aggregate<OldEvent>([{ $match: { ...old, ...further } }, { $sort: { created_at: 1, _id: 1 } }, { $limit: limit }, ...USE], AT_ONCE)
      .toArray();
    const leaving = page.filter(({ used }) => used.length === 0);
    if (leaving.length > 0) {
      await numbers.keep(leaving);
      await stored.deleteMany({ _id: { $in: leaving.map(({ _id }) => _id) } });
    }
    const last = page.length === limit ? page.at(-1) : undefined;
    after = last ? { created_at: last.created_at, _id: last._id } : { created_at: 0, _id: '' };
    return last !== undefined;
  };
}

/**
 * Slow work in MongoDB; several processes may do it at the same time.
 *
 * Crashes and races: all of it is found by the state of the documents, and every write repeats the condition that its
 * document was found by, so what ends half-way is found again, and what has changed since is left alone. An endpoint
 * keeps its mark until no delivery of it was found; what comes later is left to the senders (mongo-orphan-sweep).
 */
export function createMongoMaintenance(db: MongoDatabase): Maintenance {
  const stored = {
    endpoints: collectionOf(db, endpoints),
    deliveries: collectionOf(db, deliveries),
    sequences: collectionOf(db, sequences),
  };
  const orphanSweep = createOrphanSweep(db);
  const expireEvents = createEventExpiry(db);

  async function find(which: mongo.Filter<EndpointDocument>, sort: mongo.Sort, limit: number): Promise<Endpoint[]> {
    const found = await db.run(() => stored.endpoints.find({ ...which, ...LIVE }, { sort, limit, ...AT_ONCE }).toArray());
    return found.map(endpointOf);
  }

  return {
    async holdDisabled(limit) {
      let left = limit;
      while (left > 0) {
        const endpoint = await db.run(() => stored.endpoints.findOne({ sweep: 'hold' }));
        if (!endpoint) return false;
        const count = await orphanSweep.hold(endpoint, left);
        // Changed meanwhile: the next batch sees how it is now.
        if (count === undefined) return true;
        if (count < left) {
          const seen = { _id: endpoint._id, version: endpoint.version + 1, sweep: 'hold' } as const;
          await db.run(() => stored.endpoints.updateOne(seen, { $unset: { sweep: '' }, $inc: { version: 1 } }));
        }
        left -= count;
      }
      return true;
    },
    purgeDeleted: (limit) =>
      db.run(async () => {
        const endpoint = await stored.endpoints.findOne({ sweep: 'purge' });
        if (!endpoint) return false;
        const its = { tenant_id: endpoint.tenant_id, endpoint_id: endpoint._id };
        const found = await stored.deliveries.find(its, { projection: { _id: 1 }, limit, ...AT_ONCE }).toArray();
        if (found.length > 0) await stored.deliveries.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, ...its });
        if (found.length < limit) await stored.endpoints.deleteOne({ _id: endpoint._id, sweep: 'purge' });
        return true;
      }),
    expireDeliveries: (before, limit) =>
      db.run(async () => {
        const settled = { status: { $in: [...SETTLED] }, created_at: { $lt: before } };
        const found = await stored.deliveries
          .find(settled, { projection: { _id: 1 }, sort: { created_at: 1 }, limit, ...AT_ONCE })
          .toArray();
        if (found.length > 0) await stored.deliveries.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, ...settled });
        return found.length === limit;
      }),
    expireEvents: (before, limit) => db.run(() => expireEvents(before, limit)),
    expireSequences: (before, limit) =>
      db.run(async () => {
        const silent = { updated_at: { $lt: before } };
        const found = await stored.sequences.find(silent, { projection: { _id: 1 }, sort: { updated_at: 1 }, limit, ...AT_ONCE }).toArray();
        if (found.length > 0) await stored.sequences.deleteMany({ _id: { $in: found.map(({ _id }) => _id) }, ...silent });
        return found.length === limit;
      }),
    disablingsToPublish: (limit) => find({ disabling_to_publish: { $gt: 0 } }, { disabling_to_publish: 1 }, limit),
    pausedBefore: (before, limit) => find({ paused_at: { $gt: 0, $lt: before } }, { paused_at: 1 }, limit),
  };
}
