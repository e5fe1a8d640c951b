import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { Model } from 'mongoose';
import { firstParcel, furtherParcel, keyText } from '../domain/parcel-key.ts';
import type { Shipment } from '../domain/shipment.ts';
import type { ForecastName, Retention } from '../ports.ts';
import { parcelId, SHIPMENT_ONLY, type ShipmentDocument, toShipment } from './mongo-documents.ts';
import { type ParcelDocument, parcels, simulatedParcels } from './mongo-schema.ts';

const shipmentOf = (document: ShipmentDocument): Shipment | undefined =>
  document.shipment === undefined ? undefined : toShipment(document, document.shipment);

const hasFurther = ({ further_numbers = [] }: Pick<ParcelDocument, 'further_numbers'>): boolean => further_numbers.length > 0;

const HAS_FURTHER = { 'further_numbers.0': { $exists: true } } as const;
const HAS_NO_FURTHER = { 'further_numbers.0': { $exists: false } } as const;

/** What says which further parcels a forecast has. */
const LISTED = { tenant_id: 1, forecast_no: 1, further_numbers: 1, revision: 1, _id: 1 } as const;

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

  /** Takes the first parcel out of forecasts that have further ones. */
  const forgetFirst = async (filter: object, found: readonly { readonly _id: string }[]): Promise<number> => {
    if (found.length === 0) return 0;
    const ids = found.map(({ _id }) => _id);
    const update = { $unset: { shipment: '', nodes: '' }, $inc: { revision: 1 } };
    const { modifiedCount } = await db.run(() => shipments.updateMany({ _id: { $in: ids }, ...filter }, update));
    return modifiedCount;
  };

  /** Takes further parcels that have been deleted off the lists of forecasts whose first parcel has, too. */
  const forgetFurther = async (filter: object, limit: number): Promise<void> => {
    const forecasts = await db.run(() => shipments.find(filter, LISTED).limit(limit).lean());
    const idsOf = ({ tenant_id, forecast_no, further_numbers = [] }: Pick<ParcelDocument, keyof typeof LISTED>): string[] =>
      further_numbers.map((number) => parcelId(furtherParcel({ tenantId: tenant_id, forecastNo: forecast_no }, number)));
    const ids = forecasts.flatMap(idsOf);
    if (ids.length === 0) return;
    const there = new Set((await db.run(() => shipments.find({ _id: { $in: ids } }, { _id: 1 }).lean())).map(({ _id }) => _id));
    const updates = forecasts.flatMap((forecast) => {
      const { _id, revision, further_numbers = [] } = forecast;
      const gone = further_numbers.filter((_number, index) => !there.has(idsOf(forecast)[index] ?? ''));
      if (gone.length === 0) return [];
      return [
        {
          updateOne: {
            filter: { _id, tenant_id: forecast.tenant_id, revision },
            update: { $pull: { further_numbers: { $in: gone } }, $inc: { revision: 1 } },
          },
        },
      ];
    });
    if (updates.length > 0) await db.run(() => shipments.bulkWrite(updates, { ordered: false }));
  };

  const isPublished = { outbox_due: { $exists: false } };
  const endedBefore = (before: number) => ({
    'shipment.next_poll_at': null,
    'shipment.last_change_at': { $lt: before },
    ...isPublished,
  });

  return {
    async ended(before, limit) {
      const found = await db.run(() => shipments.find(endedBefore(before), SHIPMENT_ONLY).limit(limit).lean());
      return found.flatMap((document) => shipmentOf(document) ?? []);
    },
    age: (forecasts) => ageForecasts(db, shipments, forecasts),
    async purge(before, limit, chosen) {
      const ended = endedBefore(before);
      // Both fields of the shipment are named so that the index leads straight to what has none.
      const undispatched = {
        'shipment.next_poll_at': null,
        'shipment.last_change_at': null,
        accepted_at: { $lt: before },
        ...isPublished,
      };
      const known = await db.run(() =>
        shipments
          .find(ended, { ...SHIPMENT_ONLY, further_numbers: 1 })
          .limit(limit)
          .lean(),
      );
      const found = known.filter((document) => {
        const shipment = shipmentOf(document);
        return chosen === undefined || (shipment !== undefined && chosen.has(keyText(shipment)));
      });
      // A forecast goes with the last of its parcels, and one that gets a further parcel meanwhile stays.
      const [kept, gone] = [found.filter(hasFurther), found.filter((document) => !hasFurther(document))];
      const deleted = (await deleteThese(db, shipments, { ...ended, ...HAS_NO_FURTHER }, gone)) + (await forgetFirst(ended, kept));
      await forgetFurther({ ...undispatched, ...HAS_FURTHER }, limit);
      const cleared = deleted + (await deleteSome(db, shipments, { ...undispatched, ...HAS_NO_FURTHER }, limit));
      await deleteSome(db, simulated, { last_change_at: { $lt: before } }, limit);
      return cleared;
    },
  };
}

/** Makes all documents of forecasts older than any time. */
async function ageForecasts(db: MongoDatabase, shipments: Model<ParcelDocument>, forecasts: readonly ForecastName[]): Promise<void> {
  const ids = forecasts.map((forecast) => parcelId(firstParcel(forecast)));
  const found = await db.run(() => shipments.find({ _id: { $in: ids } }, LISTED).lean());
  const further = found.flatMap(({ tenant_id, forecast_no, further_numbers = [] }) =>
    further_numbers.map((number) => parcelId(furtherParcel({ tenantId: tenant_id, forecastNo: forecast_no }, number))),
  );
  const all = { _id: { $in: [...ids, ...further] } };
  const aged = { $unset: { 'shipment.next_poll_at': '' }, $set: { 'shipment.last_change_at': 0 }, $inc: { revision: 1 } };
  await db.run(() => shipments.updateMany({ ...all, 'shipment.tracking_number': { $exists: true } }, aged));
  await db.run(() => shipments.updateMany(all, { $set: { accepted_at: 0 }, $inc: { revision: 1 } }));
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
