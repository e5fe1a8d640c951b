import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { intakeMigrations } from '../../adapters/sqlite-migrations.ts';
import { reportMigration } from '../../matching/adapters/sqlite-report-schema.ts';
import { storedText } from '../../matching/domain/event.ts';
import { intakeEvent, NOW } from '../../testing/samples.ts';
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

test('a file of before shows the reports that were applied then', async () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate(intakeMigrations.slice(0, intakeMigrations.indexOf(reportMigration)));
  const details = [
    { type: 'arrival' },
    { type: 'arrival', receivedItems: [{ skuCode: 'MUG', quantity: 2 }] },
    { type: 'weighing', lengthCm: 1, widthCm: 1, heightCm: 1, weightKg: 1, photos: [] },
    { type: 'exception', reason: 'damaged', text: null, photos: [] },
    { type: 'hold', reason: null },
    { type: 'release' },
  ] as const;
  await db.transaction(() => {
    for (const event of details.map((detail) => intakeEvent({ forecastNo: 'FC1', detail }))) {
      db.run(
        `INSERT INTO events (warehouse_code, event_id, forecast_no, occurred_at, received_at, event, published_to)
         VALUES ('WH1', ?, 'FC1', 1, 1, ?, 'FC1')`,
        event.eventId,
        storedText(event),
      );
    }
  });
  const store = openSqliteIntake(db, new ManualClock(NOW));
  await store.check();
  const reports = new SqliteReports(db);
  const kinds = ['count', 'measurement', 'photo', 'exception', 'hold', 'release'] as const;
  const found = await Promise.all(kinds.map((kind) => reports.latest({ warehouseCode: 'WH1', forecastNo: 'FC1', kind, limit: 10 })));
  expect(found.map((events) => events.map(({ detail }) => detail))).toEqual([
    [details[1]],
    [details[2]],
    [],
    [details[3]],
    [details[4]],
    [details[5]],
  ]);
  db.close();
});
