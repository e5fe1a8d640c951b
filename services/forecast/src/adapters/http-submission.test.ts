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

  test('is published with its content', async () => {
    const items = [
      item({
        tracking_number: 'ab 12-34',
        declared_weight_kg: 0.25,
        declared_length_cm: 10,
        declared_width_cm: 5.5,
        declared_height_cm: 1,
      }),
    ];
    const body = app.submission({ due_date: '2026-12-24', carton_count: 3, items });
    await app.submit(body);
    const [event] = await app.published();
    expect(event?.data).toMatchObject({
      version: 1,
      due_date: '2026-12-24',
      shipping_label: body['shipping_label'],
      shipping_note: body['shipping_note'],
      carton_count: 3,
      item_count: 1,
      items: [{ ...items[0], tracking_number: 'AB1234' }],
    });
  });

  test('of which little was given is published with nulls', async () => {
    await app.submit({ po_number: 'PO-1', forecast_type: 1, warehouse_code: 'WH1', items: [item()] });
    const [event] = await app.published();
    expect(event?.data).toMatchObject({ due_date: null, shipping_label: null, shipping_note: null, carton_count: null, items: [item()] });
  });

  test('refuses declared sizes and cartons that cannot be', async () => {
    const items = [
      item({ declared_weight_kg: 0 }),
      item({ declared_weight_kg: 100000.1, declared_length_cm: 10001, declared_width_cm: '1' }),
    ];
    const response = await app.submit(app.submission({ carton_count: 0, items }));
    expect(response.code).toBe('42201');
    expect(response.data.errors.map(({ field, rule }) => `${field} ${rule}`)).toEqual([
      'carton_count minimum',
      'items[0].declared_weight_kg minimum',
      'items[1].declared_weight_kg maximum',
      'items[1].declared_length_cm maximum',
      'items[1].declared_width_cm type',
    ]);
    expect((await app.submit(app.submission({ carton_count: 10001 }))).code).toBe('42201');
  });

  test('of type 1 needs no PDF', async () => {
    const response = await app.submit({ po_number: 'PO-1', forecast_type: 1, warehouse_code: 'WH1', items: [item()] });
    expect(response.code).toBe('0');
  });

  test('warns of ignored fields and of a past due date, and stores none of it', async () => {
    const response = await app.submit(
      app.submission({
        due_date: '2026-11-01',
        marketplace_label: 'x',
        colour: 'red',
        items: [item(), item({ marketplace_label: 1, weight: 2 })],
      }),
    );
    expect(response.data.warnings.map(({ field }: { field: string }) => field)).toEqual([
      'marketplace_label',
      'colour',
      'due_date',
      'items[1].marketplace_label',
      'items[1].weight',
    ]);
    const detail = await app.call('GET', '/open/v1/forecasts/PO-1');
    expect(detail.data.marketplace_label).toBeNull();
    expect(JSON.stringify(detail.data.items)).not.toMatch(/marketplace_label|weight"/);
    expect(detail.data).not.toHaveProperty('colour');
  });

  test('lists at most 100 warnings', async () => {
    const response = await app.submit(app.submission({ items: Array.from({ length: 150 }, () => item({ extra: 1 })) }));
    expect(response.data.warnings).toHaveLength(100);
  });

  test('holds 2000 items', async () => {
    const items = Array.from({ length: 2000 }, (_, index) => item({ sku_code: `SKU-${index}`, tracking_number: `TN${index}0000` }));
    expect((await app.submit(app.submission({ items }))).data.item_count).toBe(2000);
    const other = await app.submit(app.submission({ po_number: 'PO-2', items: [item({ tracking_number: 'tn 1999-0000' })] }));
    expect(other).toMatchObject({ code: '42202', data: { tracking_numbers: ['TN19990000'] } });
  });
});

describe('logistics numbers', () => {
  const withNumber = (po: string, number: string, over: object = {}) =>
    app.submission({ po_number: po, items: [item(), item({ tracking_number: number })], ...over });

  test('of a live type 2 forecast are refused, by name, for the same tenant only', async () => {
    await app.submit(withNumber('PO-1', 'ab-12 34'));
    const response = await app.submit(withNumber('PO-2', 'AB1234'));
    expect(response).toMatchObject({ status: 422, code: '42202' });
    expect(response.data).toEqual({ tracking_numbers: ['AB1234'], fields: ['items[1].tracking_number'] });
    const foreign = { ...withNumber('PO-2', 'AB1234'), shipping_label: app.pdf('tnt_b'), shipping_note: app.pdf('tnt_b') };
    expect((await app.submit(foreign, 'tnt_b')).code).toBe('0');
  });

  test('are not checked for type 1, nor claimed by it', async () => {
    expect((await app.submit(withNumber('PO-1', 'AAAA', { forecast_type: 1 }))).code).toBe('0');
    expect((await app.submit(withNumber('PO-2', 'AAAA'))).code).toBe('0');
    expect((await app.submit(withNumber('PO-3', 'AAAA', { forecast_type: 1 }))).code).toBe('0');
  });

  test('a refused forecast leaves nothing behind', async () => {
    await app.submit(withNumber('PO-1', 'AAAA'));
    const items = [item({ tracking_number: 'BBBB' }), item({ tracking_number: 'AAAA' })];
    expect((await app.submit(app.submission({ po_number: 'PO-2', items }))).code).toBe('42202');
    expect((await app.call('GET', '/open/v1/forecasts/PO-2')).code).toBe('40401');
    expect((await app.submit(withNumber('PO-3', 'BBBB'))).code).toBe('0');
    expect(await app.published()).toHaveLength(2);
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

  test('one of two forecasts with the same logistics number is refused', async () => {
    const items = [item({ tracking_number: 'AAAA' })];
    const responses = await Promise.all(['PO-1', 'PO-2', 'PO-3'].map((po_number) => app.submit(app.submission({ po_number, items }))));
    expect(responses.map(({ code }) => code).sort()).toEqual(['0', '42202', '42202']);
  });

  test('one of many different contents under one po_number wins', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => app.submit(app.submission({ items: [item({ forecast_quantity: index + 1 })] }))),
    );
    expect(responses.map(({ code }) => code).sort()).toEqual(['0', ...Array(9).fill('40901')]);
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

test('the service says that it is ready', async () => {
  expect(await app.call('GET', '/readyz', { principal: null })).toMatchObject({ status: 200, data: { ready: true } });
});
