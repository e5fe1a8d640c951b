import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { isoInstant } from '@parcelway/kernel/clock';
import { ForecastHarness, START } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

const corrections = async () =>
  (await app.published()).filter((event): event is DomainEvent<'forecast.corrected'> => event.type === 'forecast.corrected');

async function report(type: 'warehouse.arrived' | 'warehouse.processed', forecastNo: string): Promise<void> {
  const from = { event_id: type, warehouse_code: 'WH1', express_no: null, occurred_at: isoInstant(START) };
  await app.deliver(type, { ...from, forecast_no: forecastNo });
}

async function dispatch(forecastNo: string): Promise<void> {
  const from = { event_id: 'dispatch', warehouse_code: 'WH1', express_no: null, occurred_at: isoInstant(START) };
  await app.deliver('warehouse.dispatched', { ...from, forecast_no: forecastNo, carrier_code: 'acme', tracking_number: 'T1' });
}

describe('the status', () => {
  test('decides what can be corrected, and is shown', async () => {
    const { data: accepted } = await app.submit(app.submission());
    await report('warehouse.arrived', accepted.forecast_no);
    const late = await app.correct('PO-1', { due_date: '2026-12-24' });
    expect(late).toMatchObject({ code: '40902', data: { status: 2, status_name: 'ARRIVED' } });
    const label = app.pdf('tnt_a', 'C'.repeat(22));
    expect((await app.correct('PO-1', { shipping_label: label })).data).toMatchObject({ version: 2, shipping_label: label, status: 2 });
    expect((await corrections())[0]?.data).toMatchObject({ status: 2, changed: ['shipping_label'], shipping_label: label });
    await report('warehouse.processed', accepted.forecast_no);
    expect((await app.correct('PO-1', { shipping_note: label })).data.version).toBe(3);
    await dispatch(accepted.forecast_no);
    expect(await app.correct('PO-1', { shipping_note: app.pdf() })).toMatchObject({ code: '40902', data: { status: 5 } });
    // A retry of what was corrected in time.
    expect((await app.correct('PO-1', { shipping_note: label })).data.version).toBe(3);
  });

  test('of a cancelled forecast prevents any correction, until the po_number is used again', async () => {
    await app.submit(app.submission());
    await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
    expect(await app.correct('PO-1', { due_date: '2026-12-24' })).toMatchObject({ code: '40902', data: { status_name: 'CANCELLED' } });
    await app.submit(app.submission());
    expect((await app.correct('PO-1', { due_date: '2026-12-24' })).data.version).toBe(2);
  });
});
