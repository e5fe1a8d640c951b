import { expect, test } from '@jest/globals';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { describeWarehouseStore } from '../warehouse-store.conformance.ts';
import { forecastMigrations } from './sqlite-schema.ts';
import { SqliteWarehouses } from './sqlite-warehouses.ts';

/** Tables of the same file that other stores write to. */
const others = [
  'work_places',
  'imports',
  'import_rows',
  'import_stops',
  'forecasts',
  'forecast_contents',
  'tracking_claims',
  'forecast_terms',
  'applied_events',
  'outbox',
  'idempotency_keys',
  'usage_days',
  'tenant_retentions',
  'expired_files',
  'forecast_received_items',
  'scanned_numbers',
];
const plans = new QueryPlans([new URL('./sqlite-warehouses.ts', import.meta.url)], {}, others);

describeWarehouseStore('SQLite', async () => {
  const db: SqliteDatabase = plans.open();
  db.migrate(forecastMigrations);
  return {
    store: new SqliteWarehouses(db),
    close: async () => db.close(),
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
