import { expect, test } from '@jest/globals';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { SqliteWorkLease } from '@parcelway/sqlite/work-lease';
import { describeWorkLease } from './work-lease.conformance.ts';

const plans = new QueryPlans([new URL('../../sqlite/src/work-lease.ts', import.meta.url)]);

describeWorkLease('SQLite', async () => {
  const db = plans.open();
  db.migrate([SqliteWorkLease.schema]);
  return { open: (name) => new SqliteWorkLease(db, name), close: async () => db.close() };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
