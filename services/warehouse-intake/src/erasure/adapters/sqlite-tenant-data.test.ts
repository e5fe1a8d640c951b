import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { FILE_SECRET, NOW } from '../../testing/samples.ts';
import { openSqliteIntake } from '../../testing/sqlite-intake.ts';
import { SqliteView } from '../../view/adapters/sqlite-view.ts';
import { createSqliteTenantData } from './sqlite-tenant-data.ts';
import { describeIntakeTenantData } from './tenant-data.conformance.ts';

const plans = new QueryPlans(
  [new URL('sqlite-tenant-data.ts', import.meta.url)],
  {
    'FROM numbers n JOIN forecasts f USING (forecast_no)': 'a number always has its forecast: a foreign key',
  },
  ['resolutions', 'rejections', 'rejection_counts', 'stand_ins'],
);

describeIntakeTenantData('SQLite', async () => {
  const db = plans.open();
  const clock = new ManualClock(NOW);
  return {
    intake: openSqliteIntake(db, clock),
    view: new SqliteView(db, clock),
    keys: new SqliteIdempotencyStore(db),
    data: createSqliteTenantData(db, createTextSealer([FILE_SECRET])),
    dump: async () => dumpOf(db),
    close: async () => db.close(),
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
