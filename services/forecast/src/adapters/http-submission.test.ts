import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

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

  test('of which little was given is published with nulls', async () => {
    await app.submit({ po_number: 'PO-1', forecast_type: 1, warehouse_code: 'WH1', items: [item()] });
    const [event] = await app.published();
    expect(event?.data).toMatchObject({ due_date: null, shipping_label: null, shipping_note: null, carton_count: null, items: [item()] });
  });

  test('of type 1 needs no PDF', async () => {
    const response = await app.submit({ po_number: 'PO-1', forecast_type: 1, warehouse_code: 'WH1', items: [item()] });
    expect(response.code).toBe('0');
  });

  test('holds 2000 items', async () => {
    const items = Array.from({ length: 2000 }, (_, index) => item({ sku_code: `SKU-${index}`, tracking_number: `TN${index}0000` }));
    expect((await app.submit(app.submission({ items }))).data.item_count).toBe(2000);
    const other = await app.submit(app.submission({ po_number: 'PO-2', items: [item({ tracking_number: 'tn 1999-0000' })] }));
    expect(other).toMatchObject({ code: '42202', data: { tracking_numbers: ['TN19990000'] } });
  });
});

test('the service says that it is ready', async () => {
  expect(await app.call('GET', '/readyz', { principal: null })).toMatchObject({ status: 200, data: { ready: true } });
});
