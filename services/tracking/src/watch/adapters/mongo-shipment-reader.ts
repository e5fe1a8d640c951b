import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { firstParcel, furtherParcel } from '../domain/parcel-key.ts';
import { inDispatchOrder, type Shipment } from '../domain/shipment.ts';
import type { ShipmentFinder, ShipmentReader } from '../ports.ts';
import { parcelFilter, parcelsFilter, SHIPMENT_ONLY, type ShipmentDocument, toNode, toShipment } from './mongo-documents.ts';
import { type ParcelDocument, parcels } from './mongo-schema.ts';

/** A document of a first parcel, as far as reading needs it. */
type FirstParcel = ShipmentDocument & Pick<ParcelDocument, 'is_cancelled' | 'further_numbers'>;

const FIRST_PARCEL = { ...SHIPMENT_ONLY, is_cancelled: 1, further_numbers: 1 } as const;

const shipmentsIn = (documents: readonly ShipmentDocument[]): Shipment[] =>
  documents.flatMap((parcel) => (parcel.shipment ? [toShipment(parcel, parcel.shipment)] : []));

/** Reads shipments and histories in MongoDB: one document each. */
export function createMongoShipmentReader(db: MongoDatabase): ShipmentReader & ShipmentFinder {
  const model = db.model(parcels);

  /** The parcels of a forecast, its first one at hand. Only a forecast of several costs a second read. */
  const allShipments = async (first: FirstParcel): Promise<readonly Shipment[]> => {
    const { tenant_id: tenantId, forecast_no: forecastNo, further_numbers: numbers = [] } = first;
    if (numbers.length === 0) return shipmentsIn([first]);
    const keys = numbers.map((number) => furtherParcel({ tenantId, forecastNo }, number));
    const further = await db.run(() => model.find(parcelsFilter(keys), SHIPMENT_ONLY).hint({ _id: 1 }).lean());
    return inDispatchOrder(shipmentsIn([first, ...further]));
  };

  return {
    async findByPoNumber(tenantId, poNumber) {
      const found = await db.run(() =>
        model
          .findOne({ tenant_id: { $eq: tenantId }, po_number: { $eq: poNumber }, is_further: { $ne: true } }, FIRST_PARCEL)
          // In the order of the index, so that the first entry is the response, however often a po_number was cancelled.
          .sort({ is_cancelled: 1, accepted_at: -1, forecast_id: -1 })
          .lean(),
      );
      if (!found) return undefined;
      return { forecastNo: found.forecast_no, isCancelled: found.is_cancelled, shipments: await allShipments(found) };
    },

    async findShipments(tenantId, forecastNo) {
      const found = await db.run(() =>
        model
          .findOne(parcelFilter(firstParcel({ tenantId, forecastNo })), FIRST_PARCEL)
          .hint({ _id: 1 })
          .lean(),
      );
      return found ? allShipments(found) : [];
    },

    async findByNumber(trackingNumber, limit) {
      const found = await db.run(() =>
        model
          .find({ 'shipment.tracking_number': { $eq: trackingNumber }, 'shipment.next_poll_at': { $gt: 0 } }, SHIPMENT_ONLY)
          .sort({ 'shipment.watched_since': -1 })
          .limit(limit)
          .lean(),
      );
      return shipmentsIn(found);
    },

    async history(shipment, limit) {
      const newest = { _id: 1, nodes: { $slice: -limit } } as object;
      const found = await db.run(() =>
        model
          .findOne({ ...parcelFilter(shipment), 'shipment.watch': shipment.watch }, newest)
          .hint({ _id: 1 })
          .lean<Pick<ParcelDocument, 'nodes'>>(),
      );
      return (found?.nodes ?? []).map(toNode).reverse();
    },
  };
}
