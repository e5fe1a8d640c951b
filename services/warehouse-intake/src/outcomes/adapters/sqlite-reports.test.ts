import { expect, test } from '@jest/globals';
import type { ManualClock } from '@parcelway/kernel/clock';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { openSqliteIntake } from '../../testing/sqlite-intake.ts';
import { type AppliedReportsDriver, describeAppliedReports } from './applied-reports.conformance.ts';
import { describeLatestReports } from './latest-reports.conformance.ts';
import { SqliteClaimedNumbers } from './sqlite-claimed-numbers.ts';
import { SqliteReports } from './sqlite-reports.ts';

const plans = new QueryPlans(
  ['./sqlite-reports.ts', './sqlite-claimed-numbers.ts'].map((file) => new URL(file, import.meta.url)),
  {
    'FROM numbers n JOIN forecasts f USING (forecast_no)': 'a number always has its forecast: a foreign key',
    'SET events = (SELECT count(*) FROM events WHERE resolution = ?1': 'counts what a resolution has ended, once',
  },
  ['idempotency_keys', 'rejections', 'rejection_counts', 'view_forecasts', 'view_items', 'view_keys'],
);

const openDriver = async (clock: ManualClock): Promise<AppliedReportsDriver> => {
  const db = plans.open();
  return {
    store: openSqliteIntake(db, clock),
    reports: new SqliteReports(db),
    claimed: new SqliteClaimedNumbers(db),
    async close() {
      db.close();
    },
  };
};
describeAppliedReports('sqlite', openDriver);
describeLatestReports('sqlite', openDriver);

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
