import type { TextSealer } from '@parcelway/kernel/sealed-text';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { mongoKind, withoutOutbox } from '@parcelway/mongo/mongo-tenant-data';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKind } from '@parcelway/store/shared/idempotency-keys';
import type { mongo } from 'mongoose';
import { callLedgers, connections } from '../../accounts/adapters/mongo-schema.ts';
import { registrationsOf } from '../../accounts/domain/call-ledger.ts';
import { parcels, simulatedParcels } from '../../watch/adapters/mongo-schema.ts';
import { shipmentRecord } from './shipment-record.ts';

type Document = Readonly<Record<string, unknown>>;

/** Ids of parcels begin with their tenant. */
const owned = { separator: '/' } as const;

function forecastOf({ forecast_no, po_number, forecast_id, accepted_at, is_cancelled, further_numbers = [] }: Document): Document {
  return { forecast_no, po_number, forecast_id, accepted_at, is_cancelled, further_numbers };
}

function connectionOf({ _id, source, base_url, carriers, limits = null, created_at, updated_at }: Document): Document {
  return { connection_id: _id, source, base_url, carriers, limits, created_at, updated_at };
}

/** What the service stores about tenants, in MongoDB. @param db migrated with the collections of the service; `sealer` opens details of shipments */
export function createMongoTenantData(db: MongoDatabase, sealer: TextSealer): TenantData {
  const ledgers = db.model(callLedgers).collection as unknown as mongo.Collection<{ _id: string }>;
  return {
    kinds: [
      mongoKind(db, connections, {
        name: 'connections',
        owned: { owner: 'owner', order: 'slot' },
        record: connectionOf,
        async before(_tenantId, documents) {
          const ids = documents.flatMap(({ _id }) => [String(_id), registrationsOf(String(_id))]);
          await ledgers.deleteMany({ _id: { $in: ids } });
        },
      }),
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
      idempotencyKind(createMongoStore(db)),
    ],
    erased: createErasedTenants(createMongoStore(db)),
  };
}
