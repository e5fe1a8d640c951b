import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastDetail, ForecastList } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { WeighingData } from '@parcelway/contracts/weighing-api';
import { isoInstant } from '@parcelway/kernel/clock';
import { ForecastHarness, START } from '../testing/forecast-harness.ts';

let app: ForecastHarness;
beforeEach(async () => {
  app = await ForecastHarness.open();
});
afterEach(() => app.close());

const list = (query = '', tenant = 'tnt_a') => app.call('GET', `/open/v1/forecasts${query}`, { tenant });
const poNumbers = (response: { data: { forecasts: readonly { po_number: string }[] } }) =>
  response.data.forecasts.map(({ po_number }) => po_number);

async function submitMany(count: number, stepMs: number): Promise<void> {
  for (let index = 1; index <= count; index += 1) {
    await app.submit(app.submission({ po_number: `PO-${index}` }));
    app.clock.advance(stepMs);
  }
}

describe('the list', () => {
  test('comes newest first, in pages that end with a null cursor, also within one millisecond', async () => {
    await submitMany(5, 0);
    const first = await list('?limit=2');
    expect(compileValidator(ForecastList).errors(first.data)).toEqual([]);
    expect(poNumbers(first)).toEqual(['PO-5', 'PO-4']);
    // What arrives between two pages does not shift them.
    await app.submit(app.submission({ po_number: 'PO-6' }));
    const second = await list(`?limit=2&cursor=${first.data.next_cursor}`);
    expect(poNumbers(second)).toEqual(['PO-3', 'PO-2']);
    const third = await list(`?limit=2&cursor=${second.data.next_cursor}`);
    expect(poNumbers(third)).toEqual(['PO-1']);
    expect(third.data.next_cursor).toBeNull();
  });

  test('has cursors that nobody can read, of one tenant alone', async () => {
    await submitMany(2, 0);
    const { next_cursor: cursor } = (await list('?limit=1')).data;
    expect(Buffer.from(String(cursor), 'base64url').toString('latin1')).not.toMatch(/^[\x20-\x7e]*$/);
    expect(await list(`?cursor=${cursor}`, 'tnt_b')).toMatchObject({ code: '42201' });
  });

  test('goes on from a cursor of a former version', async () => {
    await submitMany(3, 1000);
    const former = Buffer.from(`1.${START + 1000}.2`).toString('base64url');
    expect(poNumbers(await list(`?cursor=${former}`))).toEqual(['PO-1']);
  });

  test('has no cursor behind a last page that is full', async () => {
    await submitMany(2, 1);
    expect((await list('?limit=2')).data.next_cursor).toBeNull();
  });

  test('filters by status, po_number and time, together', async () => {
    await submitMany(4, 1000);
    await app.call('POST', '/open/v1/forecasts/PO-2/cancel');
    expect(poNumbers(await list('?status=CANCELLED'))).toEqual(['PO-2']);
    expect(poNumbers(await list('?status=7'))).toEqual(['PO-2']);
    expect(poNumbers(await list('?status=1'))).toEqual(['PO-4', 'PO-3', 'PO-1']);
    expect(poNumbers(await list('?po_number=PO-3'))).toEqual(['PO-3']);
    const [from, to] = [1000, 3000].map((offset) => encodeURIComponent(isoInstant(START + offset)));
    expect(poNumbers(await list(`?created_from=${from}&created_to=${to}`))).toEqual(['PO-3', 'PO-2']);
    expect(poNumbers(await list(`?created_from=${from}&created_to=${to}&status=ACCEPTED`))).toEqual(['PO-3']);
  });

  test('shows a tenant only its own', async () => {
    await submitMany(1, 0);
    expect(poNumbers(await list('', 'tnt_b'))).toEqual([]);
  });

  test.each(['%00', '%20PO-1', 'x'.repeat(65)])('finds nothing under the po_number %s, which no forecast has', async (poNumber) => {
    await submitMany(1, 0);
    expect(await list(`?po_number=${poNumber}`)).toMatchObject({ code: '0', data: { forecasts: [], next_cursor: null } });
  });

  test.each([
    ['cursor=abc', 'cursor'],
    [`cursor=${Buffer.from('1.1.1 ').toString('base64url')}`, 'cursor'],
    [`cursor=${Buffer.from('1.01.1').toString('base64url')}=`, 'cursor'],
    ['cursor=', 'cursor'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['status=8', 'status'],
    ['status=accepted', 'status'],
    ['created_from=yesterday', 'created_from'],
    ['created_to=2026-01-31T23:59:60Z', 'created_to'],
    ['po_number=', 'po_number'],
  ])('refuses %s', async (query, field) => {
    const response = await list(`?${query}`);
    expect(response).toMatchObject({ status: 422, code: '42201', data: { errors: [{ field }] } });
  });
});

test('a typo in a query is ignored and named', async () => {
  await submitMany(1, 0);
  const listed = await list('?stauts=CANCELLED');
  expect(compileValidator(ForecastList).errors(listed.data)).toEqual([]);
  expect(poNumbers(listed)).toEqual(['PO-1']);
  expect(listed.data).toMatchObject({ warnings: [{ field: 'stauts', message: expect.stringContaining('status, po_number') }] });
  for (const path of ['/weighing?po_number=PO-1&x=1', '/PO-1?x=1']) {
    const { data } = await app.call('GET', `/open/v1/forecasts${path}`);
    expect(data).toMatchObject({ po_number: 'PO-1', warnings: [{ field: 'x' }] });
  }
  expect((await app.call('POST', '/open/v1/forecasts?dry_run=true', { body: app.submission({ po_number: 'PO-2' }) })).data).toMatchObject({
    warnings: [{ field: 'dry_run' }],
  });
});

test('a bad cursor of the list is named together with the other bad filters', async () => {
  const response = await list('?cursor=abc&limit=0&status=8');
  expect(response).toMatchObject({ status: 422, code: '42201' });
  expect(response.data.errors.map(({ field }: { field: string }) => field).sort()).toEqual(['cursor', 'limit', 'status']);
});

describe('the weighing query', () => {
  const weighing = (query: string, tenant = 'tnt_a') => app.call('GET', `/open/v1/forecasts/weighing${query}`, { tenant });

  test('has nulls and empty lists before the weighing', async () => {
    await app.submit(app.submission());
    const response = await weighing('?po_number=PO-1');
    expect(compileValidator(WeighingData).errors(response.data)).toEqual([]);
    expect(response).toMatchObject({ status: 200, code: '0' });
    expect(response.data).toEqual({
      po_number: 'PO-1',
      status: 1,
      length_cm: null,
      width_cm: null,
      height_cm: null,
      weight_kg: null,
      weighing_images: [],
      forecast_images: [],
      on_hold: false,
      holds: [],
      exceptions: [],
    });
  });

  test.each([
    ['', '42201'],
    ['?po_number=', '42201'],
    ['?po_number[$ne]=x', '42201'],
    ['?po_number=PO-1&po_number=PO-2', '42201'],
    ['?po_number=PO-1%00', '40401'],
    ['?po_number=%20PO-1', '40401'],
    ['?po_number=PO-1%E2%80%8B', '40401'],
    [`?po_number=${'x'.repeat(65)}`, '40401'],
    ['?po_number=po-1', '40401'],
    ['?po_number=PO-9', '40401'],
  ])('responds %j with %s', async (query, code) => {
    await app.submit(app.submission());
    expect((await weighing(query)).code).toBe(code);
  });

  test('responds to a foreign po_number as to an unknown one', async () => {
    await app.submit(app.submission());
    const [foreign, unknown] = [await weighing('?po_number=PO-1', 'tnt_b'), await weighing('?po_number=PO-9', 'tnt_b')];
    expect(foreign.code).toBe('40401');
    expect({ ...foreign, headers: null }).toEqual({ ...unknown, headers: null });
  });
});

describe('a forecast read by its po_number', () => {
  test('shows everything submitted in its stored form, and its history', async () => {
    const submitted = app.submission({
      due_date: '2026-12-24',
      items: [
        { sku_code: 'S', product_name_en: 'Lamp', forecast_quantity: 3, hs_code: '85.13 10', tracking_number: 'a-b c1', barcode: '' },
      ],
    });
    const { data: accepted } = await app.submit(submitted);
    const { data } = await app.call('GET', '/open/v1/forecasts/PO-1');
    expect(compileValidator(ForecastDetail).errors(data)).toEqual([]);
    const nothing = { weight_kg: null, volume_cm3: null };
    expect(data).toEqual({
      forecast_no: accepted.forecast_no,
      po_number: 'PO-1',
      forecast_type: 2,
      warehouse_code: 'WH1',
      due_date: '2026-12-24',
      item_count: 1,
      version: 1,
      status: 1,
      status_name: 'ACCEPTED',
      create_time: accepted.create_time,
      update_time: accepted.create_time,
      shipping_label: submitted['shipping_label'],
      shipping_note: submitted['shipping_note'],
      marketplace_label: null,
      marketplace_label_version: null,
      packing_slip: null,
      carton_count: null,
      items: [{ sku_code: 'S', barcode: '', product_name_en: 'Lamp', forecast_quantity: 3, hs_code: '851310', tracking_number: 'ABC1' }],
      carrier_code: null,
      tracking_number: null,
      history: [{ status: 1, status_name: 'ACCEPTED', time: accepted.create_time, reason: 'submitted' }],
      measurements: [],
      on_hold: false,
      holds: [],
      exceptions: [],
      received_items: [],
      declared: nothing,
      measured: nothing,
      difference: nothing,
      volumetric_weight_kg: null,
      chargeable_weight_kg: null,
      volume_divisor: 5000,
      corrections: [],
    });
  });

  test('names its version as the ETag', async () => {
    await app.submit(app.submission());
    expect((await app.call('GET', '/open/v1/forecasts/PO-1')).headers['etag']).toBe('"1"');
  });

  test.each(['a/b', 'ä 你好', '100%', 'cancel', 'a?b#c', '..', "'; DROP TABLE forecasts; --"])('finds %j', async (poNumber) => {
    expect((await app.submit(app.submission({ po_number: poNumber }))).code).toBe('0');
    const response = await app.call('GET', `/open/v1/forecasts/${encodeURIComponent(poNumber)}`);
    expect(response.data.po_number).toBe(poNumber);
  });

  test.each([['%ff'], ['PO-1%00'], ['%20PO-1'], ['x'.repeat(65)]])('responds with the path %s as not found', async (path) => {
    await app.submit(app.submission());
    expect((await app.call('GET', `/open/v1/forecasts/${path}`)).status).toBe(404);
  });

  test('of another tenant does not exist', async () => {
    await app.submit(app.submission());
    expect((await app.call('GET', '/open/v1/forecasts/PO-1', { tenant: 'tnt_b' })).code).toBe('40401');
  });
});

describe('the tracking query of a forecast without a parcel under watch', () => {
  const track = (query: string) => app.call('GET', `/open/v1/forecasts/tracking?${query}`);

  test('says whether the parcel has been shipped, without nodes', async () => {
    const { data: accepted } = await app.submit(app.submission());
    const nothing = { po_number: 'PO-1', is_terminal: false, latest_status: '', nodes: [] };
    expect((await track('po_number=PO-1')).data).toEqual({ ...nothing, is_shipped: false });
    const from = { event_id: 'e1', warehouse_code: 'WH1', express_no: null, occurred_at: isoInstant(START) };
    const { forecast_no } = accepted;
    await app.deliver('warehouse.dispatched', { ...from, forecast_no, carrier_code: 'acme', tracking_number: 'T1' });
    expect((await track('po_number=PO-1')).data).toEqual({ ...nothing, is_shipped: true });
  });

  test('knows the forecasts of its tenant only', async () => {
    await app.submit(app.submission(), 'tnt_b');
    const responses = await Promise.all(['po_number=PO-1', 'po_number=%20'].map(track));
    expect(responses.map(({ status, code }) => [status, code])).toEqual([
      [404, '40401'],
      [404, '40401'],
    ]);
    expect((await track('')).data.errors).toMatchObject([{ field: 'po_number', rule: 'required' }]);
  });

  test('names an unknown parameter', async () => {
    await app.submit(app.submission());
    expect((await track('po_number=PO-1&live=true')).data.warnings).toMatchObject([{ field: 'live' }]);
  });
});

test('an unknown path is no endpoint', async () => {
  expect((await app.call('GET', '/open/v1/forecasts/PO-1/nothing')).code).toBe('40402');
});
