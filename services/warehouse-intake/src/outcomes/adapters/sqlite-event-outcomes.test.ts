import { expect, test } from '@jest/globals';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { SqliteRejections } from '../../reports/adapters/sqlite-rejections.ts';
import { openSqliteIntake } from '../../testing/sqlite-intake.ts';
import { describeEventOutcomes } from './event-outcomes.conformance.ts';
import { SqliteEventOutcomes } from './sqlite-event-outcomes.ts';

const plans = new QueryPlans(
  ['./sqlite-event-outcomes.ts', '../../reports/adapters/sqlite-rejections.ts'].map((file) => new URL(file, import.meta.url)),
  {
    'FROM numbers n JOIN forecasts f USING (forecast_no)': 'a number always has its forecast: a foreign key',
    'AS wanted CROSS JOIN events': 'sorts the first of what waits for each reason',
    'SET events = (SELECT count(*) FROM events WHERE resolution = ?1': 'counts what a resolution has ended, once',
  },
  ['idempotency_keys', 'stand_ins', 'view_forecasts', 'view_items', 'view_keys'],
);

describeEventOutcomes('sqlite', async (clock) => {
  const db = plans.open();
  return {
    store: openSqliteIntake(db, clock),
    outcomes: new SqliteEventOutcomes(db, clock),
    rejections: new SqliteRejections(db, 3),
    async close() {
      db.close();
    },
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
