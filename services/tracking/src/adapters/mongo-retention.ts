import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { Model } from 'mongoose';
import type { Retention } from '../ports.ts';
import { parcels, simulatedParcels } from './mongo-schema.ts';

/**
 * Ends the keeping of old data in MongoDB. A document goes with all that it holds in one write, on condition that it is
 * still past its time, so any number of processes may clean up side by side, and a crash leaves the rest to the next
 * run. One whose event waits for its publication stays until that is done.
 *
 * Simulated parcels go by their own age: a shipment keeps what it has seen of them.
 */
export function createMongoRetention(db: MongoDatabase): Retention {
  const shipments = db.model(parcels);
  const simulated = db.model(simulatedParcels);
  return {
    async purge(before, limit) {
      const isPublished = { outbox_due: { $exists: false } };
      const ended = { 'shipment.next_poll_at': null, 'shipment.last_change_at': { $lt: before }, ...isPublished };
      // Both fields of the shipment are named so that the index leads straight to what has none.
      const undispatched = {
        'shipment.next_poll_at': null,
        'shipment.last_change_at': null,
        accepted_at: { $lt: before },
        ...isPublished,
      };
      const deleted = (await deleteSome(db, shipments, ended, limit)) + (await deleteSome(db, shipments, undispatched, limit));
      await deleteSome(db, simulated, { last_change_at: { $lt: before } }, limit);
      return deleted;
    },
  };
}

/** Deletes at most `limit` documents that fit; each that no longer fits stays. */
async function deleteSome<T>(db: MongoDatabase, model: Model<T>, filter: object, limit: number): Promise<number> {
  const found = await db.run(() => model.find(filter, { _id: 1 }).limit(limit).lean<{ _id: string }[]>());
  if (found.length === 0) return 0;
  const ids = found.map(({ _id }) => _id);
  const { deletedCount } = await db.run(() => model.deleteMany({ _id: { $in: ids }, ...filter }));
  return deletedCount;
}
