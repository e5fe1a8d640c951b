import { expect, test } from '@jest/globals';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { createSqliteCallLedgers } from '../../accounts/adapters/sqlite-call-ledgers.ts';
import { createSqliteConnections } from '../../accounts/adapters/sqlite-connections.ts';
import { trackingMigrations } from '../../watch/adapters/sqlite-schema.ts';
import { createSqliteTrackingStore } from '../../watch/adapters/sqlite-tracking-store.ts';
import { createSqliteTenantData } from './sqlite-tenant-data.ts';
import { describeTrackingTenantData, sealer } from './tenant-data.conformance.ts';

const plans = new QueryPlans(
  [new URL('sqlite-tenant-data.ts', import.meta.url)],
  {
    'FROM nodes WHERE tenant_id = ?': 'the nodes of one parcel: MAX_NODES at most',
    'INSERT INTO connections': 'counts the connections of one tenant: they are few',
  },
  ['work_leases'],
);

describeTrackingTenantData('SQLite', async () => {
  const db = plans.open();
  db.migrate(trackingMigrations);
  return {
    store: createSqliteTrackingStore(db, new SqliteOutbox(db)),
    connections: createSqliteConnections(db),
    ledgers: createSqliteCallLedgers(db),
    keys: createIdempotencyStore(createSqliteStore({ db })),
    data: createSqliteTenantData(db, sealer),
    dump: async () => dumpOf(db),
    close: async () => db.close(),
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
