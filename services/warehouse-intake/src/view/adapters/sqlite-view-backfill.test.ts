import { expect, test } from '@jest/globals';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { intakeMigrations } from '../../adapters/sqlite-migrations.ts';
import { SqliteViewBackfill } from './sqlite-view-backfill.ts';
import { describeBackfillProgress } from './view-backfill.conformance.ts';

const plans = new QueryPlans([new URL('./sqlite-view-backfill.ts', import.meta.url)], {}, [
  'declared_numbers',
  'events',
  'seen_parcels',
  'forecasts',
  'numbers',
  'outbox',
  'stand_ins',
  'resolutions',
  'rejections',
  'rejection_counts',
  'idempotency_keys',
  'view_forecasts',
  'view_items',
  'view_keys',
  'view_stamp',
]);

describeBackfillProgress('sqlite', async () => {
  const db = plans.open();
  db.migrate(intakeMigrations);
  return {
    open: (clock) => new SqliteViewBackfill(db, clock, 2),
    async close() {
      db.close();
    },
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
