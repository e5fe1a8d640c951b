import { randomBytes } from 'node:crypto';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { type DueShipment, MAX_COUNTED, type PollBacklog, type PollQueue } from '../ports.ts';
import { SHIPMENT_ONLY, toShipment } from './mongo-documents.ts';
import { DUE_INDEX, parcels } from './mongo-schema.ts';

const DUE_AT = 'shipment.next_poll_at';

/** Looks at most so often when others took what it found. */
const MAX_LOOKS = 3;

/**
 * The shipments that are due, in MongoDB, for any number of processes.
 *
 * Crashes and races: one conditional write takes a batch, marked with a token of this lease, so a shipment has one
 * holder. When a process ends while it holds some, their leases run out, and the next poll finds
 * whatever it did not write. Leases are long compared with the seconds by which clocks differ; a shipment polled twice at once
 * costs a call and no more: its parcel is decided on what is stored.
 */
export function createMongoPollQueue(db: MongoDatabase): PollQueue & PollBacklog {
  const model = db.model(parcels);

  const take = async (now: number, until: number, limit: number): Promise<readonly DueShipment[]> => {
    const due = { 'shipment.next_poll_at': { $lte: now }, 'shipment.lease_until': { $lte: now } };
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const found = await model.find(due, { _id: 1 }).sort({ 'shipment.next_poll_at': 1 }).limit(limit).lean();
      if (found.length === 0) return [];
      const ids = { $in: found.map(({ _id }) => _id) };
      const token = randomBytes(12).toString('base64url');
      const lease = { 'shipment.lease_until': until, 'shipment.lease_by': token };
      const { modifiedCount } = await model.updateMany({ _id: ids, ...due }, { $set: lease });
      if (modifiedCount === 0) continue;
      // One with news since then is due again and no longer held: the next poller takes it.
      const taken = await model
        .find({ _id: ids, ...lease }, SHIPMENT_ONLY)
        .sort({ 'shipment.next_poll_at': 1 })
        .lean();
      return taken.flatMap((parcel) => {
        if (!parcel.shipment) return [];
        // It has no time when its watch has ended since it was taken: then nothing is late.
        return [{ ...toShipment(parcel, parcel.shipment), dueAt: parcel.shipment.next_poll_at ?? now }];
      });
    }
    return [];
  };

  return {
    lease: (now, until, limit) => db.run(() => take(now, until, limit)),

    overdue: (now) =>
      db.run(async () => {
        const [row] = await model.collection
          .aggregate<{ count: number; oldest: number }>(
            [
              { $match: { [DUE_AT]: { $lte: now } } },
              { $sort: { [DUE_AT]: 1 } },
              { $limit: MAX_COUNTED },
              { $group: { _id: null, count: { $sum: 1 }, oldest: { $min: `$${DUE_AT}` } } },
            ],
            { hint: DUE_INDEX },
          )
          .toArray();
        return { count: row?.count ?? 0, oldestDueAt: row?.oldest ?? null };
      }),
  };
}
