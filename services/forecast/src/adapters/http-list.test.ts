import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastList, ForecastSummary } from '@parcelway/contracts/forecast-api';
import { compileValidator } from '@parcelway/contracts/validator';
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

  test('shows of a forecast what its detail shows, also after a correction', async () => {
    const shown = async () => {
      const [listed] = (await list()).data.forecasts;
      const detail = new Map(Object.entries((await app.call('GET', '/open/v1/forecasts/PO-1')).data));
      expect(listed).toEqual(Object.fromEntries(Object.keys(ForecastSummary.properties).map((name) => [name, detail.get(name)])));
      return { ...listed };
    };
    await app.submit(app.submission({ due_date: '2026-12-24' }));
    // No value is null, so that the test notices one that the list forgets.
    expect(Object.values(await shown())).not.toContain(null);
    await app.correct('PO-1', { due_date: '2026-12-25' });
    expect(await shown()).toMatchObject({ due_date: '2026-12-25', version: 2 });
  });

  test('has cursors that nobody can read, of one tenant alone', async () => {
    await submitMany(2, 0);
    const { next_cursor: cursor } = (await list('?limit=1')).data;
    expect(Buffer.from(String(cursor), 'base64url').toString('latin1')).not.toMatch(/^[\x20-\x7e]*$/);
    expect(await list(`?cursor=${cursor}`, 'tnt_b')).toMatchObject({ code: '42201' });
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

  test('finds by the beginning of a po_number, in the order of po_numbers', async () => {
    for (const poNumber of ['B-2', 'A-2', 'B-1', 'b-1']) await app.submit(app.submission({ po_number: poNumber }));
    expect(poNumbers(await list('?q=B-'))).toEqual(['B-1', 'B-2']);
    const first = await list('?q=B&limit=1');
    expect(poNumbers(await list(`?q=B&limit=1&cursor=${first.data.next_cursor}`))).toEqual(['B-2']);
  });

  test('finds by SKU, logistics number, warehouse and forecast_no, together', async () => {
    const item = (sku_code: string, tracking_number?: string) => ({
      sku_code,
      product_name_en: 'Lamp',
      forecast_quantity: 1,
      tracking_number,
    });
    const lamp = await app.submit(app.submission({ po_number: 'PO-1', items: [item('LAMP', 'lp-1234'), item('CUP')] }));
    await app.submit(app.submission({ po_number: 'PO-2', warehouse_code: 'WH2', items: [item('CUP')] }));
    expect(poNumbers(await list('?sku_code=CUP'))).toEqual(['PO-2', 'PO-1']);
    expect(poNumbers(await list('?sku_code=CUP&warehouse_code=WH1'))).toEqual(['PO-1']);
    expect(poNumbers(await list('?sku_code=cup'))).toEqual([]);
    expect(poNumbers(await list('?tracking_number=LP%201234'))).toEqual(['PO-1']);
    expect(poNumbers(await list('?warehouse_code=WH2'))).toEqual(['PO-2']);
    expect(poNumbers(await list(`?forecast_no=${lamp.data.forecast_no}&sku_code=LAMP`))).toEqual(['PO-1']);
    expect(poNumbers(await list('?sku_code=CUP', 'tnt_b'))).toEqual([]);
  });

  test('follows a correction to other items and another warehouse', async () => {
    await submitMany(2, 0);
    await app.correct('PO-1', { warehouse_code: 'WH2', items: [{ sku_code: 'CUP', product_name_en: 'Cup', forecast_quantity: 1 }] });
    expect(poNumbers(await list('?sku_code=SKU-1'))).toEqual(['PO-2']);
    expect(poNumbers(await list('?sku_code=CUP&warehouse_code=WH2'))).toEqual(['PO-1']);
  });

  test('finds by the number of every dispatch', async () => {
    const { data } = await app.submit(app.submission({ items: [{ sku_code: 'A', product_name_en: 'Lamp', forecast_quantity: 1 }] }));
    for (const number of ['C-1001', 'C-1002']) {
      const dispatch = { carrier_code: 'acme', tracking_number: number.replace('-', ''), express_no: null };
      const about = { event_id: `we ${number}`, forecast_no: data.forecast_no, warehouse_code: 'WH1', occurred_at: isoInstant(START) };
      await app.deliver('warehouse.dispatched', { ...about, ...dispatch });
    }
    for (const number of ['c-1001', 'C%201002']) expect(poNumbers(await list(`?tracking_number=${number}`))).toEqual(['PO-1']);
  });

  test('finds damaged parcels and those on hold, and shows both', async () => {
    await submitMany(3, 1000);
    const { data } = await app.call('GET', '/open/v1/forecasts/PO-2');
    const about = (event_id: string) => ({
      event_id,
      forecast_no: data.forecast_no,
      warehouse_code: 'WH1',
      occurred_at: isoInstant(START),
      express_no: null,
    });
    await app.deliver('warehouse.exception', { ...about('e1'), reason: 'damaged', text: null, photos: [] });
    await app.deliver('warehouse.held', { ...about('e2'), reason: null });
    const shown = async (query: string) =>
      (await list(query)).data.forecasts.map(({ po_number, has_exception, on_hold }: ForecastSummary) => [
        po_number,
        has_exception,
        on_hold,
      ]);
    const nothing = (poNumber: string) => [poNumber, false, false];
    expect(await shown('')).toEqual([nothing('PO-3'), ['PO-2', true, true], nothing('PO-1')]);
    for (const query of ['?has_exception=true', '?on_hold=true', '?has_exception=true&on_hold=true&warehouse_code=WH1']) {
      expect(await shown(query)).toEqual([['PO-2', true, true]]);
    }
    expect(await shown('?has_exception=false&on_hold=false&limit=1')).toEqual([nothing('PO-3')]);
    await app.deliver('warehouse.released', { ...about('e3'), occurred_at: isoInstant(START + 1) });
    expect(await shown('?on_hold=true')).toEqual([]);
    expect(await shown('?has_exception=true')).toEqual([['PO-2', true, false]]);
    expect((await app.call('GET', '/open/v1/forecasts/PO-2')).data).toMatchObject({ has_exception: true, on_hold: false });
  });

  test('finds what has changed since, latest change first', async () => {
    await submitMany(3, 1000);
    await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
    const at = (offset: number) => encodeURIComponent(isoInstant(START + offset));
    expect(poNumbers(await list(`?updated_from=${at(1000)}`))).toEqual(['PO-1', 'PO-3', 'PO-2']);
    expect(poNumbers(await list(`?updated_from=${at(1000)}&updated_to=${at(3000)}`))).toEqual(['PO-3', 'PO-2']);
    const first = await list(`?updated_from=${at(0)}&limit=2`);
    expect(poNumbers(await list(`?updated_from=${at(0)}&limit=2&cursor=${first.data.next_cursor}`))).toEqual(['PO-2']);
  });

  test('refuses a cursor with other filters than those that it was made for', async () => {
    await submitMany(2, 1);
    const { next_cursor: cursor } = (await list('?limit=1&warehouse_code=WH1')).data;
    expect(poNumbers(await list(`?limit=2&warehouse_code=WH1&cursor=${cursor}`))).toEqual(['PO-1']);
    for (const filters of ['', 'q=PO&', 'warehouse_code=WH2&', 'warehouse_code=WH1&status=1&']) {
      expect(await list(`?${filters}cursor=${cursor}`)).toMatchObject({
        status: 422,
        data: { errors: [{ field: 'cursor', rule: 'cursor' }] },
      });
    }
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
    ['has_exception=1', 'has_exception'],
    ['on_hold=yes', 'on_hold'],
    ['status=accepted', 'status'],
    ['created_from=yesterday', 'created_from'],
    ['created_to=2026-01-31T23:59:60Z', 'created_to'],
    ['po_number=', 'po_number'],
    ['q=', 'q'],
    [`q=${'x'.repeat(65)}`, 'q'],
    ['q=%00', 'q'],
    ['tracking_number=abc', 'tracking_number'],
    ['sku_code=%20A', 'sku_code'],
    ['forecast_no=', 'forecast_no'],
    [`warehouse_code=${'x'.repeat(33)}`, 'warehouse_code'],
    ['updated_from=yesterday', 'updated_from'],
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
