import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { isoInstant } from '@parcelway/kernel/clock';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { app, ForecastHarness, START, useHarness } from '../../testing/forecast-harness.ts';
import { csvOf, ImportCaller, importForm, importFormType } from '../../testing/import-forms.ts';
import { createImportStore } from '../import-store.ts';
import type { Reading } from '../ports.ts';
import { WorkerSpreadsheetReader } from './reading/worker-spreadsheet-reader.ts';

useHarness();
let merchant: ImportCaller;

beforeEach(() => {
  merchant = new ImportCaller(app);
});

afterEach(() => void jest.restoreAllMocks());

const statusOf = async (po: string): Promise<number> => (await app.call('GET', `/open/v1/forecasts/${po}`)).status;

describe('an import', () => {
  test('submits the forecasts of a CSV file, whose rows need not be next to each other', async () => {
    const content = csvOf([
      ['P1', 'A', 2],
      ['P2', 'B', 1],
      ['P1', 'C', '3'],
    ]);
    const done = await merchant.run('forecasts.csv', content);
    expect(done).toMatchObject({ state: 'done', phase: 'finished', total: 3, accepted: 3, failed: 0, forecasts_accepted: 2, error: null });
    expect(done.columns.map(({ field }) => field)).toEqual([
      'po_number',
      'forecast_type',
      'warehouse_code',
      'sku_code',
      'product_name_en',
      'forecast_quantity',
    ]);
    const { data } = await app.call('GET', '/open/v1/forecasts/P1');
    expect(data.items.map(({ sku_code, forecast_quantity }) => [sku_code, forecast_quantity])).toEqual([
      ['A', 2],
      ['C', 3],
    ]);
    const rows = await merchant.rows(done.import_id);
    expect(rows.map(({ row, po_number, state }) => [row, po_number, state])).toEqual([
      [2, 'P1', 'accepted'],
      [3, 'P2', 'accepted'],
      [4, 'P1', 'accepted'],
    ]);
    expect(rows[0]?.forecast_no).toBe(data.forecast_no);
    expect(data.history).toMatchObject([{ reason: 'submitted', key_id: 'key_test' }]);
  });

  test.each([
    ['breaks off', (stream: Readable) => void stream.destroy(new Error('aborted'))],
    ['takes too long', () => undefined],
  ])('reads its file again when the download %s', async (_what, read) => {
    const stream = new Readable({ read: () => read(stream) });
    jest.spyOn(AbortSignal, 'timeout').mockImplementationOnce(() => AbortSignal.timeout(100));
    const open = jest.spyOn(await app.blobs, 'open').mockImplementationOnce(async () => stream);
    const { data } = await merchant.upload('a.csv', csvOf([['P1', 'A', 2]]));
    await until(() => stream.destroyed);
    // The next upload wakes the runner, which takes the oldest import first. The test advances the clock, because retries wait for it.
    const next = await merchant.upload('b.csv', csvOf([['P2', 'A', 2]]));
    const finished = ({ import_id }: typeof data) =>
      until(async () => {
        app.clock.advance(20);
        const { data: read } = await merchant.read(import_id);
        return read.state === 'running' ? undefined : read;
      });
    expect(await finished(data)).toMatchObject({ state: 'done', accepted: 1 });
    expect(await finished(next.data)).toMatchObject({ state: 'done', accepted: 1 });
    expect(open).toHaveBeenCalledTimes(3);
  });

  test('can be checked without submitting', async () => {
    const content = csvOf([
      ['P1', 'A', 2],
      ['P2', 'B', 0],
    ]);
    const done = await merchant.run('a.csv', content, { validate_only: 'true' });
    expect(done).toMatchObject({ validate_only: true, state: 'done', accepted: 1, failed: 1, forecasts_accepted: 1 });
    expect((await merchant.rows(done.import_id)).map(({ state, forecast_no }) => [state, forecast_no])).toEqual([
      ['accepted', null],
      ['failed', null],
    ]);
    expect(await statusOf('P1')).toBe(404);
  });

  test('takes a mapping', async () => {
    const content = 'Bestellung,Lager,Artikel,Bezeichnung,Menge,Typ,Notiz\nP1,WH1,A,Lampe,1,1,x';
    const mapping = {
      Bestellung: 'po_number',
      Lager: 'warehouse_code',
      artikel: 'sku_code',
      Bezeichnung: 'product_name_en',
      Menge: 'forecast_quantity',
      Typ: 'forecast_type',
      Notiz: null,
    };
    const fields = { mapping: JSON.stringify(mapping) };
    expect(await merchant.run('a.csv', content, fields)).toMatchObject({ state: 'done', accepted: 1, warnings: [] });
    const without = await merchant.run('a.csv', content);
    expect(without).toMatchObject({ state: 'failed', error: { code: '42201' }, total: 0 });
    expect(without.error?.message).toMatch(/No column fills po_number, warehouse_code.*found: "Bestellung"/);
    expect(await merchant.upload('a.csv', content, { mapping: '[]' })).toMatchObject({ status: 422, code: '42201' });
    expect(await merchant.upload('a.csv', content, { validate_only: 'yes' })).toMatchObject({ status: 422, code: '42201' });
  });

  test('is listed, newest first, and belongs to its tenant', async () => {
    const ids: string[] = [];
    for (const po of ['P1', 'P2', 'P3']) ids.unshift((await merchant.run('a.csv', csvOf([[po, 'A', 1]]))).import_id);
    const first = await app.call('GET', '/open/v1/forecasts/import?limit=2');
    const page = first.data as unknown as { readonly imports: readonly { readonly import_id: string }[] };
    expect(page.imports.map(({ import_id }) => import_id)).toEqual(ids.slice(0, 2));
    const second = await app.call('GET', `/open/v1/forecasts/import?limit=2&cursor=${first.data.next_cursor}`);
    expect(second.data).toMatchObject({ imports: [{ import_id: ids[2] }], next_cursor: null });
    const other = new ImportCaller(app, 'tnt_b');
    for (const read of [other.read(ids[0] as string), other.cancel(ids[0] as string)]) {
      expect(await read).toMatchObject({ status: 404, code: '40403' });
    }
    expect(await app.call('GET', '/open/v1/forecasts/import?cursor=x')).toMatchObject({ code: '42201' });
  });

  test('takes an idempotency key', async () => {
    const content = csvOf([['P1', 'A', 1]]);
    const headers = { 'idempotency-key': 'k1' };
    const first = await merchant.upload('a.csv', content, {}, headers);
    const again = await merchant.upload('a.csv', content, {}, headers);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.data.import_id).toBe(first.data.import_id);
    expect(await merchant.upload('b.csv', content, {}, headers)).toMatchObject({ code: '40901' });
    await merchant.finished(first.data.import_id);
  });
});

test('an import that is being read when the service stops goes on later', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'parcelway-imports-')), 'forecast.db');
  const stopped = await ForecastHarness.open(path);
  const caller = new ImportCaller(stopped);
  const rows = Array.from({ length: 50_000 }, (_, index) => [`P${index}`, 'A', 1] as const);
  const { data } = await caller.upload('a.csv', csvOf(rows));
  await until(async () => (await caller.read(data.import_id)).data.phase === 'reading');
  await stopped.close();
  const db = new SqliteDatabase(path);
  const record = await createImportStore(createSqliteStore({ db })).find({ tenantId: 'tnt_a', importId: data.import_id });
  db.close();
  expect(record).toMatchObject({ state: 'running', phase: 'reading', error: null });
});

describe('a preview', () => {
  test('shows the mapping and the first rows, and stores nothing', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => [`P${index}`, 'A', index] as const);
    const { data } = await merchant.preview('a.csv', `${csvOf(rows).replace('PO number', 'Order no')}\n`);
    expect(data).toMatchObject({ missing: [], warnings: [] });
    expect(data.columns[0]).toEqual({ title: 'Order no', field: 'po_number', sample: 'P0' });
    expect(data).toMatchObject({ row_count: 20, has_more_rows: false });
    expect(data.rows).toHaveLength(10);
    expect(data.rows[0]).toMatchObject({ row: 2, po_number: 'P0', values: { forecast_quantity: 0 }, errors: [{ field: 'Quantity' }] });
    expect(data.rows[1]?.errors).toEqual([]);
    expect((await app.call('GET', '/open/v1/forecasts/import')).data).toMatchObject({ imports: [] });
  });

  test('shows what is wrong with a file that cannot be imported, row by row', async () => {
    const { data } = await merchant.preview('a.csv', `PO,SKU,Remark\n,A,\n,B,${'x'.repeat(101)}\nP1,C,\nP1,,`);
    expect(data.missing).toEqual(['warehouse_code', 'product_name_en', 'forecast_quantity']);
    expect(data.columns.map(({ sample }) => sample)).toEqual([null, 'A', null]);
    expect(data.rows.map(({ po_number }) => po_number)).toEqual([null, null, 'P1', 'P1']);
    const isMissing = (field: string) =>
      data.rows.map(({ errors }) => errors.some((one) => one.field === field && one.rule === 'required'));
    // Rows without a po_number are forecasts of their own.
    expect(isMissing('PO')).toEqual([true, true, false, false]);
    expect(isMissing('SKU')).toEqual([false, false, false, true]);
  });

  test('counts a thousand rows', async () => {
    const rows = (count: number) => csvOf(Array.from({ length: count }, (_, index) => [`P${index}`, 'A', 1] as const));
    expect((await merchant.preview('a.csv', rows(1000))).data).toMatchObject({ row_count: 1000, has_more_rows: false });
    const { data } = await merchant.preview('a.csv', rows(1001));
    expect([data.row_count, data.has_more_rows, data.rows.length]).toEqual([1000, true, 10]);
  });
});

describe('the template', () => {
  const withLabels = (text: string): string =>
    text
      .replaceAll('https://api.example.com/files/your-label.pdf', app.pdf())
      .replaceAll('https://api.example.com/files/your-packing-list.pdf', app.pdf('tnt_a', 'B'.repeat(22)));

  test('as CSV is accepted once it has real labels', async () => {
    const done = await merchant.run('template.csv', withLabels(await merchant.file('template.csv')));
    expect(await merchant.rows(done.import_id, '?state=failed')).toEqual([]);
    expect(done).toMatchObject({ state: 'done', accepted: 2, forecasts_accepted: 1, warnings: [] });
  });

  test('as XLSX has the same rows', async () => {
    const { data } = await merchant.preview('template.xlsx', await merchant.bytes('template.xlsx'));
    expect(data.rows.map(({ errors }) => errors.map(({ rule }) => rule))).toEqual([['file_url', 'file_url'], ['forecast']]);
    expect(data.rows[0]?.values).toMatchObject({ hs_code: '9405219000', forecast_quantity: 20, declared_weight_kg: 1.2 });
    expect(data.missing).toEqual([]);
  });
});

test('a preview is not read any more when its client has gone', async () => {
  let reading: Reading | undefined;
  jest.spyOn(WorkerSpreadsheetReader.prototype, 'read').mockImplementation(async function* (_content, _kind, given) {
    reading = given;
    yield { rows: [], warnings: [], countsFrom1904: false };
    await once(given.signal as AbortSignal, 'abort');
    throw new Error('Nobody waits for it');
  });
  const client = new AbortController();
  const body = importForm('a.csv', 'PO\nP1');
  const path = '/open/v1/forecasts/import/preview';
  const preview = app.call('POST', path, { body, contentType: importFormType, signal: client.signal });
  const begun = await until(() => reading, { what: 'the reading to begin' });
  expect(begun).toMatchObject({ tenantId: 'tnt_a', purpose: 'preview', signal: { aborted: false } });
  client.abort();
  await expect(preview).rejects.toMatchObject({ name: 'AbortError' });
  await until(() => begun.signal?.aborted, { what: 'the end of the reading' });
});

test.each([
  ['its key is revoked', () => app.deliver('key.revoked', { key_id: 'key_test', revoked_at: isoInstant(START) }), '40003'],
  ['its tenant is suspended', () => app.deliver('tenant.suspended', { tenant_id: 'tnt_a', suspended_at: isoInstant(START) }), '40302'],
])('an import that runs stops when %s, and what was accepted stays', async (_when, stop, code) => {
  const rows = Array.from({ length: 3000 }, (_, index) => [`P${index}`, 'A', 1] as const);
  const { import_id } = (await merchant.upload('a.csv', csvOf(rows))).data;
  await until(async () => (await merchant.read(import_id)).data.accepted > 0, { what: 'accepted rows' });
  await stop();
  expect((await merchant.read(import_id)).data).toMatchObject({ state: 'cancelled', error: { code } });
  // A later import with another key, which comes behind all others of the tenant.
  app.clock.advance(15_000);
  expect(await new ImportCaller(app, 'tnt_a', 'key_next').run('b.csv', csvOf([['Q1', 'A', 1]]))).toMatchObject({ accepted: 1 });
  const { accepted } = (await merchant.read(import_id)).data;
  expect(accepted).toBeLessThan(rows.length);
  expect((await app.published()).filter(({ type }) => type === 'forecast.accepted').length).toBe(accepted + 1);
});
