import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { MongoCollection } from '@parcelway/mongo/mongo-collection';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { withoutOutbox } from '@parcelway/mongo/mongo-tenant-data';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { idempotencyKind } from '@parcelway/store/shared/idempotency-keys';
import { usageKind } from '@parcelway/store/shared/usage-days';
import type { mongo } from 'mongoose';
import { auditEntries, failedCalls } from '../activity/adapters/mongo-activity-schema.ts';
import { type KeyDocument, keys, type TenantDocument, tenants } from './mongo-schema.ts';

/** Keys, or entries of a log, that one step reads or deletes. */
const KEYS_AT_ONCE = 100;

const SHOWN = {
  prefix: 1,
  scopes: 1,
  rate_limit: 1,
  description: 1,
  created_at: 1,
  expires_at: 1,
  revoked_at: 1,
  last_used_at: 1,
  allowed_addresses: 1,
  created_by: 1,
  rotated_from: 1,
  rotated_to: 1,
};

function keysKind(db: MongoDatabase): TenantDataKind {
  const stored = db.model(keys).collection as unknown as mongo.Collection<KeyDocument>;
  return {
    name: 'keys',
    list: (tenantId, after) =>
      db.run(async () => {
        const [createdAt, keyId] = after === null ? [-1, ''] : (JSON.parse(after) as [number, string]);
        const behind = { $or: [{ created_at: { $gt: createdAt } }, { created_at: createdAt, _id: { $gt: keyId } }] };
        const found = await stored
          .find({ tenant_id: tenantId, ...behind }, { projection: SHOWN })
          .sort({ created_at: 1, _id: 1 })
          .limit(KEYS_AT_ONCE)
          .toArray();
        return found.map(({ _id, ...rest }) => ({
          cursor: JSON.stringify([rest.created_at, _id]),
          record: { key_id: _id, ...rest },
        }));
      }),
    erase: (tenantId) =>
      db.run(async () => {
        const found = await stored.find({ tenant_id: tenantId }, { projection: { _id: 1 }, limit: KEYS_AT_ONCE }).toArray();
        if (found.length === 0) return 0;
        return (await stored.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } })).deletedCount;
      }),
  };
}

/** A person of the operator is no data of the tenant. */
const unnamed = (entry: object): object => ((entry as { actor_type?: string }).actor_type === 'operator' ? { actor_id: null } : {});

/** One of the logs of what tenants do. */
function logKind(
  db: MongoDatabase,
  name: string,
  collection: MongoCollection<{ readonly _id: string; readonly at: number }>,
): TenantDataKind {
  const stored = db.model(collection).collection as unknown as mongo.Collection<{ _id: string; tenant_id: string; at: number }>;
  return {
    name,
    list: (tenantId, after) =>
      db.run(async () => {
        const [at, id] = after === null ? [-1, ''] : (JSON.parse(after) as [number, string]);
        const found = await stored
          .find(
            { tenant_id: tenantId, at: { $gte: at }, $or: [{ at: { $gt: at } }, { at, _id: { $gt: id } }] },
            { projection: { tenant_id: 0 } },
          )
          .sort({ at: 1, _id: 1 })
          .limit(KEYS_AT_ONCE)
          .toArray();
        return found.map(({ _id, ...rest }) => ({
          cursor: JSON.stringify([rest.at, _id]),
          record: { id: _id, ...rest, ...unnamed(rest) },
        }));
      }),
    erase: (tenantId) =>
      db.run(async () => {
        const found = await stored.find({ tenant_id: tenantId }, { projection: { _id: 1 }, limit: KEYS_AT_ONCE }).toArray();
        if (found.length === 0) return 0;
        return (await stored.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } })).deletedCount;
      }),
  };
}

/** An account as exports show it: without what serves the publication of its events. */
export function accountRecord(account: TenantDocument): Readonly<Record<string, unknown>> {
  return { id: account._id, ...withoutOutbox({ ...account }) };
}

/** What the gateway stores about tenants, in MongoDB. Of keys no hash. The account comes last: it leads to the rest. */
export function createMongoTenantData(db: MongoDatabase): readonly TenantDataKind[] {
  const accounts = db.model(tenants).collection as unknown as mongo.Collection<TenantDocument>;
  return [
    keysKind(db),
    idempotencyKind(createMongoStore(db)),
    logKind(db, 'audit_log', auditEntries),
    logKind(db, 'failed_calls', failedCalls),
    usageKind(createMongoStore(db)),
    {
      name: 'account',
      list: (tenantId, after) =>
        db.run(async () => {
          const found = after === null ? await accounts.findOne({ _id: tenantId }) : null;
          if (found === null) return [];
          return [{ cursor: tenantId, record: accountRecord(found) }];
        }),
      erase: (tenantId) => db.run(async () => (await accounts.deleteOne({ _id: tenantId })).deletedCount),
    },
  ];
}
