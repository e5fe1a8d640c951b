import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { ShipmentReader } from '../ports.ts';
import { parcelId, SHIPMENT_ONLY, toNode, toShipment } from './mongo-documents.ts';
import { parcels } from './mongo-schema.ts';

/** Reads shipments and histories in MongoDB: one document each. */
export function createMongoShipmentReader(db: MongoDatabase): ShipmentReader {
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

    async history(shipment) {
      const found = await db.run(() => model.findOne({ _id: parcelId(shipment), 'shipment.watch': shipment.watch }, { nodes: 1 }).lean());
      return (found?.nodes ?? []).map(toNode).reverse();
    },
  };
}
