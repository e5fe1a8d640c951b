import { describe, expect, test } from '@jest/globals';
import { app, useHarness } from '../../testing/forecast-harness.ts';

useHarness();

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });

describe('an accepted submission', () => {
  test('gets the acceptance result and announced once', async () => {
    const response = await app.submit(
      app.submission({ items: [item({ tracking_number: 'ab 12-34' }), item({ tracking_number: 'AB1234' })] }),
    );
    expect(response).toMatchObject({ status: 200, code: '0', message: 'success' });
    expect(response.data).toEqual({
      forecast_no: expect.stringMatching(/^FC261121[0-9A-Z]{10}$/),
      po_number: 'PO-1',
      item_count: 2,
      status: 'ACCEPTED',
      create_time: '2026-11-21T12:00:00.000+00:00',
      warnings: [],
    });
    expect(response.headers).not.toHaveProperty('idempotent-replayed');
    expect(await app.published()).toMatchObject([
      {
        type: 'forecast.accepted',
        tenantid: 'tnt_a',
        environment: 'sandbox',
        subject: response.data.forecast_no,
        data: { po_number: 'PO-1', forecast_id: 1, forecast_type: 2, warehouse_code: 'WH1', tracking_numbers: ['AB1234'] },
      },
    ]);
  });
});

describe('a po_number submitted again', () => {
  test('is still replayed when the warehouse has been closed in the meantime', async () => {
    const first = await app.submit(app.submission());
    await app.closeWarehouse('WH1');
    expect((await app.submit(app.submission())).data.forecast_no).toBe(first.data.forecast_no);
    expect((await app.submit(app.submission({ due_date: '2027-01-01' }))).code).toBe('42201');
    // Once cancelled it is a submission like any other.
    await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
    expect((await app.submit(app.submission())).code).toBe('42201');
  });
});

describe('at the same time', () => {
  test('twenty identical posts make one forecast', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => app.submit(app.submission({ items: [item({ tracking_number: 'AAAA' })] }))),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(responses.map(({ data }) => data.forecast_no)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(19);
    expect(await app.published()).toHaveLength(1);
  });
});

test('the event of a submission may wait for others, those of corrections and cancellations go at once, and a repeat has none', async () => {
  await app.submit(app.submission());
  await app.submit(app.submission());
  expect(app.notices).toEqual(['unhurried']);
  await app.correct('PO-1', { due_date: '2026-12-24' });
  await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
  expect(app.notices).toEqual(['unhurried', 'now', 'now']);
});
