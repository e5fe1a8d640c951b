import { expect, test } from '@jest/globals';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { describeActivityStores } from './activity-stores.conformance.ts';
import { activitySchema, SqliteAudit, SqliteFailedCalls } from './sqlite-activity.ts';

const plans = new QueryPlans([new URL('./sqlite-activity.ts', import.meta.url)]);

describeActivityStores('SQLite', async () => {
  const db = plans.open();
  db.migrate([activitySchema]);
  return { audit: new SqliteAudit(db), failedCalls: new SqliteFailedCalls(db), close: async () => db.close() };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
