import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { mongoKind, withoutOutbox } from '@parcelway/mongo/mongo-tenant-data';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKind } from '@parcelway/store/shared/idempotency-keys';
import { connectionKind } from '../../accounts/adapters/connection-store.ts';
import { parcels, simulatedParcels } from '../../watch/adapters/mongo-schema.ts';
import { shipmentRecord } from './shipment-record.ts';

type Document = Readonly<Record<string, unknown>>;

/** Ids of parcels begin with their tenant. */
const owned = { separator: '/' } as const;

function forecastOf({ forecast_no, po_number, forecast_id, accepted_at, is_cancelled, further_numbers = [] }: Document): Document {
  return { forecast_no, po_number, forecast_id, accepted_at, is_cancelled, further_numbers };
}

/** What the service stores about tenants, in MongoDB. @param db migrated with the collections of the service; `sealer` opens details of shipments */
export function createMongoTenantData(db: MongoDatabase, sealer: TextSealer): TenantData {
  const store = createMongoStore(db);
  return {
    kinds: [
      connectionKind(store),
      mongoKind(db, parcels, {
        name: 'forecasts',
        owned,
        only: { is_further: { $ne: true } },
        record: forecastOf,
        isCopy: true,
      }),
      mongoKind(db, parcels, {
        name: 'shipments',
        owned,
        only: { shipment: { $exists: true } },
        record(document) {
          const { forecast_no, po_number, shipment, nodes = [] } = withoutOutbox(document);
          const { lease_until: _until, lease_by: _by, sequence: _sequence, ...fields } = shipment as Document;
          return { forecast_no, po_number, ...shipmentRecord(sealer, fields), nodes };
        },
        isCopy: true,
      }),
      // Forecasts with and without a shipment.
      mongoKind(db, parcels, { name: 'parcels', owned, record: null }),
      mongoKind(db, simulatedParcels, {
        name: 'simulated_parcels',
        owned,
        record: ({ tracking_number, nodes = [] }) => ({ tracking_number, nodes }),
      }),
      idempotencyKind(store),
    ],
    erased: createErasedTenants(store),
  };
}
