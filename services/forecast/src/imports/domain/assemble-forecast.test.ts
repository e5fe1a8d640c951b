import { describe, expect, test } from '@jest/globals';
import { MAX_CELL_CHARACTERS } from '@parcelway/contracts/import-limits';
import { assembleForecast, findingsByRow, MAX_ROW_FINDINGS, poNumberOf, settledRows } from './assemble-forecast.ts';
import { charactersOf, convertCell, MAX_ROW_CHARACTERS } from './convert-cell.ts';
import { csvLine, FailedRows } from './failed-rows.ts';

const columns = [
  { title: 'Order', field: 'po_number' },
  { title: 'Note', field: null },
  { title: 'Cartons', field: 'carton_count' },
  { title: 'SKU', field: 'sku_code' },
  { title: 'Qty', field: 'forecast_quantity' },
];

test('the po_number of a row groups it', () => {
  expect(poNumberOf([' P1 '], columns)).toBe('P1');
  expect(poNumberOf([12], columns)).toBe('12');
  expect(poNumberOf(['1.2E+20'], columns)).toBe('');
  expect(poNumberOf(['P1'], [{ title: 'x', field: null }])).toBe('');
});

describe('a forecast', () => {
  test('has its own fields from the first row that has them, and one item for each row', () => {
    const rows = [
      { row: 2, cells: ['P1', null, null, 'A', 1] },
      { row: 3, cells: ['P1', null, 4, 'B', 2] },
      { row: 9, cells: ['P1', null, '4', 'C', 3] },
      { row: 10, cells: ['P1', null, null, 'D', 4] },
    ];
    const { body, errors } = assembleForecast(rows, columns);
    expect(errors.size).toBe(0);
    expect(body).toEqual({
      po_number: 'P1',
      carton_count: 4,
      items: [
        { sku_code: 'A', forecast_quantity: 1 },
        { sku_code: 'B', forecast_quantity: 2 },
        { sku_code: 'C', forecast_quantity: 3 },
        { sku_code: 'D', forecast_quantity: 4 },
      ],
    });
  });

  test('whose rows contradict each other is at fault where they do', () => {
    const rows = [
      { row: 2, cells: ['P1', null, 4, 'A', 1] },
      { row: 3, cells: ['P1', null, 5, 'B', 'x'] },
    ];
    const { errors } = assembleForecast(rows, columns);
    expect([...errors.keys()]).toEqual([3]);
    expect(errors.get(3)?.map(({ field, rule }) => [field, rule])).toEqual([
      ['Qty', 'type'],
      ['Cartons', 'conflict'],
    ]);
    expect(errors.get(3)?.[1]?.message).toContain('row 2');
  });
});

describe('findings about a body', () => {
  const rows = [{ row: 2 }, { row: 5 }];

  test('belong to the row of the item, or to the first', () => {
    const found = findingsByRow(
      [
        { field: 'items[1].sku_code', message: 'items[1].sku_code is $& required' },
        { field: 'shipping_label', message: 'shipping_label is required' },
        { field: 'items', message: 'items must have at most 2000 elements' },
        { field: '', message: 'The body is wrong' },
      ],
      rows,
      columns,
    );
    expect(found.get(5)).toEqual([{ field: 'SKU', message: 'SKU is $& required' }]);
    expect(found.get(2)?.map(({ field }) => field)).toEqual(['shipping_label', 'items', '']);
  });

  test('are limited for each row', () => {
    const many = Array.from({ length: 50 }, () => ({ field: 'po_number', message: 'x' }));
    expect(findingsByRow(many, rows, columns).get(2)).toHaveLength(MAX_ROW_FINDINGS);
  });
});

test('a line quotes what would be read otherwise', () => {
  expect(csvLine(['a', 'b,c', 'd"e', 'f\ng', ' h', 'h ', '', 'i;j', 'k l'])).toBe('a,"b,c","d""e","f\ng"," h","h ",,"i;j",k l\r\n');
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

describe('settled rows', () => {
  const rows = [{ row: 2 }, { row: 3 }, { row: 4 }];

  const columns = [{ title: 'Order', field: 'po_number' }];

  const error = (field: string) => ({ field, rule: 'r', message: `${field} is wrong` });

  test('rows without an error name the first row that has one', () => {
    const settled = settledRows(rows, columns, { errors: new Map([[3, [error('Qty')]]]) });
    expect(settled.map(({ errors }) => errors.map(({ field, message }) => `${field}: ${message}`))).toEqual([
      ['Order: Row 3 of the same forecast has an error'],
      ['Qty: Qty is wrong'],
      ['Order: Row 3 of the same forecast has an error'],
    ]);
    expect(settled.every(({ state, forecastNo }) => state === 'failed' && forecastNo === null)).toBe(true);
  });

  test('what the check says of a cell that could not be read is left out', () => {
    const further = new Map([
      [2, [error('SKU')]],
      [3, [error('Qty'), error('Name')]],
    ]);
    const settled = settledRows(rows, columns, { errors: new Map([[3, [error('Qty')]]]), further });
    expect(settled.map(({ errors }) => errors.map(({ field }) => field))).toEqual([['SKU'], ['Qty', 'Name'], ['Order']]);
  });
});
