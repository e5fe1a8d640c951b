import { expect, test } from '@jest/globals';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { createCallLedgers } from '../../accounts/adapters/call-ledgers.ts';
import { createConnectionStore } from '../../accounts/adapters/connection-store.ts';
import { trackingMigrations } from '../../watch/adapters/sqlite-schema.ts';
import { createSqliteTrackingStore } from '../../watch/adapters/sqlite-tracking-store.ts';
import { createSqliteTenantData } from './sqlite-tenant-data.ts';
import { describeTrackingTenantData, sealer } from './tenant-data.conformance.ts';

const plans = new QueryPlans(
  [new URL('sqlite-tenant-data.ts', import.meta.url)],
  {
    'FROM nodes WHERE tenant_id = ?': 'the nodes of one parcel: MAX_NODES at most',
  },
  ['work_leases'],
);

describeTrackingTenantData('SQLite', async () => {
  const db = plans.open();
  db.migrate(trackingMigrations);
  const store = createSqliteStore({ db });
  return {
    store: createSqliteTrackingStore(db, new SqliteOutbox(db)),
    connections: createConnectionStore(store),
    ledgers: createCallLedgers(store),
    keys: createIdempotencyStore(store),
    data: createSqliteTenantData(db, sealer),
    dump: async () => dumpOf(db),
    close: async () => db.close(),
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
