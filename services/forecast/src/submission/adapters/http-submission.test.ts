import { describe, expect, test } from '@jest/globals';
import { app, ForecastHarness, useHarness } from '../../testing/forecast-harness.ts';

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

  test('holds 2000 items', async () => {
    const items = Array.from({ length: 2000 }, (_, index) => item({ sku_code: `SKU-${index}`, tracking_number: `TN${index}0000` }));
    expect((await app.submit(app.submission({ items }))).data.item_count).toBe(2000);
    const other = await app.submit(app.submission({ po_number: 'PO-2', items: [item({ tracking_number: 'tn 1999-0000' })] }));
    expect(other).toMatchObject({ code: '42202', data: { tracking_numbers: ['TN19990000'] } });
  });
});

describe('an accepted submission', () => {
  test('warns of a wrong check digit, keeps the number, and warns again of the same submission and of a correction', async () => {
    const items = [item({ tracking_number: '1Z 999AA1 0123456785' })];
    const expected = [{ field: 'items[0].tracking_number', message: expect.stringMatching(/format UPS 1Z, but its check digit/) }];
    const first = await app.submit(app.submission({ items }));
    expect([first.code, first.data.status, first.data.warnings]).toEqual(['0', 'ACCEPTED', expected]);
    const again = await app.submit(app.submission({ items }));
    expect([again.data.forecast_no, again.data.warnings]).toEqual([first.data.forecast_no, expected]);
    const stored = (await app.call('GET', '/open/v1/forecasts/PO-1')).data;
    expect(stored.items).toMatchObject([{ tracking_number: '1Z999AA10123456785' }]);
    const corrected = await app.correct('PO-1', { items: [item({ tracking_number: 'RB123456786GB' })] });
    expect([corrected.code, corrected.data.version]).toEqual(['0', 2]);
    expect(corrected.data.warnings).toMatchObject([{ field: 'items[0].tracking_number', message: expect.stringMatching(/UPU S10/) }]);
    expect((await app.correct('PO-1', { carton_count: 2 })).data.warnings).toEqual([]);
  });
});

describe('the caller', () => {
  test('must be a tenant', async () => {
    const body = app.submission();
    expect((await app.call('POST', '/open/v1/forecasts', { body, principal: null })).code).toBe('40101');
    const warehouse = { kind: 'warehouse', tenantId: null, warehouseCode: 'WH1', keyId: 'k', scopes: [], environment: 'sandbox' } as const;
    expect((await app.call('POST', '/open/v1/forecasts', { body, principal: warehouse })).code).toBe('40301');
  });
});

describe('the warehouse', () => {
  test('may be used as soon as it was added: its event is waited for', async () => {
    const early = app.submit(app.submission({ warehouse_code: 'NEW1' }));
    const wrong = app.submit(app.submission({ warehouse_code: 'NEW1', items: [] }));
    await app.openWarehouse('NEW1');
    expect((await early).code).toBe('0');
    expect(await wrong).toMatchObject({ code: '42201', data: { errors: [{ field: 'items' }] } });
  });

  test('cannot be judged before any is known: the submission is to be tried again, a wrong one gets its errors', async () => {
    const fresh = await ForecastHarness.open(undefined, []);
    try {
      const response = await fresh.submit(fresh.submission());
      expect(response).toMatchObject({ status: 503, code: '50301' });
      expect(response.headers).toHaveProperty('retry-after');
      expect(await fresh.submit(fresh.submission({ items: [] }))).toMatchObject({ code: '42201', data: { errors: [{ field: 'items' }] } });
      await fresh.openWarehouse('WH1');
      expect((await fresh.submit(fresh.submission())).code).toBe('0');
    } finally {
      await fresh.close();
    }
  });
});

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
