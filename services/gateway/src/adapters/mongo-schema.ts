import type { OperatorRole } from '@parcelway/contracts/operator-api';
import type { Scope } from '@parcelway/contracts/scopes';
import { defineCollection, type MongoCollection } from '@parcelway/mongo/mongo-collection';
import { indexOutbox, type OutboxFields, outboxFields } from '@parcelway/mongo/mongo-outbox-fields';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import { idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { usageDays } from '@parcelway/store/shared/usage-days';
import { Schema } from 'mongoose';
import { auditEntries, failedCalls } from '../activity/adapters/mongo-activity-schema.ts';
import type { KeyRecord } from '../proxy/domain/key.ts';
import type { TenantRecord } from '../tenants/domain/records.ts';

/** A merchant as it lies in the database. Carries its events until they are published. */
export interface TenantDocument extends OutboxFields {
  /** `tnt_…`. */
  readonly _id: string;
  readonly name: string;
  readonly status: TenantRecord['status'];
  readonly created_at: number;
  /** Writes of its keys that take turns; missing before the first one. */
  readonly guarded_writes?: number;
  /** Missing until it is set. */
  readonly retention?: { readonly version: number; readonly forecast_days: number | null; readonly file_days: number | null };
}

/** A warehouse; `_id` is its code. Carries its events until they are published. */
export interface WarehouseDocument extends OutboxFields {
  readonly _id: string;
  readonly name: string;
  readonly created_at: number;
  /** Missing while it is open. */
  readonly closed_at?: number;
  readonly version: number;
}

/** A key; exactly one of `tenant_id` and `warehouse_code` is set. Carries the event of its revocation until that is published. */
export interface KeyDocument extends OutboxFields {
  /** `key_…`. */
  readonly _id: string;
  readonly prefix: string;
  readonly hash: string;
  readonly tenant_id: string | null;
  readonly warehouse_code: string | null;
  readonly scopes: readonly Scope[];
  readonly rate_limit: KeyRecord['rateLimit'];
  readonly description: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
  readonly allowed_addresses: readonly string[];
  readonly created_by: string | null;
  readonly rotated_from: string | null;
  readonly rotated_to: string | null;
  readonly version: number;
  /** Missing unless it is the key of a link. */
  readonly is_link?: true;
}

const text = { type: String, required: true };
const instant = { type: Number, required: true };

const tenantSchema = new Schema({
  _id: text,
  name: text,
  status: { type: String, enum: ['active', 'suspended'], required: true },
  created_at: instant,
  guarded_writes: Number,
  retention: {
    type: new Schema(
      { version: instant, forecast_days: { type: Number, default: null }, file_days: { type: Number, default: null } },
      { _id: false },
    ),
    default: undefined,
  },
  ...outboxFields,
});
tenantSchema.index({ created_at: 1, _id: 1 }, { name: 'by_age' });
tenantSchema.index({ name: 1 }, { name: 'by_name' });
indexOutbox(tenantSchema);

/** Merchants. */
export const tenants = defineCollection<TenantDocument>('tenants', tenantSchema, {
  sharding: { unsharded: 'one small document for each tenant, listed over all' },
});

const warehouseSchema = new Schema({ _id: text, name: text, created_at: instant, closed_at: Number, version: instant, ...outboxFields });
indexOutbox(warehouseSchema);

/** Warehouses. */
export const warehouses = defineCollection<WarehouseDocument>('warehouses', warehouseSchema, {
  sharding: { unsharded: 'one small document for each warehouse' },
});

const keySchema = new Schema({
  _id: text,
  prefix: text,
  hash: text,
  tenant_id: { type: String, default: null },
  warehouse_code: { type: String, default: null },
  scopes: { type: [String], required: true },
  rate_limit: { type: Schema.Types.Mixed, default: null },
  description: { type: String, default: '' },
  created_at: instant,
  expires_at: { type: Number, default: null },
  revoked_at: { type: Number, default: null },
  last_used_at: { type: Number, default: null },
  allowed_addresses: { type: [String], required: true },
  created_by: { type: String, default: null },
  rotated_from: { type: String, default: null },
  rotated_to: { type: String, default: null },
  version: instant,
  is_link: Boolean,
  ...outboxFields,
});
// Not by tenant: the tenant is found by the presented key.
keySchema.index({ hash: 1 }, { name: 'hash', unique: true });
keySchema.index({ tenant_id: 1, created_at: -1, _id: -1 }, { name: 'by_tenant' });
keySchema.index({ warehouse_code: 1, created_at: -1, _id: -1 }, { name: 'by_warehouse' });
// The operator's list of all keys.
keySchema.index({ created_at: -1, _id: -1 }, { name: 'by_age' });
// A tenant's keys that work, and how many it has created: a missing field is found as null, so those of links are apart.
keySchema.index({ tenant_id: 1, is_link: 1, revoked_at: 1, expires_at: 1 }, { name: 'working' });
keySchema.index({ tenant_id: 1, is_link: 1, created_at: -1 }, { name: 'created' });
// The platform's own work: what is dead for long is deleted.
keySchema.index({ revoked_at: 1 }, { name: 'revoked', partialFilterExpression: { revoked_at: { $type: 'number' } } });
keySchema.index({ expires_at: 1 }, { name: 'expiring', partialFilterExpression: { expires_at: { $type: 'number' } } });
keySchema.index({ expires_at: 1 }, { name: 'ending_links', partialFilterExpression: { is_link: true } });
indexOutbox(keySchema);

/** Keys. */
export const keys = defineCollection<KeyDocument>('keys', keySchema, {
  sharding: { unsharded: 'a key is found by its hash before its tenant is known' },
});

/** An erasure of a tenant; `_id` is the tenant. Instants are epoch milliseconds. */
export interface ErasureDocument {
  readonly _id: string;
  readonly started_at: number;
  readonly remembered_at: number | null;
  readonly finished_at: number | null;
  /** JSON: names of kinds have slashes. */
  readonly counts: string;
  readonly dead_letters_left: number;
  readonly failures: number;
  readonly failure: string | null;
  readonly lease_owner: string;
  readonly lease_until: number;
}

/** Erasures of tenants. */
export const erasures = defineCollection<ErasureDocument>(
  'erasures',
  new Schema({
    _id: text,
    started_at: instant,
    remembered_at: { type: Number, default: null },
    finished_at: { type: Number, default: null },
    counts: text,
    dead_letters_left: instant,
    failures: instant,
    failure: { type: String, default: null },
    lease_owner: { type: String, default: '' },
    lease_until: instant,
    // The platform's own work: what is not finished.
  }).index({ finished_at: 1, lease_until: 1 }, { name: 'unfinished' }),
  { sharding: { unsharded: 'one small document for each erased tenant' } },
);

/** An operator; `_id` is the name. Instants are epoch milliseconds. */
export interface OperatorDocument {
  readonly _id: string;
  readonly role: OperatorRole;
  readonly hash: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

/** Operators with tokens of their own. */
export const operators = defineCollection<OperatorDocument>(
  'operators',
  new Schema({
    _id: text,
    role: text,
    hash: text,
    created_at: instant,
    expires_at: { type: Number, default: null },
    last_used_at: { type: Number, default: null },
    revoked_at: { type: Number, default: null },
  }),
  { sharding: { unsharded: 'some dozens of small documents, read together' } },
);

/** All that the gateway keeps. */
export const gatewayCollections: readonly MongoCollection<unknown>[] = [
  tenants,
  warehouses,
  keys,
  erasures,
  operators,
  auditEntries,
  failedCalls,
  ...[idempotencyKeys, usageDays].map(mongoCollection),
];
