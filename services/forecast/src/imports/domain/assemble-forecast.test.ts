import { describe, expect, test } from '@jest/globals';
import { assembleForecast, convertRow, findingsByRow, isEmptyRow, MAX_ROW_FINDINGS, poNumberOf } from './assemble-forecast.ts';

const columns = [
  { title: 'Order', field: 'po_number' },
  { title: 'Note', field: null },
  { title: 'Cartons', field: 'carton_count' },
  { title: 'SKU', field: 'sku_code' },
  { title: 'Qty', field: 'forecast_quantity' },
];

test('a row without a value is empty', () => {
  expect([isEmptyRow([null, ' ']), isEmptyRow([]), isEmptyRow([0])]).toEqual([true, true, false]);
});

test('the po_number of a row groups it', () => {
  expect(poNumberOf([' P1 '], columns)).toBe('P1');
  expect(poNumberOf([12], columns)).toBe('12');
  expect(poNumberOf(['1.2E+20'], columns)).toBe('');
  expect(poNumberOf(['P1'], [{ title: 'x', field: null }])).toBe('');
});

test('a row has values by field, and errors by column', () => {
  expect(convertRow({ row: 7, cells: ['P1', 'note', 'x', 5, '2'] }, columns)).toEqual({
    row: 7,
    values: { po_number: 'P1', sku_code: '5', forecast_quantity: 2 },
    errors: [{ field: 'Cartons', rule: 'type', message: expect.stringMatching(/^Cartons must be an integer/) }],
  });
});

describe('a forecast', () => {
  test('has its own fields from the first row that has them, and one item for each row', () => {
    const rows = [
      { row: 2, cells: ['P1', null, null, 'A', 1] },
      { row: 3, cells: ['P1', null, 4, 'B', 2] },
      { row: 9, cells: ['P1', null, '4', 'C', 3] },
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
