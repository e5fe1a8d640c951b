import { expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { describeErasures } from './erasures.conformance.ts';
import { createSqliteStores } from './sqlite-stores.ts';

const plans = new QueryPlans(
  ['sqlite-erasures.ts', 'sqlite-tenant-data.ts'].map((file) => new URL(file, import.meta.url)),
  { 'INDEXED BY erasures_unfinished': 'passes over erasures that other processes carry out: few' },
  ['operators', 'warehouses', 'outbox'],
);

describeErasures('SQLite', async () => {
  const db = plans.open();
  return { stores: createSqliteStores(db, systemClock), dump: async () => dumpOf(db), close: async () => db.close() };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
