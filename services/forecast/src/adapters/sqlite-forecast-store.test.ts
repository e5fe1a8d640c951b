import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import type { Walk } from '../domain/list-plan.ts';
import { describeForecastStore } from '../forecast-store.conformance.ts';
import type { ListQuery } from '../ports.ts';
import { shownIdOf } from '../testing/store-under-test.ts';
import { SqliteForecastStore } from './sqlite-forecast-store.ts';
import { forecastMigrations } from './sqlite-schema.ts';

function openOver(db: SqliteDatabase) {
  db.migrate(forecastMigrations);
  const outbox = new SqliteOutbox(db);
  return { outbox, store: new SqliteForecastStore(db, outbox, shownIdOf) };
}

const plans = new QueryPlans(
  [
    'sqlite-forecast-store.ts',
    'sqlite-forecast-changes.ts',
    'sqlite-forecast-rows.ts',
    'sqlite-forecast-terms.ts',
    'sqlite-list-statement.ts',
    'sqlite-tracking-claims.ts',
  ].map((file) => new URL(file, import.meta.url)),
  {
    'FROM forecast_terms AS found CROSS JOIN forecasts ON': 'each term has its forecast: both are written and deleted in one transaction',
    'SELECT count(*) AS count FROM (SELECT 1 FROM forecasts INDEXED BY forecasts_status': 'counts no further than its limit',
    'INDEXED BY forecasts_po_number WHERE tenant_id = ? AND ':
      'sorts the forecasts of one po_number: the live one and those cancelled before',
  },
  [
    'idempotency_keys',
    'usage_days',
    'warehouses',
    'tenant_retentions',
    'expired_files',
    'work_places',
    'imports',
    'import_rows',
    'import_stops',
  ],
);

describeForecastStore('SQLite', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'forecast-store-'));
  const db = plans.open(join(directory, 'forecast.db'));
  const { outbox, store } = openOver(db);
  return {
    store,
    outbox: async () => (await outbox.lease(1000)).map(({ value }) => value),
    async close() {
      db.close();
      rmSync(directory, { recursive: true });
    },
  };
});

/** Every walk, with every choice of its bounds. */
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
  const db = plans.open();
  const { store } = openOver(db);
  for (const query of everyQuery()) {
    expect(await store.list('tnt_a', query)).toEqual([]);
    expect(await store.report('tnt_a', query)).toEqual([]);
  }
  db.close();
  expect(plans.findings()).toEqual([]);
});

test('every index begins with the tenant', () => {
  const db = new SqliteDatabase(':memory:');
  openOver(db);
  const indexes = db.all<{ name: string }>(
    "SELECT i.name FROM sqlite_master AS t, pragma_index_list(t.name) AS i WHERE t.type = 'table' AND t.name NOT IN ('outbox', 'idempotency_keys', 'usage_days', 'warehouses', 'erased_tenants', 'work_places', 'import_stops', 'scanned_numbers')",
  );
  expect(indexes).toHaveLength(18);
  for (const { name } of indexes) {
    expect(db.get('SELECT name FROM pragma_index_info(?) WHERE seqno = 0', name)).toEqual({ name: 'tenant_id' });
  }
  db.close();
});
