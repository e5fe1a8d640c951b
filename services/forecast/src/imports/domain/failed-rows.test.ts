import { expect, test } from '@jest/globals';
import { MAX_CELL_CHARACTERS } from '@parcelway/contracts/import-limits';
import { charactersOf, MAX_ROW_CHARACTERS } from './cell-characters.ts';
import { convertCell } from './convert-cell.ts';
import { csvLine, FailedRows } from './failed-rows.ts';

test('a line quotes what would be read otherwise', () => {
  expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', ' h', '', 'i;j'])).toBe('a,"b,c","d""e","f\ng"," h",,"i;j"\r\n');
});

test('rows have the columns as they were, and why they failed', () => {
  const table = new FailedRows([
    { title: 'PO', field: 'po_number' },
    { title: 'Error', field: null },
    { title: 'Note', field: null },
  ]);
  expect(table.titles()).toEqual(['PO', 'Note', 'error']);
  expect(table.texts({ cells: [9405219000, 'old', true], errors: [{ message: 'a' }, { message: 'b' }] })).toEqual([
    '9405219000',
    'TRUE',
    'a; b',
  ]);
  expect(table.texts({ cells: [], errors: [] })).toEqual(['', '', '']);
});

test('what would be a formula is a text', () => {
  const table = new FailedRows([
    { title: '=A1', field: null },
    { title: 'Qty', field: 'forecast_quantity' },
    { title: 'Note', field: null },
  ]);
  expect(table.titles()).toEqual(["'=A1", 'Qty', 'Note', 'error']);
  expect(table.texts({ cells: ['=HYPERLINK("x")', -5, '-5'], errors: [{ message: '=A1 is long' }] })).toEqual([
    `'=HYPERLINK("x")`,
    '-5',
    "'-5",
    "'=A1 is long",
  ]);
});

test('what would be a formula in a program that separates cells by semicolons is a text', () => {
  const table = new FailedRows([
    { title: 'PO', field: 'po_number' },
    { title: 'Note', field: null },
  ]);
  const line = csvLine(table.texts({ cells: ['P1', 'lamp;=HYPERLINK("http://x");z'], errors: [{ message: '"a;=1" is long' }] }));
  expect(line.split(';').filter((cell) => cell.startsWith('='))).toEqual([]);
  expect(line).toBe(`P1,"lamp;'=HYPERLINK(""http://x"");z","""a;'=1"" is long"\r\n`);
});

test('a number whose digits are cut does not come back as a whole one', () => {
  const table = new FailedRows([
    { title: 'EAN', field: 'barcode' },
    { title: 'Name', field: 'product_name_en' },
    { title: 'Note', field: null },
  ]);
  const cut = 1_234_567_890_123_456_800;
  const [barcode, ...others] = table.texts({ cells: [cut, cut, cut], errors: [] });
  expect(others).toEqual(['1234567890123456768', '1234567890123456768', '']);
  expect(convertCell(barcode, { kind: 'number-text' }).error?.rule).toBe('lost_digits');
});

test('reasons are cut where the row could not be imported with them', () => {
  const table = new FailedRows([{ title: 'Note', field: null }]);
  const errors = Array.from({ length: 20 }, () => ({ message: 'x'.repeat(999) }));
  const [, reason = ''] = table.texts({ cells: [], errors });
  expect([reason.length, reason.endsWith('x…')]).toEqual([MAX_CELL_CHARACTERS, true]);
  const long = table.texts({ cells: ['n'.repeat(MAX_ROW_CHARACTERS - 50)], errors });
  expect(charactersOf(long)).toBe(MAX_ROW_CHARACTERS);
  expect(table.texts({ cells: ['n'.repeat(MAX_ROW_CHARACTERS - 1)], errors })[1]).toBe('');
});
