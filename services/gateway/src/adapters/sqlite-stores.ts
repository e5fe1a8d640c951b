import type { Clock } from '@parcelway/kernel/clock';
import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import type { OutboxSource } from '@parcelway/platform/outbox';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { createIdempotencyStore, idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore, usageDays } from '@parcelway/store/shared/usage-days';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { activitySchema, SqliteAudit, SqliteFailedCalls } from '../activity/adapters/sqlite-activity.ts';
import type { ActivityStores } from '../activity/ports.ts';
import type { GatewayStores } from '../operators/ports.ts';
import { erasuresSchema, SqliteErasures } from './sqlite-erasures.ts';
import { SqliteKeys } from './sqlite-keys.ts';
import { SqliteOperators } from './sqlite-operators.ts';
import { createSqliteTenantData } from './sqlite-tenant-data.ts';
import { SqliteTenantRetentions } from './sqlite-tenant-retentions.ts';
import { SqliteTenants } from './sqlite-tenants.ts';
import { SqliteWarehouses } from './sqlite-warehouses.ts';

/** Lists run in the order of an index, whatever they are filtered by. */
const holders = `CREATE TABLE tenants (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tenants_oldest ON tenants (created_at, id);
  CREATE INDEX tenants_by_name ON tenants (name);
  CREATE TABLE warehouses (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    closed_at INTEGER,
    version INTEGER NOT NULL
  ) STRICT`;

/** Append-only from the first release on. */
const MIGRATIONS: readonly string[] = [
  holders,
  SqliteKeys.schema,
  SqliteOperators.schema,
  SqliteTenantRetentions.schema,
  erasuresSchema,
  activitySchema,
  SqliteOutbox.schema,
  sqliteSchema([idempotencyKeys, usageDays]),
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
    activity: { audit: new SqliteAudit(db), failedCalls: new SqliteFailedCalls(db), usage: createUsageStore(createSqliteStore({ db })) },
    operators: new SqliteOperators(db),
    tenantData: createSqliteTenantData(db),
    outbox,
    idempotency: createIdempotencyStore(createSqliteStore({ db })),
    async check() {
      db.get('SELECT 1 FROM tenants LIMIT 1');
    },
  };
}
