import { describe, expect, test } from '@jest/globals';
import { MAX_IMPORT_ROWS } from '@parcelway/contracts/import-limits';
import type { Cell } from './convert-cell.ts';
import { SheetReading } from './sheet-reading.ts';
import { cleanSpreadsheetName, kindOfFile } from './spreadsheet-kind.ts';

const TITLES = ['PO', 'Warehouse', 'SKU', 'Name', 'Qty', 'Due'];

const part = (from: number, cells: readonly (readonly Cell[])[], countsFrom1904 = false) => ({
  rows: cells.map((one, index) => ({ row: from + index, cells: one })),
  warnings: ['a warning'],
  countsFrom1904,
});

const opened = (titles: readonly string[] = TITLES): SheetReading => {
  const sheet = new SheetReading({});
  sheet.take(part(1, [titles]));
  return sheet;
};

const refusal = (code: string, text: string) => expect.objectContaining({ code, message: expect.stringContaining(text) });

describe('a spreadsheet', () => {
  test('begins with its titles; the other rows have items', () => {
    const sheet = new SheetReading({});
    const rows = sheet.take(part(3, [TITLES, ['P1', 'WH1', 'A', 'Lamp', 1]]));
    expect(rows).toEqual([{ row: 4, cells: ['P1', 'WH1', 'A', 'Lamp', 1], poNumber: 'P1', first: 4 }]);
    expect(sheet.take(part(5, [[12]]))).toEqual([{ row: 5, cells: [12], poNumber: '12', first: 5 }]);
    expect(sheet.total).toBe(2);
    expect(sheet.warnings).toEqual([{ field: 'file', message: 'a warning' }]);
    expect(sheet.missing).toEqual([]);
    sheet.end();
    sheet.assertComplete();
  });

  test('has days as people read them', () => {
    const dayOf = (cell: Cell, countsFrom1904 = false) =>
      opened().take(part(2, [['P1', null, null, null, null, cell]], countsFrom1904))[0]?.cells[5];
    expect([dayOf(46053), dayOf(44591, true), dayOf('2026-01-31'), dayOf(5)]).toEqual(['2026-01-31', '2026-01-31', '2026-01-31', 5]);
    expect(opened().take(part(2, [['P1', null, null, null, 46053]]))[0]?.cells[4]).toBe(46053);
    expect([34_999, 35_000, 75_000, 75_001].map((cell) => dayOf(cell))).toEqual([34_999, '1995-10-28', '2105-05-04', 75_001]);
  });

  test('that has failed rows has its texts as they were', () => {
    const sheet = new SheetReading({});
    const [row] = sheet.take(
      part(1, [
        ["'=Note", ...TITLES],
        ["'=1+1", "'-P1", "'s", 'WH1', -5, "'-5"],
      ]),
    );
    expect(sheet.columns?.[0]?.title).toBe('=Note');
    expect(row).toMatchObject({ poNumber: '-P1', cells: ['=1+1', '-P1', "'s", 'WH1', -5, '-5'] });
  });

  test('ends with its last title, and each row with its last value', () => {
    expect(opened(['PO']).take(part(2, [['P1', 'x', 'y']]))[0]?.cells).toEqual(['P1']);
    const rows = opened(['PO', 'SKU']).take(part(2, [['P1', ' '], [null, null], []]));
    expect(rows.map(({ cells }) => cells)).toEqual([['P1'], [], []]);
  });

  test('without titles or rows is refused', () => {
    expect(() => new SheetReading({}).end()).toThrow(refusal('42201', 'empty'));
    expect(() => opened().end()).toThrow(refusal('42201', 'no rows below'));
    expect(() => opened(['PO', 'Qty']).assertComplete()).toThrow(refusal('42201', 'No column fills warehouse_code, sku_code'));
  });

  test('with too many rows, of the file or of one forecast, is refused', () => {
    const many = (count: number, poOf: (index: number) => string) =>
      part(
        2,
        Array.from({ length: count }, (_, index) => [poOf(index)]),
      );
    expect(opened().take(many(2000, () => 'P1'))).toHaveLength(2000);
    expect(() => opened().take(many(2001, () => 'P1'))).toThrow(refusal('42201', '"P1" has more than 2000 rows'));
    expect(opened().take(many(2001, () => ''))).toHaveLength(2001);
    expect(opened().take(many(MAX_IMPORT_ROWS, String))).toHaveLength(MAX_IMPORT_ROWS);
    expect(() => opened().take(many(MAX_IMPORT_ROWS + 1, String))).toThrow(refusal('42206', 'more than 50000 rows'));
  });

  test('with too many characters, of the file or of one forecast, is refused, also in columns that are ignored', () => {
    // Of 40,000 characters each, with the separators.
    const fill = (sheet: SheetReading, count: number, poOf: (index: number) => string): void => {
      for (let row = 0; row < count; row += 1) sheet.take(part(row + 2, [[poOf(row), 'x'.repeat(39_998 - poOf(row).length)]]));
    };
    const [forecast, file] = [opened(['PO', 'Note']), opened(['PO', 'Note'])];
    fill(forecast, 100, () => 'P1');
    expect(() => forecast.take(part(102, [['P1']]))).toThrow(refusal('42206', '"P1" has more than 4000000 characters'));
    fill(file, 1000, String);
    expect(() => file.take(part(1002, [['P']]))).toThrow(refusal('42206', 'The file has more than 40000000 characters'));
  });
});

const zip = Buffer.from('PK\x03\x04....');

const ole = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

const text = Buffer.from('PO,SKU\n');

test.each<[string, Buffer | undefined, string]>([
  ['a.csv', undefined, 'csv'],
  ['A.CSV', text, 'csv'],
  ['a.b.xlsx', zip, 'xlsx'],
  ['a.XLSX', undefined, 'xlsx'],
])('%s is taken', (name, head, kind) => {
  expect(kindOfFile(name, head)).toBe(kind);
});

test.each<[string, Buffer | undefined, string, RegExp]>([
  ['a.pdf', undefined, 'extension', /\.csv or \.xlsx/],
  ['csv', undefined, 'extension', /\.csv or \.xlsx/],
  ['a.xls', undefined, 'extension', /old \.xls/],
  ['a.xlsx', ole, 'content', /password/],
  ['a.csv', ole, 'content', /password/],
  ['a.xlsx', text, 'content', /no \.xlsx/],
  ['a.csv', zip, 'content', /name it \.xlsx/],
])('%s is refused', (name, head, rule, message) => {
  const data = { errors: [{ field: 'file', rule, message: expect.stringMatching(message) }] };
  expect(() => kindOfFile(name, head)).toThrow(expect.objectContaining({ code: '42205', data }));
});

test('names have no control characters, and keep their extension when they are cut', () => {
  expect(cleanSpreadsheetName('a\r\n\u0000.csv')).toBe('a.csv');
  expect(cleanSpreadsheetName(`${'x'.repeat(300)}.csv`)).toMatch(/^x{251}\.csv$/);
});
