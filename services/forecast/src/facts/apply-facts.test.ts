import { describe, expect, test } from '@jest/globals';
import { readForecast } from '../lists/query-forecasts.ts';
import type { Fact, ForecastFact } from '../store/domain/fact.ts';
import type { WarehouseReport } from '../store/domain/forecast.ts';
import type { ForecastChanges } from '../store/forecast-store.ts';
import { openUseCases } from '../testing/open-use-cases.ts';
import { reportAt } from '../testing/samples.ts';

/* A report that comes from another warehouse than the one that the forecast names. */

const TENANT = 'tnt_a';
const PO = 'PO-1';

/** A forecast at WH2 whose parcel was on its way to WH1. */
async function moved() {
  const { store, submit, correct, apply, applyOver, published } = openUseCases();
  const correctTo = (warehouse_code: string) =>
    correct({ tenantId: TENANT, poNumber: PO, body: { warehouse_code }, ifMatch: undefined, keyId: 'key_1', seed: undefined });
  const items = [{ sku_code: 'S', product_name_en: 'Lamp', forecast_quantity: 1, tracking_number: 'AAAA' }];
  const files = { shipping_label: 'https://a/label', shipping_note: 'https://a/note' };
  await submit(TENANT, { po_number: PO, warehouse_code: 'WH1', ...files, items });
  const { record } = await correctTo('WH2');
  const report = reportAt(1);
  const request = { tenantId: TENANT, forecastNo: record.forecastNo, eventId: 'e1' };
  return {
    store,
    apply,
    applyOver,
    correctTo,
    request,
    report,
    arrival: { ...request, fact: { step: 'warehouse.arrived', report } } as const,
    read: () => readForecast(store, TENANT, PO),
    published,
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
    const there = { ...report, warehouse_code: 'WH2' };
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
