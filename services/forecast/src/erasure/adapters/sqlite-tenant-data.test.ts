import { expect, test } from '@jest/globals';
import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { SqliteUsage } from '@parcelway/sqlite/usage';
import { SqliteForecastStore } from '../../adapters/sqlite-forecast-store.ts';
import { forecastMigrations } from '../../adapters/sqlite-schema.ts';
import { SqliteImportStops } from '../../imports/adapters/sqlite-import-stops.ts';
import { SqliteImportStore } from '../../imports/adapters/sqlite-import-store.ts';
import { SqliteForecastExpiry } from '../../retention/adapters/sqlite-forecast-expiry.ts';
import { SqliteTenantRetentions } from '../../retention/adapters/sqlite-tenant-retentions.ts';
import { shownIdOf } from '../../testing/store-under-test.ts';
import { createSqliteTenantData } from './sqlite-tenant-data.ts';
import { describeForecastTenantData, noFiles } from './tenant-data.conformance.ts';

const plans = new QueryPlans([new URL('sqlite-tenant-data.ts', import.meta.url)], {}, [
  'applied_events',
  'forecast_received_items',
  'scanned_numbers',
  'warehouses',
  'work_places',
]);

describeForecastTenantData('SQLite', async () => {
  const db = plans.open();
  db.migrate(forecastMigrations);
  const outbox = new SqliteOutbox(db);
  return {
    store: new SqliteForecastStore(db, outbox, shownIdOf),
    retentions: new SqliteTenantRetentions(db),
    expiry: new SqliteForecastExpiry(db, outbox),
    idempotency: new SqliteIdempotencyStore(db),
    imports: new SqliteImportStore(db),
    importStops: new SqliteImportStops(db),
    usage: new SqliteUsage(db),
    data: createSqliteTenantData(db, noFiles),
    dump: async () => dumpOf(db),
    close: async () => db.close(),
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
