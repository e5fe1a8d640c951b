import { expect, test } from '@jest/globals';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { collectPublications } from '../../testing/collect-publications.ts';
import { openSqliteIntake } from '../../testing/sqlite-intake.ts';
import { describeIntakeStore } from './intake-store.conformance.ts';

const plans = new QueryPlans(
  [
    './sqlite-intake-store.ts',
    './sqlite-directory.ts',
    './sqlite-intake-schema.ts',
    './sqlite-number-counts.ts',
    './sqlite-settlement.ts',
    './sqlite-resolutions.ts',
  ].map((file) => new URL(file, import.meta.url)),
  {
    'FROM numbers n JOIN forecasts f USING (forecast_no)': 'a number always has its forecast: a foreign key',
    'SELECT count(*) AS count FROM (SELECT 1 FROM events': 'counts what waits, to a limit, at the pace of metrics',
    'SET events = (SELECT count(*) FROM events WHERE resolution = ?1': 'counts what a resolution has ended, once',
    'SET resolution = NULL WHERE resolution = ?': 'frees what is left of a resolution whose forecast is deleted',
  },
  ['idempotency_keys', 'rejections', 'rejection_counts', 'view_forecasts', 'view_items', 'view_keys'],
);

describeIntakeStore('sqlite', async (clock) => {
  const db = plans.open();
  const store = openSqliteIntake(db, clock);
  return {
    store,
    published: collectPublications(store.outbox),
    async close() {
      db.close();
    },
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
