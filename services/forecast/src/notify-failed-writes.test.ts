import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { SqliteForecastStore } from './adapters/sqlite-forecast-store.ts';
import { forecastMigrations } from './adapters/sqlite-schema.ts';
import { createApplyFacts } from './apply-facts.ts';
import { ForecastWriter } from './forecast-writer.ts';
import { createSubmitForecast } from './submit-forecast.ts';

/* The relay hears of a write that failed: it may have happened all the same, and its messages wait then. */

const TENANT = 'tnt_a';
const refuse = () => Promise.reject(AppError.unavailable('no response in time'));

let db: SqliteDatabase;
let store: SqliteForecastStore;
let notified: number;
const clock = new ManualClock(1000);
const common = {
  environment: 'sandbox',
  notify: () => {
    notified += 1;
  },
} as const;
const submission = {
  po_number: 'PO-1',
  warehouse_code: 'WH1',
  shipping_label: 'https://a/label',
  shipping_note: 'https://a/note',
  items: [{ sku_code: 'S', product_name_en: 'Lamp', forecast_quantity: 1, tracking_number: 'AAAA' }],
};
const submitInto = (into: SqliteForecastStore) =>
  createSubmitForecast({
    ...common,
    store: into,
    clock,
    warehouses: { exists: async () => true },
    files: { read: () => ({ findings: undefined }), namesAny: () => false },
  })(TENANT, submission);

beforeEach(() => {
  db = new SqliteDatabase(':memory:');
  db.migrate(forecastMigrations);
  store = new SqliteForecastStore(db, new SqliteOutbox(db), (id) => id);
  notified = 0;
});
afterEach(() => db.close());

test('of a submission', async () => {
  const failing = Object.assign(Object.create(store) as SqliteForecastStore, { insert: refuse });
  await expect(submitInto(failing)).rejects.toMatchObject({ code: '50301' });
  expect(notified).toBe(1);
  await submitInto(store);
  expect(notified).toBe(2);
});

test('of a change', async () => {
  const { forecastNo } = await submitInto(store);
  notified = 0;
  const writer = new ForecastWriter({ ...common, store: { read: (wanted) => store.read(wanted), apply: refuse } });
  const report = { warehouseCode: 'WH1', eventId: 'e1', expressNo: null, occurredAt: '2026-11-24T00:00:00Z', occurredAtMs: 1 };
  const arrival = { tenantId: TENANT, forecastNo, eventId: 'e1', fact: { step: 'warehouse.arrived', report } } as const;
  await expect(createApplyFacts({ writer, clock, logger: silentLogger })([arrival])).rejects.toMatchObject({ code: '50301' });
  expect(notified).toBeGreaterThanOrEqual(1);
});
