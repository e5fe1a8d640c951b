import { expect, test } from '@jest/globals';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { forecastMigrations } from '../../adapters/sqlite-schema.ts';
import { describeImportStore } from '../import-store.conformance.ts';
import { SqliteImportStore } from './sqlite-import-store.ts';

const others = [
  'scanned_numbers',
  'applied_events',
  'erased_tenants',
  'expired_files',
  'forecast_contents',
  'forecast_received_items',
  'forecast_terms',
  'forecasts',
  'idempotency_keys',
  'import_stops',
  'usage_days',
  'outbox',
  'skipped_files',
  'tenant_retentions',
  'tracking_claims',
  'warehouses',
  'work_places',
];
const plans = new QueryPlans([new URL('sqlite-import-store.ts', import.meta.url)], {}, others);

describeImportStore('SQLite', async () => {
  const db = plans.open();
  db.migrate(forecastMigrations);
  return { store: new SqliteImportStore(db), close: async () => db.close() };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
