import { expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { describeGatewayStores, type GatewayStoresDriver } from './gateway-stores.conformance.ts';
import { describeLists } from './lists.conformance.ts';
import { describeOperators } from './operators.conformance.ts';
import { createSqliteStores } from './sqlite-stores.ts';
import { describeTenantRetentions } from './tenant-retentions.conformance.ts';
import { describeTenants } from './tenants.conformance.ts';

const plans = new QueryPlans(
  [
    './sqlite-keys.ts',
    './sqlite-operators.ts',
    './sqlite-stores.ts',
    './sqlite-tenant-retentions.ts',
    './sqlite-tenants.ts',
    './sqlite-warehouses.ts',
  ].map((file) => new URL(file, import.meta.url)),
  {},
  ['idempotency_keys', 'usage_days', 'audit_entries', 'failed_calls', 'erasures'],
);

async function open(): Promise<GatewayStoresDriver> {
  const db = plans.open();
  const stores = createSqliteStores(db, systemClock);
  return {
    stores,
    published: () => stores.outbox.lease(100),
    async close() {
      db.close();
    },
  };
}

describeGatewayStores('SQLite', open);
describeLists('SQLite', open);
describeTenantRetentions('SQLite', open);
describeOperators('SQLite', open);
describeTenants('SQLite', open);

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
