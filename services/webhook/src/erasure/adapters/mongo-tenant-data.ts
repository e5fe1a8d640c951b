import type { TenantData, TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { mongoKind } from '@parcelway/mongo/mongo-tenant-data';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKind } from '@parcelway/store/shared/idempotency-keys';
import { deliveryDays, usageKind } from '@parcelway/store/shared/usage-days';
import { collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { type EndpointDocument, endpoints } from '../../endpoints/adapters/mongo-endpoint-documents.ts';
import { deliveries } from '../../intake/adapters/mongo-delivery-documents.ts';
import { events, sequences } from '../../intake/adapters/mongo-event-documents.ts';

type Document = Readonly<Record<string, unknown>>;

/** Ids of deliveries, events and sequences begin with their tenant. */
const owned = { separator: ' ' } as const;

/** Endpoints of a tenant: those in a place, by its index, and those that wait to be purged, which are few. */
const LIVE = { slot: { $exists: true } } as const;

function endpointRecord(document: EndpointDocument): Document {
  const {
    _id,
    tenant_id: _tenant,
    slot,
    secret: _secret,
    former_secret: _former,
    headers: _headers,
    filter,
    metadata,
    version: _version,
    sweep: _sweep,
    ...rest
  } = document;
  const parsed = (json: string | undefined): unknown => (json === undefined ? {} : JSON.parse(json));
  return { endpoint_id: _id, ...rest, filter: parsed(filter), metadata: parsed(metadata), is_deleted: slot === undefined };
}

function endpointKind(db: MongoDatabase): TenantDataKind {
  const stored = collectionOf(db, endpoints);
  const find = async (tenantId: string): Promise<EndpointDocument[]> => {
    const live = await stored.find({ tenant_id: tenantId, ...LIVE }).toArray();
    return [...live, ...(await stored.find({ sweep: 'purge', tenant_id: tenantId }).toArray())];
  };
  return {
    name: 'endpoints',
    // A tenant has ten at most, and those deleted a moment ago.
    list: (tenantId, after) =>
      db.run(async () =>
        (await find(tenantId))
          .sort((a, b) => (a._id < b._id ? -1 : 1))
          .filter(({ _id }) => after === null || _id > after)
          .map((one) => ({ cursor: one._id, record: endpointRecord(one) })),
      ),
    erase: (tenantId) =>
      db.run(async () => {
        const ids = (await find(tenantId)).map(({ _id }) => _id);
        return ids.length === 0 ? 0 : (await stored.deleteMany({ _id: { $in: ids } })).deletedCount;
      }),
  };
}

function deliveryRecord(document: Document): Document {
  const { _id, tenant_id, step, available_at, lease_owner, lease_call, attempts = [], ...rest } = document;
  return { ...rest, attempts };
}

function eventRecord(document: Document): Document {
  const { _id, tenant_id, parcel, planned, traceparent, fed_at, body, ...rest } = document;
  return { ...rest, body: JSON.parse(String(body)) as unknown };
}

/** `_id`s of sequences are a tenant, a forecast and perhaps a stream. */
function sequenceRecord({ _id, last }: Document): Document {
  const [, forecast_no, stream = 'standard'] = String(_id).split(' ');
  return { forecast_no, stream, last };
}

/** What the service stores about tenants, in MongoDB. Headers that merchants set may contain secrets, so they are not listed. */
export function createMongoTenantData(db: MongoDatabase): TenantData {
  return {
    kinds: [
      endpointKind(db),
      mongoKind(db, deliveries, { name: 'deliveries', owned, record: deliveryRecord }),
      mongoKind(db, events, { name: 'events', owned, record: eventRecord }),
      mongoKind(db, sequences, { name: 'sequences', owned, record: sequenceRecord }),
      idempotencyKind(createMongoStore(db)),
      usageKind(createMongoStore(db)),
      usageKind(createMongoStore(db), 'delivery_figures', deliveryDays),
    ],
    erased: createErasedTenants(createMongoStore(db)),
  };
}
