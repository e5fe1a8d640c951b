import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { ForecastStore } from '../store/forecast-store.ts';
import { importJob } from '../testing/import-forms.ts';
import { useCasesOver } from '../testing/open-use-cases.ts';
import { openStores } from '../testing/store-under-test.ts';
import type { ImportRecord } from './import-collections.ts';
import { createImportStore, type ImportStore, type NewRow } from './import-store.ts';
import { type SubmitRowsOptions, submitRows } from './submit-rows.ts';

const TENANT = 'tnt_a';
const COLUMNS = ['po_number', 'forecast_type', 'warehouse_code', 'sku_code', 'product_name_en', 'forecast_quantity'].map((field) => ({
  title: field,
  field,
}));

let db: SqliteDatabase;
let forecasts: ForecastStore;
let imports: ImportStore;
let options: SubmitRowsOptions;
let useCases: ReturnType<typeof useCasesOver>;
let warehouses: { exists(code: string): Promise<boolean> };
let isOut: boolean;
let numberOfImports: number;
const clock = new ManualClock(Date.UTC(2026, 10, 21));

beforeEach(() => {
  const stores = openStores();
  ({ db, store: forecasts } = stores);
  imports = createImportStore(stores.documents);
  isOut = false;
  numberOfImports = 0;
  warehouses = {
    async exists(code) {
      if (isOut) throw AppError.unavailable('The directory does not respond');
      return code === 'WH1';
    },
  };
  useCases = useCasesOver(forecasts, clock, { warehouses });
  const { submit, validate } = useCases;
  options = { store: imports, submit, validate, forecasts, logger: silentLogger };
});
afterEach(() => db.close());

const row = (number: number, poNumber: string, quantity = 1): Omit<NewRow, 'first'> => ({
  row: number,
  poNumber,
  cells: [poNumber, 1, 'WH1', `SKU-${number}`, 'Lamp', quantity],
});

/** Rows as the reading of a file gives them. */
function withFirst(rows: readonly Omit<NewRow, 'first'>[]): NewRow[] {
  const firsts = new Map(rows.map(({ poNumber, row }) => [poNumber, row] as const).reverse());
  return rows.map((one) => ({ ...one, first: one.poNumber === '' ? one.row : (firsts.get(one.poNumber) as number) }));
}

const submission = (poNumber: string) => ({
  po_number: poNumber,
  forecast_type: 1,
  warehouse_code: 'WH1',
  items: [{ sku_code: 'other', product_name_en: 'Other', forecast_quantity: 9 }],
});

async function importOf(rows: readonly Omit<NewRow, 'first'>[]): Promise<ImportRecord> {
  numberOfImports += 1;
  const name = importJob(TENANT, `imp_${numberOfImports}`, clock.now());
  await imports.begin(name, 10);
  await imports.ready(name, { mapping: {}, validateOnly: false }, undefined);
  const held = (await imports.take(name)) as ImportRecord;
  await imports.addRows(held, withFirst(rows), rows.length);
  await imports.note(held, { phase: 'submitting', columns: COLUMNS });
  return (await imports.find(name)) as ImportRecord;
}

/** A store that fails when the results are to be written, as if the process had ended there. */
const endedBeforeSettling = (): SubmitRowsOptions => ({
  ...options,
  settlePausesMs: [],
  store: { ...imports, settle: () => Promise.reject(AppError.unavailable('The process ended')) },
});

const statesOf = async (record: ImportRecord) => (await imports.rows(record, { after: 0, limit: 1000 })).map(({ state }) => state);
const countOf = (): number => db.get<{ n: number }>('SELECT count(*) AS n FROM forecasts')?.n ?? 0;
async function allOf(record: ImportRecord): Promise<void> {
  for (let turns = 0; await submitRows(options, record); turns += 1) if (turns > 100) throw new Error('It does not end');
}

describe('forecasts of an import', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['cancelled', () => useCases.cancel(TENANT, 'P1')],
    [
      'corrected',
      () =>
        useCases.correct({
          tenantId: TENANT,
          poNumber: 'P1',
          body: { carton_count: 7 },
          ifMatch: undefined,
          keyId: 'key_1',
          seed: undefined,
          traceparent: undefined,
        }),
    ],
    [
      'cancelled and replaced by another',
      async () => {
        await useCases.cancel(TENANT, 'P1');
        await options.submit(TENANT, submission('P1'));
      },
    ],
    [
      'cancelled while its warehouse was closed',
      async () => {
        await useCases.cancel(TENANT, 'P1');
        warehouses.exists = async () => false;
      },
    ],
  ])('are found again when they were %s before their results were written', async (_name, change) => {
    const record = await importOf([row(2, 'P1')]);
    await expect(submitRows(endedBeforeSettling(), record)).rejects.toMatchObject({ code: '50301' });
    const first = await forecasts.findByPoNumber(TENANT, 'P1');
    await change();
    const count = countOf();
    await allOf(record);
    expect(countOf()).toBe(count);
    expect(await imports.rows(record, { after: 0, limit: 10 })).toMatchObject([{ state: 'accepted', forecastNo: first?.forecastNo }]);
  });

  test('are refused with the fields that differ from the forecast that has their po_number', async () => {
    await allOf(await importOf([row(2, 'P1')]));
    const record = await importOf([row(2, 'P1', 7)]);
    await allOf(record);
    const [refused] = await imports.rows(record, { after: 0, limit: 10 });
    expect(refused?.errors).toMatchObject([
      { field: 'po_number', rule: 'in_use', message: expect.stringMatching(/; different are items/) },
    ]);
  });

  test('have their number to themselves', async () => {
    const { forecastNo } = await options.submit(TENANT, submission('P1'));
    await expect(options.submit(TENANT, submission('P2'), undefined, forecastNo)).rejects.toMatchObject({ code: '40902' });
  });

  test('have their results when the import is cancelled meanwhile and writing them fails at first', async () => {
    const record = await importOf([row(2, 'P1'), row(3, 'P2', 0)]);
    let tries = 0;
    const store: ImportStore = {
      ...imports,
      async settle(...given) {
        tries += 1;
        if (tries === 1) await imports.finish(record, { state: 'cancelled', error: null, at: 5 });
        if (tries < 4) throw AppError.unavailable('Another process writes results of the same import');
        await imports.settle(...given);
      },
    };
    await submitRows({ ...options, store }, record);
    expect([countOf(), await statesOf(record)]).toEqual([1, ['accepted', 'failed']]);
    expect(await imports.find(record)).toMatchObject({ state: 'cancelled', accepted: 1, failed: 1, forecastsAccepted: 1 });
  });

  test('are submitted in the order of the file: the earlier of two rows with one logistics number gets it', async () => {
    const pdf = 'https://a/label';
    const numbered = (number: number, poNumber: string, trackingNumber: string): Omit<NewRow, 'first'> => ({
      row: number,
      poNumber,
      cells: [poNumber, 2, 'WH1', 'SKU', 'Lamp', 1, pdf, pdf, trackingNumber],
    });
    const columns = [...COLUMNS, ...['shipping_label', 'shipping_note', 'tracking_number'].map((field) => ({ title: field, field }))];
    // Each number comes again with a lower po_number, far behind its first row or next to it.
    const rows = Array.from({ length: 600 }, (_, index) => numbered(index + 2, `P${1000 - index}`, `NUMBER${index % 300}`));
    const record = { ...(await importOf([...rows, numbered(700, 'Q9', 'SAME'), numbered(701, 'Q1', 'SAME')])), columns };
    await allOf(record);
    const [accepted, failed] = [Array(300).fill('accepted'), Array(300).fill('failed')];
    expect(await statesOf(record)).toEqual([...accepted, ...failed, 'accepted', 'failed']);
  });

  test('are whole, however many rows they have and wherever these are', async () => {
    const large = Array.from({ length: 4000 }, (_, index) => row(index + 2, index % 2 === 0 ? 'A' : 'B'));
    const record = await importOf([...large, row(5000, 'C'), row(5001, 'A', 0)]);
    await allOf(record);
    const items = db.all("SELECT poNumber AS po_number, body ->> 'itemCount' AS item_count FROM forecasts ORDER BY poNumber");
    expect(items).toEqual([
      { po_number: 'B', item_count: 2000 },
      { po_number: 'C', item_count: 1 },
    ]);
    expect(await imports.find(record)).toMatchObject({ accepted: 2001, failed: 2001, forecastsAccepted: 2, forecastsFailed: 1 });
  });

  test('wait while something is out; the others keep their results', async () => {
    const record = await importOf([row(2, ''), row(3, 'P1'), row(4, 'P2', 0)]);
    isOut = true;
    await expect(submitRows(options, record)).rejects.toMatchObject({ code: '50301' });
    expect(await statesOf(record)).toEqual(['failed', 'pending', 'failed']);
    const [lost] = await imports.rows(record, { after: 0, limit: 1 });
    expect(lost?.errors).toMatchObject([{ field: 'po_number', rule: 'required' }]);
    isOut = false;
    await allOf(record);
    expect(await statesOf(record)).toEqual(['failed', 'accepted', 'failed']);
    expect(await imports.find(record)).toMatchObject({ accepted: 1, failed: 2, forecastsAccepted: 1, forecastsFailed: 1 });
  });

  test.each<[AppError, object]>([
    [
      new AppError('42202', 'In use', { data: { fields: ['items[0].sku_code'] } }),
      { field: 'sku_code', rule: 'in_use', message: 'In use' },
    ],
    [new AppError('40901', 'Other content', { data: { fields: [] } }), { field: 'po_number', rule: 'in_use', message: 'Other content' }],
    [new AppError('40902', 'Too late'), { field: 'po_number', rule: 'refused', message: 'Too late' }],
    [AppError.validation([{ field: 'items[0].sku_code', rule: 'r', message: 'm' }]), { field: 'sku_code', rule: 'r', message: 'm' }],
  ])('have the fields and rules of their refusal: %s', async (refusal, expected) => {
    const record = await importOf([row(2, 'P1')]);
    await submitRows({ ...options, submit: () => Promise.reject(refusal) }, record);
    expect(await imports.rows(record, { after: 0, limit: 10 })).toMatchObject([{ state: 'failed', errors: [expected] }]);
  });

  test('fail by themselves when there is a defect', async () => {
    const record = await importOf([row(2, 'P1'), row(3, 'P2')]);
    const submit: SubmitRowsOptions['submit'] = (tenantId, body, traceparent, forecastNo) => {
      if ((body as { po_number: string }).po_number === 'P1') throw new TypeError('a defect');
      return options.submit(tenantId, body, traceparent, forecastNo);
    };
    while (await submitRows({ ...options, submit }, record));
    expect(await imports.rows(record, { after: 0, limit: 10 })).toMatchObject([
      { state: 'failed', errors: [{ rule: 'internal' }] },
      { state: 'accepted' },
    ]);
  });
});
