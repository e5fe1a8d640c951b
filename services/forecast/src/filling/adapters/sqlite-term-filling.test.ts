import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { SqliteWorkLease } from '@parcelway/sqlite/work-lease';
import { SqliteForecastStore } from '../../adapters/sqlite-forecast-store.ts';
import { forecastMigrations } from '../../adapters/sqlite-schema.ts';
import { shownIdOf } from '../../testing/store-under-test.ts';
import { FILLING } from '../domain/filling.ts';
import { describeTermFilling } from '../term-filling.conformance.ts';
import { SqliteTermFilling } from './sqlite-term-filling.ts';

const others = [
  'scanned_numbers',
  'warehouses',
  'tracking_claims',
  'applied_events',
  'outbox',
  'idempotency_keys',
  'usage_days',
  'tenant_retentions',
  'expired_files',
  'forecast_received_items',
  'imports',
  'import_rows',
  'import_stops',
];
const plans = new QueryPlans(
  [new URL('sqlite-term-filling.ts', import.meta.url)],
  {
    'FROM forecast_terms AS found CROSS JOIN forecasts ON': 'each term has its forecast: both are written and deleted in one transaction',
  },
  others,
);

describeTermFilling('SQLite', async () => {
  const db = plans.open();
  db.migrate(forecastMigrations);
  // As in a file that was not empty when it got the tables.
  await db.transaction(() => db.run('DELETE FROM work_places WHERE name = ?', FILLING));
  return {
    store: new SqliteForecastStore(db, new SqliteOutbox(db), shownIdOf),
    filling: new SqliteTermFilling(db),
    lease: new SqliteWorkLease(db, FILLING),
    close: async () => db.close(),
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});

test.each([
  ['a new file has nothing to fill', 0, true],
  ['a file with forecasts of a former release has', 1, false],
])('%s', async (_name, forecasts, isComplete) => {
  const db = new SqliteDatabase(':memory:');
  db.migrate(
    forecastMigrations.slice(
      0,
      forecastMigrations.findIndex((sql) => sql.includes('CREATE TABLE forecast_terms')),
    ),
  );
  for (let index = 0; index < forecasts; index += 1) {
    await db.transaction(() =>
      db.run(`INSERT INTO forecasts (tenant_id, forecast_no, po_number, slot, forecast_type, warehouse_code, item_count, status, content_hash,
        created_at, updated_at, progress) VALUES ('tnt_a', 'F1', 'PO-1', 0, 2, 'WH1', 1, 1, 'hash', 1, 1, '{}')`),
    );
  }
  db.migrate(forecastMigrations);
  expect(await new SqliteTermFilling(db).areComplete()).toBe(isComplete);
  db.close();
});
