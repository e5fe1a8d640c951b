import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { CommittedMessages } from '@parcelway/sqlite/testing/committed-messages';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore } from '@parcelway/store/shared/usage-days';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { createSqliteTenantData } from '../erasure/adapters/sqlite-tenant-data.ts';
import { describeForecastTenantData, noFiles } from '../erasure/adapters/tenant-data.conformance.ts';
import { createImportStops, createImportStore } from '../imports/import-store.ts';
import { SqliteForecastExpiry } from '../retention/adapters/sqlite-forecast-expiry.ts';
import { createTenantRetentions } from '../retention/adapters/tenant-retention-store.ts';
import { describeForecastExpiry } from '../retention/forecast-expiry.conformance.ts';
import { SqliteForecastStore } from '../store/adapters/sqlite-forecast-store.ts';
import { createWarehouseStore } from '../store/adapters/warehouse-store.ts';
import type { Progress } from '../store/domain/forecast.ts';
import type { Walk } from '../store/domain/list-plan.ts';
import { contentTerms, numberTerm } from '../store/domain/search-terms.ts';
import { describeForecastStore } from '../store/forecast-store.conformance.ts';
import type { ListQuery } from '../store/ports.ts';
import { describeWarehouseStore } from '../store/warehouse-store.conformance.ts';
import { contentOf } from '../testing/samples.ts';
import { actionsOn, shownIdOf } from '../testing/store-under-test.ts';
import { forecastMigrations } from './sqlite-schema.ts';

const plans = new QueryPlans(
  [
    '../store/adapters/sqlite-forecast-store.ts',
    '../store/adapters/sqlite-forecast-changes.ts',
    '../store/adapters/sqlite-forecast-rows.ts',
    '../store/adapters/sqlite-forecast-terms.ts',
    '../store/adapters/sqlite-list-statement.ts',
    '../store/adapters/sqlite-tracking-claims.ts',
    '../retention/adapters/sqlite-forecast-expiry.ts',
    '../erasure/adapters/sqlite-tenant-data.ts',
  ].map((file) => new URL(file, import.meta.url)),
  {
    'FROM forecast_terms AS found CROSS JOIN forecasts ON': 'each term has its forecast: both are written and deleted in one transaction',
    'SELECT count(*) AS count FROM (SELECT 1 FROM forecasts INDEXED BY forecasts_status': 'counts no further than its limit',
    'INDEXED BY forecasts_po_number WHERE tenant_id = ? AND ':
      'sorts the forecasts of one po_number: the live one and those cancelled before',
  },
  ['work_leases', 'warehouses'],
);

function openStores() {
  const db = plans.open();
  db.migrate(forecastMigrations);
  const outbox = new CommittedMessages(db);
  const kept = createSqliteStore({ db });
  const waiting = () => outbox.lease(1000);
  return {
    db,
    store: new SqliteForecastStore(db, outbox, shownIdOf),
    expiry: new SqliteForecastExpiry(db, outbox),
    retentions: createTenantRetentions(kept),
    imports: createImportStore(kept),
    importStops: createImportStops(kept),
    idempotency: createIdempotencyStore(kept),
    usage: createUsageStore(kept),
    data: createSqliteTenantData(db, noFiles),
    outbox: async () => (await waiting()).map(({ value }) => value),
    published: async () => (await waiting()).map(({ value }) => value),
    publish: async () => outbox.remove((await waiting()).map(({ id }) => id)),
    dump: async () => dumpOf(db),
    close: async () => db.close(),
  };
}

describeForecastStore('SQLite', async () => openStores());
describeWarehouseStore('SQLite', async () => {
  const { db, close } = openStores();
  return { store: createWarehouseStore(createSqliteStore({ db })), close };
});
describeForecastExpiry('SQLite', async () => openStores());
describeForecastTenantData('SQLite', async () => openStores());

function everyQuery(): ListQuery[] {
  const ranges = [{}, { from: 1 }, { to: 9 }, { from: 1, to: 9 }];
  const ranged = (
    [
      { by: 'all' },
      { by: 'change' },
      { by: 'status', status: 1 },
      { by: 'po_number', poNumber: 'PO-1' },
      { by: 'term', term: 'sA' },
    ] as const
  ).flatMap((walk) => ranges.map((range): Walk => ({ ...walk, ...range })));
  const prefixed = ['PO', '\u{10ffff}'].map((prefix): Walk => ({ by: 'po_prefix', prefix }));
  const walks = [...ranged, ...prefixed];
  const afters = [undefined, { at: 5, forecastId: 1, poNumber: 'PO-1' }];
  const queries = walks.flatMap((walk) => afters.map((after) => ({ walk, after, terms: [], limit: 10 })));
  const byNo: ListQuery = { walk: { by: 'forecast_no', forecastNo: 'F1' }, terms: [], limit: 10 };
  return [...queries, byNo].flatMap((query) => [query, { ...query, terms: ['nLP1'] }]);
}

test('no statement reads more rows than it returns', async () => {
  const { store, close } = openStores();
  for (const query of everyQuery()) {
    expect(await store.list('tnt_a', query)).toEqual([]);
    expect(await store.report('tnt_a', query)).toEqual([]);
  }
  await close();
  expect(plans.findings()).toEqual([]);
});

test('every index begins with the tenant', () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate(forecastMigrations);
  const indexes = db.all<{ name: string }>(
    "SELECT i.name FROM sqlite_master AS t, pragma_index_list(t.name) AS i WHERE t.type = 'table' AND t.name NOT IN ('schema_versions', 'idempotency_keys', 'usage_days', 'warehouses', 'erased_tenants', 'work_leases', 'import_stops', 'scanned_numbers') AND i.name NOT LIKE '%\\_\\_%' ESCAPE '\\'",
  );
  expect(indexes).not.toHaveLength(0);
  for (const { name } of indexes) {
    expect(db.get('SELECT name FROM pragma_index_info(?) WHERE seqno = 0', name)).toEqual({ name: 'tenant_id' });
  }
  db.close();
});

test('nothing of an expired forecast stays', async () => {
  const { db, store, expiry, close } = openStores();
  const { insert, change } = actionsOn(() => store);
  const content = contentOf('A1');
  await insert({ no: 'A1', claims: ['LP1'], content: JSON.stringify(content), terms: contentTerms(content) });
  const dispatch = { carrierCode: 'acme', trackingNumber: 'C1', dispatchedAt: 'at', dispatchedAtMs: 1 };
  const terms = { added: [numberTerm('C1')], removed: [] };
  const progress = (before: Progress) => ({ ...before, dispatch });
  await change('A1', { status: 6, updatedAt: 5, receivedItems: [{ skuCode: 'S', quantity: 1 }], progress, terms }, 'we-1 WH1');
  const ended = await expiry.ended('tnt_a', 6, undefined, 1);
  await expiry.expire(
    'tnt_a',
    ended.map((forecast) => ({ forecast, message: { topic: 't', key: 'k', value: 'v' } })),
  );
  for (const table of [
    'forecasts',
    'forecast_contents',
    'forecast_received_items',
    'tracking_claims',
    'forecast_terms',
    'applied_events',
  ]) {
    expect({ table, ...db.get<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`) }).toEqual({ table, rows: 0 });
  }
  await close();
});
