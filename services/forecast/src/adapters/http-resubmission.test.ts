import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });

describe('a po_number submitted again', () => {
  test('with the same content yields the first result, however it is written', async () => {
    const first = await app.submit(
      app.submission({ items: [item({ forecast_price: 1, hs_code: '8513.10', tracking_number: 'ab-12 34' })], ignored: 1 }),
    );
    app.clock.advance(60_000);
    const reordered = Object.fromEntries(Object.entries(app.submission()).reverse());
    const again = await app.submit({
      ...reordered,
      forecast_type: 2,
      items: [{ tracking_number: 'AB1234', hs_code: '85 1310', forecast_price: 1.0, ...item(), other: 2 }],
    });
    expect(again.status).toBe(200);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect({ ...again.data, warnings: [] }).toEqual({ ...first.data, warnings: [] });
    expect(await app.published()).toHaveLength(1);
  });

  test('with other content is refused with the differing fields, and changes nothing', async () => {
    const first = await app.submit(app.submission({ items: [item(), item()] }));
    const response = await app.submit(
      app.submission({
        warehouse_code: 'WH2',
        due_date: '2027-01-01',
        items: [item({ barcode: '' }), item({ forecast_quantity: 4 }), item()],
      }),
    );
    expect(response).toMatchObject({ status: 409, code: '40901' });
    expect(response.data).toEqual({
      forecast_no: first.data.forecast_no,
      fields: ['warehouse_code', 'due_date', 'items[0].barcode', 'items[1].forecast_quantity', 'items[2]'],
    });
    expect((await app.call('GET', '/open/v1/forecasts/PO-1')).data).toMatchObject({ warehouse_code: 'WH1', item_count: 2 });
  });

  test('with other content: its own numbers do not count, those of others come first', async () => {
    await app.submit(app.submission({ items: [item({ tracking_number: 'AAAA' })] }));
    await app.submit(app.submission({ po_number: 'PO-2', items: [item({ tracking_number: 'BBBB' })] }));
    const own = await app.submit(app.submission({ items: [item({ tracking_number: 'AAAA', forecast_quantity: 9 })] }));
    expect(own.code).toBe('40901');
    const others = await app.submit(app.submission({ items: [item({ tracking_number: 'AAAA' }), item({ tracking_number: 'BBBB' })] }));
    expect(others).toMatchObject({ code: '42202', data: { tracking_numbers: ['BBBB'], fields: ['items[1].tracking_number'] } });
  });

  test('names at most 100 differing fields', async () => {
    await app.submit(app.submission({ items: Array.from({ length: 200 }, () => item()) }));
    const response = await app.submit(app.submission({ items: Array.from({ length: 200 }, () => item({ forecast_quantity: 7 })) }));
    expect(response.data.fields).toHaveLength(100);
  });

  test('is still replayed when the warehouse has been closed in the meantime', async () => {
    const first = await app.submit(app.submission());
    await app.closeWarehouse('WH1');
    expect((await app.submit(app.submission())).data.forecast_no).toBe(first.data.forecast_no);
    expect((await app.submit(app.submission({ due_date: '2027-01-01' }))).code).toBe('42201');
    // Once cancelled it is a submission like any other.
    await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
    expect((await app.submit(app.submission())).code).toBe('42201');
  });

  test('is exact and case-sensitive, and belongs to its tenant', async () => {
    await app.submit(app.submission());
    expect((await app.submit(app.submission({ po_number: 'po-1' }))).headers).not.toHaveProperty('idempotent-replayed');
    const foreign = await app.submit(app.submission({}, 'tnt_b'), 'tnt_b');
    expect(foreign).toMatchObject({ code: '0' });
    expect(foreign.headers).not.toHaveProperty('idempotent-replayed');
  });
});
