import { expect, test } from '@jest/globals';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { describeExpiredForecasts } from '../expired-forecasts.conformance.ts';
import { collectPublications } from '../testing/collect-publications.ts';
import { openSqliteIntake } from '../testing/sqlite-intake.ts';
import { SqliteView } from '../view/adapters/sqlite-view.ts';
import { SqliteExpiredForecasts } from './sqlite-expired-forecasts.ts';

const others = ['stand_ins', 'rejections', 'rejection_counts', 'idempotency_keys'];
const plans = new QueryPlans(
  [new URL('./sqlite-expired-forecasts.ts', import.meta.url)],
  {
    'FROM numbers n JOIN forecasts f USING (forecast_no)': 'a number always has its forecast: a foreign key',
    'CROSS JOIN view_forecasts ON view_forecasts.rowid IN': 'sorts a page of each status',
    'SET events = (SELECT count(*) FROM events WHERE resolution = ?1': 'counts what a resolution has ended, once',
  },
  others,
);

describeExpiredForecasts('sqlite', async (clock) => {
  const db = plans.open();
  const intake = openSqliteIntake(db, clock);
  return {
    intake,
    view: new SqliteView(db, clock),
    expired: new SqliteExpiredForecasts(db),
    publish: collectPublications(intake.outbox),
    // What was published lies in the outbox for some milliseconds more.
    dump: async () => dumpOf(db).replace(/^outbox .*$/m, ''),
    close: async () => db.close(),
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
