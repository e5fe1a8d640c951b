import { expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { SqliteForecastStore } from '../../adapters/sqlite-forecast-store.ts';
import { forecastMigrations } from '../../adapters/sqlite-schema.ts';
import type { Progress } from '../../domain/forecast.ts';
import { contentTerms, numberTerm } from '../../domain/search-terms.ts';
import { contentOf } from '../../testing/samples.ts';
import { actionsOn, shownIdOf } from '../../testing/store-under-test.ts';
import { describeForecastExpiry, type OpenExpiry } from '../forecast-expiry.conformance.ts';
import { SqliteForecastExpiry } from './sqlite-forecast-expiry.ts';
import { SqliteTenantRetentions } from './sqlite-tenant-retentions.ts';

const plans = new QueryPlans(
  ['sqlite-forecast-expiry.ts', 'sqlite-tenant-retentions.ts'].map((file) => new URL(file, import.meta.url)),
  {},
  [
    'idempotency_keys',
    'usage_days',
    'warehouses',
    'forecast_received_items',
    'work_places',
    'imports',
    'import_rows',
    'import_stops',
    'scanned_numbers',
  ],
);

function openOver(db: SqliteDatabase): OpenExpiry {
  db.migrate(forecastMigrations);
  const outbox = new SqliteOutbox(db, systemClock);
  const waiting = () => outbox.lease(1000);
  return {
    store: new SqliteForecastStore(db, outbox, shownIdOf),
    expiry: new SqliteForecastExpiry(db, outbox),
    retentions: new SqliteTenantRetentions(db),
    published: async () => (await waiting()).map(({ value }) => value),
    publish: async () => outbox.remove((await waiting()).map(({ id }) => id)),
    async close() {
      await outbox.flush();
      db.close();
    },
  };
}

describeForecastExpiry('SQLite', async () => openOver(plans.open()));

test('nothing of an expired forecast stays', async () => {
  const db = new SqliteDatabase(':memory:');
  const { store, expiry, close } = openOver(db);
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

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
