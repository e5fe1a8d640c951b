import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { Model } from 'mongoose';
import { firstParcel } from '../domain/parcel-key.ts';
import type { Retention } from '../ports.ts';
import { parcelId, SHIPMENT_ONLY, type ShipmentDocument } from './mongo-documents.ts';
import { type ParcelDocument, parcels, simulatedParcels } from './mongo-schema.ts';

const hasFurther = ({ further_numbers = [] }: Pick<ParcelDocument, 'further_numbers'>): boolean => further_numbers.length > 0;

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

  /** Takes further parcels off the lists of their forecasts, before they are deleted: after a crash in between, they are deleted the next time. */
  const forgetFurther = async (further: readonly ShipmentDocument[]): Promise<void> => {
    if (further.length === 0) return;
    const updates = further.map(({ tenant_id, forecast_no, shipment }) => ({
      updateOne: {
        filter: { _id: parcelId(firstParcel({ tenantId: tenant_id, forecastNo: forecast_no })) },
        update: { $pull: { further_numbers: shipment?.tracking_number }, $inc: { revision: 1 } },
      },
    }));
    await db.run(() => shipments.bulkWrite(updates, { ordered: false }));
  };

  /** Takes the first parcel out of forecasts that have further ones. */
  const forgetFirst = async (filter: object, found: readonly { readonly _id: string }[]): Promise<number> => {
    if (found.length === 0) return 0;
    const ids = found.map(({ _id }) => _id);
    const update = { $unset: { shipment: '', nodes: '' }, $inc: { revision: 1 } };
    const { modifiedCount } = await db.run(() => shipments.updateMany({ _id: { $in: ids }, ...filter }, update));
    return modifiedCount;
  };

  return {
    async purge(before, limit) {
      const isPublished = { outbox_due: { $exists: false } };
      const ended = { 'shipment.next_poll_at': null, 'shipment.last_change_at': { $lt: before }, ...isPublished };
      // Both fields of the shipment are named so that the index leads straight to what has none.
      const undispatched = {
        'shipment.next_poll_at': null,
        'shipment.last_change_at': null,
        accepted_at: { $lt: before },
        'further_numbers.0': { $exists: false },
        ...isPublished,
      };
      const found = await db.run(() =>
        shipments
          .find(ended, { ...SHIPMENT_ONLY, further_numbers: 1 })
          .limit(limit)
          .lean(),
      );
      await forgetFurther(found.filter(({ is_further }) => is_further));
      // A forecast goes with the last of its parcels.
      const [kept, gone] = [found.filter(hasFurther), found.filter((document) => !hasFurther(document))];
      const deleted = (await deleteThese(db, shipments, ended, gone)) + (await forgetFirst(ended, kept));
      const cleared = deleted + (await deleteSome(db, shipments, undispatched, limit));
      await deleteSome(db, simulated, { last_change_at: { $lt: before } }, limit);
      return cleared;
    },
  };
}

/** Deletes at most `limit` documents that fit; each that no longer fits stays. */
async function deleteSome<T>(db: MongoDatabase, model: Model<T>, filter: object, limit: number): Promise<number> {
  const found = await db.run(() => model.find(filter, { _id: 1 }).limit(limit).lean<{ _id: string }[]>());
  return deleteThese(db, model, filter, found);
}

async function deleteThese<T>(
  db: MongoDatabase,
  model: Model<T>,
  filter: object,
  found: readonly { readonly _id: string }[],
): Promise<number> {
  if (found.length === 0) return 0;
  const ids = found.map(({ _id }) => _id);
  const { deletedCount } = await db.run(() => model.deleteMany({ _id: { $in: ids }, ...filter }));
  return deletedCount;
}
