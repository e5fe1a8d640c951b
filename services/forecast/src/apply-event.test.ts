import { expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { SqliteForecastStore } from './adapters/sqlite-forecast-store.ts';
import { forecastMigrations } from './adapters/sqlite-schema.ts';
import { createApplyEvent } from './apply-event.ts';
import { createCorrectForecast } from './correct-forecast.ts';
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
  const ports = { store, clock: new ManualClock(1000), environment: 'sandbox', notify: () => undefined } as const;
  const checks = { warehouses: { exists: async () => true }, isFileUrl: () => true, inspectedFile: () => undefined };
  const submit = createSubmitForecast({ ...ports, ...checks });
  const correct = createCorrectForecast({ ...ports, ...checks });
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
    ports,
    correctTo,
    request,
    report,
    arrival: { ...request, happening: { step: 'warehouse.arrived', report } } as const,
    read: () => readForecast(store, TENANT, PO),
    told: async (): Promise<DomainEvent[]> => (await outbox.lease(100)).map(({ value }) => decodeEvent(value)),
  };
}

test('the forecast goes back to the warehouse that has the parcel, and both are told', async () => {
  const { ports, arrival, read, told } = await moved();
  await createApplyEvent(ports)(arrival);
  await createApplyEvent(ports)(arrival);
  const { record, content, corrections } = await read();
  expect(record).toMatchObject({ status: 2, warehouseCode: 'WH1', contentVersion: 3 });
  expect(content.warehouse_code).toBe('WH1');
  expect(corrections.at(-1)).toMatchObject({
    version: 3,
    keyId: null,
    changes: [{ field: 'warehouse_code', from: 'WH2', to: 'WH1' }],
  });
  const [back, arrived] = (await told()).slice(-2);
  expect([back?.type, back?.data]).toEqual([
    'forecast.corrected',
    expect.objectContaining({ warehouse_code: 'WH1', previous_warehouse_code: 'WH2', version: 3 }),
  ]);
  expect([arrived?.type, arrived?.data]).toEqual(['parcel.arrived', expect.objectContaining({ warehouse_code: 'WH1', status: 2 })]);
});

test('a report that does not show where the parcel is moves nothing', async () => {
  const { ports, request, report, read } = await moved();
  await createApplyEvent(ports)({ ...request, happening: { step: 'warehouse.held', report, reason: null } });
  expect((await read()).record).toMatchObject({ status: 1, warehouseCode: 'WH2', contentVersion: 2 });
});

test('a report of the former warehouse about a parcel that is elsewhere moves nothing', async () => {
  const { ports, arrival, request, report, read } = await moved();
  const apply = createApplyEvent(ports);
  const there = { ...report, warehouseCode: 'WH2', eventId: 'e2' };
  await apply({ ...request, eventId: 'e2', happening: { step: 'warehouse.arrived', report: there } });
  await apply(arrival);
  expect((await read()).record).toMatchObject({ status: 2, warehouseCode: 'WH2', contentVersion: 2 });
});

test('waits for another try when corrections come in between again and again', async () => {
  const { store, ports, correctTo, arrival, read } = await moved();
  const correct: typeof store.correct = async (...given) => {
    const outcome = await store.correct(...given);
    await correctTo('WH2');
    return outcome;
  };
  const busy = { change: store.change.bind(store), correct };
  await expect(createApplyEvent({ ...ports, store: busy })(arrival)).rejects.toMatchObject({ code: '50301' });
  expect((await read()).record).toMatchObject({ status: 1, warehouseCode: 'WH2' });
  await createApplyEvent(ports)(arrival);
  expect((await read()).record).toMatchObject({ status: 2, warehouseCode: 'WH1' });
});
