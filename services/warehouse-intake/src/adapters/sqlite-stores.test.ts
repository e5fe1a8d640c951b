import { expect, test } from '@jest/globals';
import { type Clock, ManualClock } from '@parcelway/kernel/clock';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { createSqliteTenantData } from '../erasure/adapters/sqlite-tenant-data.ts';
import { describeIntakeTenantData } from '../erasure/adapters/tenant-data.conformance.ts';
import { describeForecastView } from '../expected/adapters/forecast-view.conformance.ts';
import { SqliteView } from '../expected/adapters/sqlite-view.ts';
import { describeExpiredForecasts } from '../expired-forecasts.conformance.ts';
import { describeAppliedReports } from '../reports/adapters/applied-reports.conformance.ts';
import { describeEventOutcomes } from '../reports/adapters/event-outcomes.conformance.ts';
import { describeIntakeStore } from '../reports/adapters/intake-store.conformance.ts';
import { SqliteEventOutcomes } from '../reports/adapters/sqlite-event-outcomes.ts';
import { SqliteRejections } from '../reports/adapters/sqlite-rejections.ts';
import { SqliteReports } from '../reports/adapters/sqlite-reports.ts';
import { collectPublications } from '../testing/collect-publications.ts';
import { FILE_SECRET, NOW } from '../testing/samples.ts';
import { openSqliteIntake } from '../testing/sqlite-intake.ts';
import { SqliteExpiredForecasts } from './sqlite-expired-forecasts.ts';

const plans = new QueryPlans(
  [
    'sqlite-expired-forecasts.ts',
    '../erasure/adapters/sqlite-tenant-data.ts',
    '../reports/adapters/sqlite-intake-store.ts',
    '../expected/adapters/sqlite-directory.ts',
    '../expected/adapters/sqlite-number-counts.ts',
    '../reports/adapters/sqlite-settlement.ts',
    '../reports/adapters/sqlite-resolutions.ts',
    '../reports/adapters/sqlite-event-outcomes.ts',
    '../reports/adapters/sqlite-reports.ts',
    '../reports/adapters/sqlite-rejections.ts',
    '../expected/adapters/sqlite-view.ts',
  ].map((file) => new URL(file, import.meta.url)),
  {
    'FROM numbers n JOIN forecasts f USING (forecast_no)': 'a number always has its forecast: a foreign key',
    'FROM view_keys k CROSS JOIN view_forecasts f': 'a key always has its forecast: a foreign key',
    'CROSS JOIN view_forecasts ON view_forecasts.rowid IN': 'sorts a page of each status, and of each of at most 31 days',
    'SELECT count(*) AS count FROM (SELECT 1 FROM events': 'counts what waits, to a limit, at the pace of metrics',
    'AS wanted CROSS JOIN events': 'sorts the first of what waits for each reason',
    'SET events = (SELECT count(*) FROM events WHERE resolution = ?1': 'counts what a resolution has ended, once',
    'SET resolution = NULL WHERE resolution = ?': 'frees what is left of a resolution whose forecast is deleted',
  },
);

async function openStores(clock: Clock = new ManualClock(NOW)) {
  const db = plans.open();
  const store = openSqliteIntake(db, clock);
  return {
    db,
    store,
    intake: store,
    view: new SqliteView(db, clock),
    expired: new SqliteExpiredForecasts(db),
    keys: createIdempotencyStore(createSqliteStore({ db })),
    data: createSqliteTenantData(db, createTextSealer([FILE_SECRET])),
    outcomes: new SqliteEventOutcomes(db, clock),
    rejections: new SqliteRejections(db, 3),
    reports: new SqliteReports(db),
    claimed: new SqliteReports(db),
    published: collectPublications(store.outbox),
    dump: async () => dumpOf(db),
    close: async () => db.close(),
  };
}

describeIntakeStore('SQLite', openStores);
describeEventOutcomes('SQLite', openStores);
describeAppliedReports('SQLite', openStores);
describeForecastView('SQLite', async (clock) => {
  const { view, close } = await openStores(clock);
  return { store: view, close };
});
describeExpiredForecasts('SQLite', async (clock) => {
  const stores = await openStores(clock);
  return { ...stores, publish: stores.published };
});
describeIntakeTenantData('SQLite', () => openStores());

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
