import { describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { SqliteForecastStore } from './adapters/sqlite-forecast-store.ts';
import { forecastMigrations } from './adapters/sqlite-schema.ts';
import { createApplyFacts } from './apply-facts.ts';
import { createCorrectForecast } from './correct-forecast.ts';
import type { Fact, ForecastFact } from './domain/fact.ts';
import type { WarehouseReport } from './domain/forecast.ts';
import { ForecastWriter } from './forecast-writer.ts';
import { NumberLimits } from './number-limits.ts';
import type { ForecastChanges } from './ports.ts';
import { readForecast } from './query-forecasts.ts';
import { createSubmitForecast } from './submit-forecast.ts';

/* A report that comes from another warehouse than the one that the forecast names. */

const TENANT = 'tnt_a';
const PO = 'PO-1';

/** A forecast at WH2 whose parcel was on its way to WH1. */
async function moved() {
  const db = new SqliteDatabase(':memory:');
  db.migrate(forecastMigrations);
  const outbox = new SqliteOutbox(db);
  const store = new SqliteForecastStore(db, outbox, (id) => id);
  const clock = new ManualClock(1000);
  const notify = () => undefined;
  const writer = new ForecastWriter({ store, environment: 'sandbox', notify });
  const checks = {
    warehouses: { exists: async () => true },
    files: { read: () => ({ findings: undefined }), namesAny: () => false },
    numberLimits: new NumberLimits(),
  };
  const submit = createSubmitForecast({ store, clock, environment: 'sandbox', notify, ...checks });
  const correct = createCorrectForecast({ store, writer, clock, ...checks });
  const correctTo = (warehouse_code: string) =>
    correct({ tenantId: TENANT, poNumber: PO, body: { warehouse_code }, ifMatch: undefined, keyId: 'key_1', seed: undefined });
  const items = [{ sku_code: 'S', product_name_en: 'Lamp', forecast_quantity: 1, tracking_number: 'AAAA' }];
  const files = { shipping_label: 'https://a/label', shipping_note: 'https://a/note' };
  await submit(TENANT, { po_number: PO, warehouse_code: 'WH1', ...files, items });
  const { record } = await correctTo('WH2');
  const report = { warehouseCode: 'WH1', eventId: 'e1', expressNo: null, occurredAt: '2026-11-24T00:00:00Z', occurredAtMs: 1 };
  const request = { tenantId: TENANT, forecastNo: record.forecastNo, eventId: 'e1' };
  return {
    store,
    applyOver: (changes: ForecastChanges) => {
      const over = new ForecastWriter({ store: changes, environment: 'sandbox', notify });
      return createApplyFacts({ writer: over, clock });
    },
    apply: createApplyFacts({ writer, clock }),
    correctTo,
    request,
    report,
    arrival: { ...request, fact: { step: 'warehouse.arrived', report } } as const,
    read: () => readForecast(store, TENANT, PO),
    published: async (): Promise<DomainEvent[]> => (await outbox.lease(100)).map(({ value }) => decodeEvent(value)),
  };
}

test('the forecast goes back to the warehouse that has the parcel, and both are published', async () => {
  const { apply, arrival, read, published } = await moved();
  await apply([arrival]);
  await apply([arrival]);
  const { record, content, corrections } = await read();
  expect(record).toMatchObject({ status: 2, warehouseCode: 'WH1', contentVersion: 3 });
  expect(content.warehouse_code).toBe('WH1');
  expect(corrections.at(-1)).toMatchObject({
    version: 3,
    keyId: null,
    changes: [{ field: 'warehouse_code', from: 'WH2', to: 'WH1' }],
  });
  const [back, arrived] = (await published()).slice(-2);
  expect([back?.type, back?.data]).toEqual([
    'forecast.corrected',
    expect.objectContaining({ warehouse_code: 'WH1', previous_warehouse_code: 'WH2', version: 3 }),
  ]);
  expect([arrived?.type, arrived?.data]).toEqual(['parcel.arrived', expect.objectContaining({ warehouse_code: 'WH1', status: 2 })]);
});

test('a report that does not show where the parcel is moves nothing', async () => {
  const { apply, request, report, read } = await moved();
  await apply([{ ...request, fact: { step: 'warehouse.held', report, reason: null } }]);
  expect((await read()).record).toMatchObject({ status: 1, warehouseCode: 'WH2', contentVersion: 2 });
});

test('a report of the former warehouse about a parcel that is elsewhere moves nothing', async () => {
  const { apply, arrival, request, report, read } = await moved();
  const there = { ...report, warehouseCode: 'WH2', eventId: 'e2' };
  await apply([{ ...request, eventId: 'e2', fact: { step: 'warehouse.arrived', report: there } }, arrival]);
  expect((await read()).record).toMatchObject({ status: 2, warehouseCode: 'WH2', contentVersion: 2 });
});

test('waits for another try when corrections come in between again and again', async () => {
  const { store, apply, applyOver, correctTo, arrival, read } = await moved();
  const busy: ForecastChanges = {
    read: (wanted) => store.read(wanted),
    async apply(writes) {
      await correctTo('WH1');
      await correctTo('WH2');
      return store.apply(writes);
    },
  };
  await expect(applyOver(busy)([arrival])).rejects.toMatchObject({ code: '50301' });
  expect((await read()).record).toMatchObject({ status: 1, warehouseCode: 'WH2' });
  await apply([arrival]);
  expect((await read()).record).toMatchObject({ status: 2, warehouseCode: 'WH1' });
});

describe('a batch', () => {
  const arrivedAt = (report: WarehouseReport): Fact => ({ step: 'warehouse.arrived', report });

  test('writes the facts of one forecast once, and publishes each', async () => {
    const { store, applyOver, request, report, published, read } = await moved();
    const batches: number[] = [];
    const counting: ForecastChanges = {
      read: (wanted) => store.read(wanted),
      apply: (writes) => {
        batches.push(writes.length);
        return store.apply(writes);
      },
    };
    const there = { ...report, warehouseCode: 'WH2' };
    const arrival = { ...request, fact: arrivedAt(there), traceparent: 'trace 1' };
    const held: ForecastFact = { ...request, eventId: 'e2', fact: { step: 'warehouse.held', report: there, reason: null } };
    await applyOver(counting)([arrival, held, arrival]);
    expect(batches).toEqual([1]);
    const events = (await published()).slice(-2);
    expect(events.map(({ type, traceparent }) => [type, traceparent])).toEqual([
      ['parcel.arrived', 'trace 1'],
      ['parcel.held', undefined],
    ]);
    expect((await read()).record).toMatchObject({ status: 2, progress: { holdReports: 1 } });
    await applyOver(counting)([arrival, held]);
    expect(batches).toEqual([1]);
  });

  test('with facts that cannot be applied writes the others, and fails with the first of them', async () => {
    const { apply, arrival, request, report, read, published } = await moved();
    const unknown = { ...request, forecastNo: 'FC-NONE', fact: arrivedAt(report) };
    const before = (await published()).length;
    await expect(apply([unknown, arrival])).rejects.toMatchObject({ code: '40403' });
    expect((await read()).record.status).toBe(2);
    const after = (await published()).length;
    expect(after).toBeGreaterThan(before);
    // By itself each comes to what it came to before, and nothing is published again.
    await apply([arrival]);
    await expect(apply([unknown])).rejects.toMatchObject({ code: '40403' });
    expect(await published()).toHaveLength(after);
  });
});
