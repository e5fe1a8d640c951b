import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isoInstant } from '@parcelway/kernel/clock';
import { ForecastHarness, START } from '../testing/forecast-harness.ts';

let app: ForecastHarness;
beforeEach(async () => {
  app = await ForecastHarness.open();
});
afterEach(() => app.close());

describe('a cancellation', () => {
  const cancel = (po: string, tenant = 'tnt_a') => app.call('POST', `/open/v1/forecasts/${encodeURIComponent(po)}/cancel`, { tenant });
  const claimed = (po: string) =>
    app.submission({ po_number: po, items: [{ sku_code: 'S', product_name_en: 'L', forecast_quantity: 1, tracking_number: 'AAAA' }] });

  test('frees po_number and logistics numbers and is announced', async () => {
    const { data: accepted } = await app.submit(claimed('PO-1'));
    app.clock.advance(1000);
    const response = await cancel('PO-1');
    expect(response).toMatchObject({ status: 200, code: '0' });
    expect(response.data).toEqual({
      forecast_no: accepted.forecast_no,
      po_number: 'PO-1',
      status: 'CANCELLED',
      cancel_time: '2026-11-21T12:00:01.000+00:00',
    });
    expect((await app.submit(claimed('PO-2'))).code).toBe('0');
    await cancel('PO-2');
    const again = await app.submit(claimed('PO-1'));
    expect(again.headers).not.toHaveProperty('idempotent-replayed');
    expect(again.data.forecast_no).not.toBe(accepted.forecast_no);
    expect((await app.published()).map(({ type }) => type)).toEqual([
      'forecast.accepted',
      'forecast.cancelled',
      'forecast.accepted',
      'forecast.cancelled',
      'forecast.accepted',
    ]);
  });

  test('repeated, it returns the first one and changes nothing', async () => {
    await app.submit(claimed('PO-1'));
    const first = await cancel('PO-1');
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    app.clock.advance(5000);
    const read = (): Promise<unknown> => app.call('GET', '/open/v1/forecasts/PO-1').then(({ data }) => data);
    const before = await read();
    const again = await cancel('PO-1');
    expect(again).toMatchObject({ status: 200, code: '0', headers: { 'idempotent-replayed': 'true' } });
    expect(again.data).toEqual(first.data);
    expect(await read()).toEqual(before);
    expect((await app.published()).filter(({ type }) => type === 'forecast.cancelled')).toHaveLength(1);
  });

  test('of a po_number in use again cancels the live forecast', async () => {
    const first = await app.submit(claimed('PO-1'));
    await cancel('PO-1');
    const second = await app.submit(claimed('PO-1'));
    const again = await cancel('PO-1');
    expect(again.headers).not.toHaveProperty('idempotent-replayed');
    expect(again.data.forecast_no).toBe(second.data.forecast_no);
    expect((await cancel('PO-1')).data.forecast_no).toBe(second.data.forecast_no);
    expect(first.data.forecast_no).not.toBe(second.data.forecast_no);
  });

  test('is refused for what is under way, foreign or unknown', async () => {
    const { data } = await app.submit(claimed('PO-1'));
    await cancel('PO-1');
    expect((await cancel('PO-1', 'tnt_b')).code).toBe('40401');
    expect((await cancel('PO-9')).code).toBe('40401');
    const { data: second } = await app.submit(claimed('PO-1'));
    const from = { warehouse_code: 'WH1', express_no: null, occurred_at: isoInstant(START) };
    await app.deliver('warehouse.arrived', { ...from, event_id: 'e1', forecast_no: second.forecast_no });
    expect(await cancel('PO-1')).toMatchObject({ code: '40902', data: { status: 2, status_name: 'ARRIVED' } });
    expect(second.forecast_no).not.toBe(data.forecast_no);
  });

  test('asked for twenty times at once happens once', async () => {
    await app.submit(claimed('PO-1'));
    const responses = await Promise.all(Array.from({ length: 20 }, () => cancel('PO-1')));
    expect(responses.map(({ code }) => code)).toEqual(Array(20).fill('0'));
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(19);
    expect(new Set(responses.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    expect((await app.published()).filter(({ type }) => type === 'forecast.cancelled')).toHaveLength(1);
  });

  test('leaves the newest cancelled forecast to be read when none is live', async () => {
    await app.submit(claimed('PO-1'));
    await cancel('PO-1');
    const { data: second } = await app.submit(claimed('PO-1'));
    expect((await app.call('GET', '/open/v1/forecasts/PO-1')).data).toMatchObject({ forecast_no: second.forecast_no, status: 1 });
    await cancel('PO-1');
    expect((await app.call('GET', '/open/v1/forecasts/PO-1')).data).toMatchObject({ forecast_no: second.forecast_no, status: 7 });
  });
});
