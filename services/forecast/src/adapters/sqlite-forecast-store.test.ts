import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { fullScansOf } from '@parcelway/sqlite/full-scans';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { describeForecastStore } from '../forecast-store.conformance.ts';
import { listStatement } from './sqlite-forecast-rows.ts';
import { SqliteForecastStore } from './sqlite-forecast-store.ts';
import { forecastMigrations } from './sqlite-schema.ts';

function openOver(path: string) {
  const db = new SqliteDatabase(path);
  db.migrate(forecastMigrations);
  const outbox = new SqliteOutbox(db);
  return { db, outbox, store: new SqliteForecastStore(db, outbox) };
}

const scans = new Set<string>();

describeForecastStore('SQLite', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'forecast-store-'));
  const { db, outbox, store } = openOver(join(directory, 'forecast.db'));
  return {
    store,
    outbox: async () => (await outbox.lease(1000)).map(({ value }) => value),
    async close() {
      for (const scan of fullScansOf(db)) scans.add(scan);
      db.close();
      rmSync(directory, { recursive: true });
    },
  };
});

test('none of the statements above goes through a whole table', () => {
  expect([...scans]).toEqual([]);
});

interface Plan {
  readonly detail: string;
}

test('every index begins with the tenant, and every list runs over one', () => {
  const { db } = openOver(':memory:');
  const indexes = db.all<{ name: string }>(
    "SELECT i.name FROM sqlite_master AS t, pragma_index_list(t.name) AS i WHERE t.type = 'table' AND t.name <> 'outbox'",
  );
  expect(indexes).toHaveLength(6);
  for (const { name } of indexes) {
    expect(db.get('SELECT name FROM pragma_index_info(?) WHERE seqno = 0', name)).toEqual({ name: 'tenant_id' });
  }
  const queries = [
    {},
    { status: 1 as const },
    { poNumber: 'x' },
    { createdFrom: 1, createdTo: 2 },
    { after: { createdAt: 1, forecastId: 1 } },
  ];
  for (const query of queries) {
    const { sql, values } = listStatement('tnt_a', { ...query, limit: 10 });
    const plan = db.all<Plan>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail);
    expect(plan[0]).toMatch(/^SEARCH forecasts USING INDEX .*tenant_id=\?/);
  }
  const plan = db.all<Plan>(`EXPLAIN QUERY PLAN ${listStatement('tnt_a', { status: 1, limit: 10 }).sql}`, 'tnt_a', 1, 10);
  expect(plan.map(({ detail }) => detail).join()).not.toMatch(/TEMP B-TREE/);
  db.close();
});
