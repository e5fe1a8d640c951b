import { expect, test } from '@jest/globals';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { SqliteUsage, usageKind } from '@parcelway/sqlite/usage';
import { describeUsageStore } from './usage-store.conformance.ts';

const plans = new QueryPlans([new URL('../../../sqlite/src/usage.ts', import.meta.url)]);

describeUsageStore('SQLite', async () => {
  const db = plans.open();
  db.migrate([SqliteUsage.schema()]);
  return { store: new SqliteUsage(db), kind: usageKind(db), close: async () => db.close() };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
