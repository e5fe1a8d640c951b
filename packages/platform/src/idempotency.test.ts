import { expect, test } from '@jest/globals';
import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { describeIdempotencyStore } from './idempotency.conformance.ts';

const plans = new QueryPlans([new URL('../../sqlite/src/idempotency.ts', import.meta.url)]);

describeIdempotencyStore('SQLite', async () => {
  const db = plans.open();
  db.migrate([SqliteIdempotencyStore.schema]);
  return {
    store: new SqliteIdempotencyStore(db),
    async close() {
      db.close();
    },
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
