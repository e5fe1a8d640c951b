import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { importJob } from '../testing/import-forms.ts';
import { type ImportRecord, importCollections } from './import-collections.ts';
import {
  createImportStore,
  type HeldImport,
  type ImportName,
  type ImportStore,
  type NewImport,
  type NewRow,
  type RowLimit,
  type RowOutcome,
  TakenOver,
} from './import-store.ts';

const MOST = 3;

const job = (tenantId: string, number: number): NewImport => importJob(tenantId, `imp_${String(number).padStart(4, '0')}`, number);

const choice = { mapping: { Order: 'po_number', Note: null }, validateOnly: false };
const columns = [{ title: 'Order', field: 'po_number' }];
const warnings = [{ field: 'Note', message: 'is ignored' }];
const row = (number: number, poNumber: string, first = number): NewRow => ({
  row: number,
  poNumber,
  first,
  cells: [poNumber, number, null, { error: '#N/A' }],
});

const most = (rows: number, characters = 1000) => ({ rows, characters });

function outcome(number: number, state: RowOutcome['state']): RowOutcome {
  const errors = state === 'failed' ? [{ field: 'Order', rule: 'required', message: 'Order is required' }] : [];
  return { row: number, state, forecastNo: state === 'accepted' ? `FC${number}` : null, errors, warnings: [] };
}

let db: SqliteDatabase;
let store: ImportStore;
beforeEach(() => {
  db = new SqliteDatabase(':memory:');
  db.declare(sqliteSchema(importCollections));
  store = createImportStore(createSqliteStore({ db }));
});
afterEach(() => db.close());

describe('the store of imports', () => {
  const ready = async (tenantId: string, number: number, seed?: string): Promise<NewImport> => {
    const one = job(tenantId, number);
    expect(await store.begin(one, MOST)).toBe(true);
    expect((await store.ready(one, choice, seed))?.importId).toBe(one.importId);
    return one;
  };
  const begun = async (tenantId: string, number: number): Promise<ImportRecord> =>
    (await store.take(await ready(tenantId, number))) as ImportRecord;
  const found = async (importName: ImportName): Promise<ImportRecord> => (await store.find(importName)) as ImportRecord;
  const rowNumbers = (rows: readonly { readonly row: number }[]): number[] => rows.map((one) => one.row);

  test('shows an import once its file is stored', async () => {
    const one = job('tnt_a', 1);
    await store.begin(one, MOST);
    expect(await store.find(one)).toBeUndefined();
    expect(await store.list('tnt_a', undefined, 10)).toEqual([]);
    expect((await store.unfinished('tnt_a')).map(({ state }) => state)).toEqual(['receiving']);
    await store.ready(one, choice, undefined);
    expect(await found(one)).toMatchObject({ ...one, ...choice, state: 'running', phase: 'waiting', attempt: 0 });
    expect(await store.find({ ...one, tenantId: 'tnt_b' })).toBeUndefined();
    expect(await store.ready(job('tnt_a', 9), choice, undefined)).toBeUndefined();
  });

  test('keeps rows once, in their order', async () => {
    const one = await begun('tnt_a', 1);
    await store.note(one, { phase: 'reading', columns, warnings });
    expect(await found(one)).toMatchObject({ phase: 'reading', columns, warnings });
    const rows = [row(2, 'P1'), row(3, 'P2'), row(100, 'P1', 2)];
    await store.addRows(one, rows, 3);
    await store.addRows(one, rows, 3);
    await store.addRows(one, [], 3);
    expect(await found(one)).toMatchObject({ total: 3 });
    const stored = await store.rows(one, { after: 0, limit: 10 });
    expect(stored).toEqual(
      rows.map(({ first: _, ...given }) => ({ ...given, state: 'pending', forecastNo: null, errors: [], warnings: [] })),
    );
    expect(rowNumbers(await store.rows(one, { after: 2, limit: 1 }))).toEqual([3]);
    expect(rowNumbers(await store.pending(one, most(10)))).toEqual([2, 100, 3]);
    expect(rowNumbers(await store.pending(one, most(1)))).toEqual([2, 100]);
  });

  test('reads pending rows up to a number of characters, and whole forecasts', async () => {
    const one = await begun('tnt_a', 1);
    const long = (number: number, poNumber: string, first = number) => ({
      ...row(number, poNumber, first),
      cells: [poNumber, 'x'.repeat(400)],
    });
    const rows = Array.from({ length: 150 }, (_, index) => long(index + 2, `P${index % 3}`, 2 + (index % 3)));
    await store.addRows(one, rows, rows.length);
    const forecastsOf = async (limit: RowLimit) => (await store.pending(one, limit)).map(({ poNumber }) => poNumber);
    expect(await forecastsOf(most(1000, 300))).toEqual(Array(50).fill('P0'));
    expect(await forecastsOf(most(51, 1e6))).toEqual([...Array(50).fill('P0'), ...Array(50).fill('P1')]);
    expect(await forecastsOf(most(1000, 1e6))).toHaveLength(150);
    // Rows without a po_number belong together with none.
    const lost = await begun('tnt_b', 2);
    await store.addRows(lost, [long(2, ''), long(3, ''), long(4, '')], 3);
    expect(await store.pending(lost, most(2))).toHaveLength(2);
  });

  test('settles rows once, and counts them', async () => {
    const one = await begun('tnt_a', 1);
    await store.addRows(one, [row(2, 'P1'), row(3, 'P2'), row(4, 'P1'), row(5, 'P3')], 4);
    await store.settle(one, [outcome(2, 'accepted'), outcome(3, 'failed'), outcome(4, 'accepted')], { accepted: 1, failed: 1 });
    const counts = { accepted: 2, failed: 1, forecastsAccepted: 1, forecastsFailed: 1 };
    expect(await found(one)).toMatchObject(counts);
    await expect(store.settle(one, [outcome(5, 'accepted'), outcome(4, 'failed')], { accepted: 1, failed: 1 })).rejects.toMatchObject({
      code: '50301',
    });
    expect(await found(one)).toMatchObject(counts);
    // An earlier try got through, whose response got lost.
    await store.settle(one, [outcome(4, 'accepted'), outcome(3, 'failed')], { accepted: 1, failed: 1 });
    expect(await found(one)).toMatchObject(counts);
    expect(rowNumbers(await store.pending(one, most(10)))).toEqual([5]);
    expect(await store.rows(one, { state: 'failed', after: 0, limit: 10 })).toMatchObject([outcome(3, 'failed')]);
    expect(rowNumbers(await store.rows(one, { state: 'accepted', after: 2, limit: 10 }))).toEqual([4]);
  });

  test.each<[string, (store: ImportStore, held: HeldImport) => Promise<unknown>]>([
    ['notes how far it has come', (on, held) => on.note(held, { phase: 'submitting', total: 9 })],
    ['stores rows', (on, held) => on.addRows(held, [row(9, 'P9')], 9)],
    ['writes results', (on, held) => on.settle(held, [outcome(2, 'failed')], { accepted: 0, failed: 1 })],
    ['writes results again', (on, held) => on.settle(held, [outcome(3, 'accepted')], { accepted: 1, failed: 0 })],
  ])('lets only who took an import last write to it: %s', async (_what, write) => {
    const former = await begun('tnt_a', 1);
    await store.addRows(former, [row(2, 'P1'), row(3, 'P2')], 2);
    await store.settle(former, [outcome(3, 'accepted')], { accepted: 1, failed: 0 });
    const present = (await store.take(former)) as ImportRecord;
    expect([former.attempt, present.attempt]).toEqual([1, 2]);
    await expect(write(store, former)).rejects.toThrow(TakenOver);
    expect(await store.finish(former, { state: 'failed', error: null, at: 5 }, former.attempt)).toBe(false);
    expect(await found(former)).toEqual(present);
    expect(rowNumbers(await store.rows(former, { after: 0, limit: 10 }))).toEqual([2, 3]);
    await store.settle(present, [outcome(2, 'accepted')], { accepted: 1, failed: 0 });
    expect(await store.finish(present, { state: 'done', error: null, at: 5 }, present.attempt)).toBe(true);
    expect(await store.take(present)).toBeUndefined();
    expect(await found(present)).toMatchObject({ state: 'done', accepted: 2, forecastsAccepted: 2, failed: 0 });
  });
});
