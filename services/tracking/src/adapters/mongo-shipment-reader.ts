import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { ShipmentFinder, ShipmentReader } from '../ports.ts';
import { parcelId, SHIPMENT_ONLY, toNode, toShipment } from './mongo-documents.ts';
import { parcels } from './mongo-schema.ts';

/** Reads shipments and histories in MongoDB: one document each. */
export function createMongoShipmentReader(db: MongoDatabase): ShipmentReader & ShipmentFinder {
  const model = db.model(parcels);
  return {
    async findByPoNumber(tenantId, poNumber) {
      const found = await db.run(() =>
        model
          .findOne({ tenant_id: { $eq: tenantId }, po_number: { $eq: poNumber } }, { ...SHIPMENT_ONLY, is_cancelled: 1 })
          // In the order of the index, so that the first entry is the response, however often a po_number was cancelled.
          .sort({ is_cancelled: 1, accepted_at: -1, forecast_id: -1 })
          .lean(),
      );
      if (!found) return undefined;
      const shipment = found.shipment ? toShipment(found, found.shipment) : null;
      return { forecastNo: found.forecast_no, isCancelled: found.is_cancelled, shipment };
    },

    async findShipment(tenantId, forecastNo) {
      const found = await db.run(() => model.findOne({ _id: parcelId({ tenantId, forecastNo }) }, SHIPMENT_ONLY).lean());
      return found?.shipment && toShipment(found, found.shipment);
    },

    async findByNumber(trackingNumber, limit) {
      const found = await db.run(() =>
        model
          .find({ 'shipment.tracking_number': { $eq: trackingNumber }, 'shipment.next_poll_at': { $gt: 0 } }, SHIPMENT_ONLY)
          .sort({ 'shipment.watched_since': -1 })
          .limit(limit)
          .lean(),
      );
      return found.flatMap((parcel) => (parcel.shipment ? [toShipment(parcel, parcel.shipment)] : []));
    },

    async history(shipment) {
      const found = await db.run(() => model.findOne({ _id: parcelId(shipment), 'shipment.watch': shipment.watch }, { nodes: 1 }).lean());
      return (found?.nodes ?? []).map(toNode).reverse();
    },
  };
}
