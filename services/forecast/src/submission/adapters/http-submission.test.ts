import { describe, expect, test } from '@jest/globals';
import { summariseBarcodes } from '@parcelway/contracts/barcode-readings';
import type { FileFindings } from '@parcelway/contracts/file-findings';
import { type ApiResponse, app, FILE_SECRET, useHarness } from '../../testing/forecast-harness.ts';

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

describe('field errors', () => {
  test('come all at once, with an unknown warehouse among them', async () => {
    const response = await app.submit({
      po_number: ' x',
      warehouse_code: 'NONE',
      items: [item({ forecast_quantity: '3' }), { sku_code: '' }],
    });
    expect(response).toMatchObject({ status: 422, code: '42201' });
    const errors = response.data.errors.map(({ field, rule }: { field: string; rule: string }) => `${field} ${rule}`);
    expect(errors.sort()).toEqual(
      [
        'items[0].forecast_quantity type',
        'items[1].forecast_quantity required',
        'items[1].product_name_en required',
        'items[1].sku_code min_length',
        'po_number pattern',
        'shipping_label required',
        'shipping_note required',
        'warehouse_code unknown_warehouse',
      ].sort(),
    );
    const required = (given: ApiResponse) => given.data.errors.find(({ field }) => field === 'shipping_note') as unknown;
    expect(required(response)).toMatchObject({ message: 'shipping_note is required for forecast_type 2, the default' });
    const named = await app.submit({ forecast_type: 2 });
    expect(required(named)).toMatchObject({ message: 'shipping_note is required for forecast_type 2' });
  });

  test.each([
    ['2001 items', { items: Array.from({ length: 2001 }, () => item()) }, 'items', 'max_items'],
    ['NUL in the po_number', { po_number: 'a\u0000b' }, 'po_number', 'pattern'],
    ['an operator object', { po_number: { $ne: null } }, 'po_number', 'type'],
    [
      "a forecast's number",
      { items: [item(), item({ tracking_number: 'fc-261121 k7q0z4m2xt' })] },
      'items[1].tracking_number',
      'forecast_no',
    ],
  ])('refuses %s', async (_name, over, field, rule) => {
    const response = await app.submit(app.submission(over));
    expect(response.code).toBe('42201');
    expect(response.data.errors).toContainEqual(expect.objectContaining({ field, rule }));
    expect(await app.published()).toEqual([]);
  });
});

describe('file URLs', () => {
  test.each([
    ['another tenant', () => app.pdf('tnt_b')],
    ['another environment', () => app.pdf('tnt_a', 'A'.repeat(22), 'production')],
    ['nobody', () => 'https://example.com/label.pdf'],
    ['a changed base address', () => app.pdf().replace('localhost', 'example.com')],
  ])('of %s are refused by name', async (_name, url) => {
    const response = await app.submit(app.submission({ shipping_note: url() }));
    expect(response).toMatchObject({ status: 422, code: '42203', data: { errors: [{ field: 'shipping_note', rule: 'file_url' }] } });
  });

  test('come after the fields and before uniqueness', async () => {
    await app.submit(app.submission({ items: [item({ tracking_number: 'AAAA' })] }));
    const bad = { po_number: 'PO-2', shipping_label: 'https://example.com/x.pdf', items: [item({ tracking_number: 'AAAA' })] };
    expect((await app.submit(app.submission({ ...bad, warehouse_code: 'NONE' }))).code).toBe('42201');
    expect((await app.submit(app.submission(bad))).code).toBe('42203');
    expect((await app.submit(app.submission({ ...bad, shipping_label: app.pdf() }))).code).toBe('42202');
  });
});

describe('the label of a submission', () => {
  const found = (...texts: readonly string[]): FileFindings => {
    const readings = texts.map((text) => ({ format: 'Code128', text }));
    return { isReadable: true, isEncrypted: false, isSlow: false, pages: 1, barcodes: summariseBarcodes(FILE_SECRET, readings, true) };
  };

  test.each([
    ['names a declared number behind a ZIP code', '42090210\u001d9400 1092 0556 8012 3456 78', '9400-1092-0556-8012-3456-78', 0],
    ['names no declared number', '9400109205568012345678', 'SF1234567890', 1],
  ])('%s', async (_what, barcode, tracking_number, warnings) => {
    const submission = app.submission({ shipping_label: app.inspectedPdf('tnt_a', found(barcode)), items: [item({ tracking_number })] });
    const response = await app.submit(submission);
    expect(response.data.warnings.map(({ field }) => field)).toEqual(Array(warnings).fill('shipping_label'));
    // The same content again: the same warnings.
    expect((await app.submit(submission)).data.warnings).toEqual(response.data.warnings);
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
});

describe('hostile JSON', () => {
  test('ignores __proto__ and constructor like any unknown field', async () => {
    const body = `{"__proto__":{"po_number":"EVIL"},"constructor":1,${JSON.stringify(app.submission()).slice(1)}`;
    const response = await app.submit(body);
    expect(response).toMatchObject({ code: '0', data: { po_number: 'PO-1' } });
    expect(response.data.warnings).toHaveLength(2);
    expect(({} as Record<string, unknown>)['po_number']).toBeUndefined();
    const detail = await app.call('GET', '/open/v1/forecasts/PO-1');
    expect(JSON.stringify(detail.data)).not.toContain('EVIL');
  });
});
