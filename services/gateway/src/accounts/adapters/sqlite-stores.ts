import type { Clock } from '@parcelway/kernel/clock';
import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import type { OutboxSource } from '@parcelway/platform/outbox';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { SqliteUsage } from '@parcelway/sqlite/usage';
import { activitySchema, auditSessions, SqliteAudit, SqliteFailedCalls } from '../../activity/adapters/sqlite-activity.ts';
import type { ActivityStores } from '../../activity/ports.ts';
import type { GatewayStores } from '../ports.ts';
import { erasureDeadLetters, erasureFailures, erasuresSchema, SqliteErasures } from './sqlite-erasures.ts';
import { SqliteKeys } from './sqlite-keys.ts';
import { SqliteOperators } from './sqlite-operators.ts';
import { createSqliteTenantData } from './sqlite-tenant-data.ts';
import { SqliteTenantRetentions } from './sqlite-tenant-retentions.ts';
import { SqliteTenants } from './sqlite-tenants.ts';
import { SqliteWarehouses } from './sqlite-warehouses.ts';

/** Append-only: an entry that has shipped is never edited. */
const MIGRATIONS = [
  `CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE warehouses (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE keys (
    key_id TEXT PRIMARY KEY,
    prefix TEXT NOT NULL,
    hash TEXT NOT NULL UNIQUE,
    tenant_id TEXT REFERENCES tenants (id),
    warehouse_code TEXT REFERENCES warehouses (code),
    scopes TEXT NOT NULL,
    rate_limit TEXT,
    description TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER,
    last_used_at INTEGER,
    CHECK ((tenant_id IS NULL) <> (warehouse_code IS NULL))
  ) STRICT;
  CREATE INDEX keys_by_tenant ON keys (tenant_id, created_at);
  CREATE INDEX keys_by_warehouse ON keys (warehouse_code, created_at)`,
  SqliteOutbox.schema,
  // Lists run in the order of an index, whatever they are filtered by.
  `CREATE INDEX tenants_oldest ON tenants (created_at, id);
  DROP INDEX keys_by_tenant;
  DROP INDEX keys_by_warehouse;
  CREATE INDEX keys_by_tenant ON keys (tenant_id, created_at, key_id);
  CREATE INDEX keys_by_warehouse ON keys (warehouse_code, created_at, key_id);
  CREATE INDEX keys_newest ON keys (created_at, key_id)`,
  'CREATE INDEX tenants_by_name ON tenants (name)',
  SqliteIdempotencyStore.schema,
  // Version 0: no event of the warehouse has been published yet.
  `ALTER TABLE warehouses ADD COLUMN closed_at INTEGER;
  ALTER TABLE warehouses ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX warehouses_unannounced ON warehouses (code) WHERE version = 0`,
  erasuresSchema,
  SqliteTenantRetentions.schema,
  erasureFailures,
  erasureDeadLetters,
  SqliteKeys.selfServiceSchema,
  activitySchema,
  SqliteUsage.schema(),
  SqliteOperators.schema,
  SqliteKeys.linksSchema,
  auditSessions,
];

/** The gateway's stores with the outbox and the idempotency keys that belong to them. */
export interface StoresWithOutbox extends GatewayStores {
  readonly activity: ActivityStores;
  readonly idempotency: IdempotencyStore;
  readonly outbox: OutboxSource;
}

/** Brings the file up to date and opens the stores over it. */
export function createSqliteStores(db: SqliteDatabase, clock: Clock): StoresWithOutbox {
  db.migrate(MIGRATIONS);
  const outbox = new SqliteOutbox(db, clock);
  return {
    tenants: new SqliteTenants(db, outbox),
    retentions: new SqliteTenantRetentions(db, outbox),
    warehouses: new SqliteWarehouses(db, outbox),
    keys: new SqliteKeys(db, outbox),
    erasures: new SqliteErasures(db),
    activity: { audit: new SqliteAudit(db), failedCalls: new SqliteFailedCalls(db), usage: new SqliteUsage(db) },
    operators: new SqliteOperators(db),
    tenantData: createSqliteTenantData(db),
    outbox,
    idempotency: new SqliteIdempotencyStore(db),
    async check() {
      db.get('SELECT 1 FROM tenants LIMIT 1');
    },
  };
}
