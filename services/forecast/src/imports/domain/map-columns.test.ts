import { describe, expect, test } from '@jest/globals';
import { ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { compileValidator } from '@parcelway/contracts/validator';
import type { AppError } from '@parcelway/kernel/app-error';
import { assembleForecast } from './assemble-forecast.ts';
import { fieldOfName, fieldOfTitle, importFields, normaliseTitle } from './import-fields.ts';
import { mapColumns, missingColumns, parseMapping } from './map-columns.ts';
import { templateRows, templateTitles } from './template.ts';

const fieldsOf = (titles: readonly string[], mapping = {}) => mapColumns(titles, mapping).columns.map(({ field }) => field);

function errorOf(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    return error as AppError;
  }
  throw new Error('It did not fail');
}

describe('columns', () => {
  test('fill the fields of their titles, unless the mapping says otherwise', () => {
    expect(fieldsOf(['订单号', 'Qty', 'Code', ''])).toEqual(['po_number', 'forecast_quantity', null, null]);
    expect(fieldsOf(['订单号', 'Qty', 'Code'], { 'CODE ': 'sku_code', qty: null })).toEqual(['po_number', null, 'sku_code']);
  });

  test('that are missing are named', () => {
    expect(mapColumns(['PO', 'SKU'], {}).missing).toEqual(['warehouse_code', 'product_name_en', 'forecast_quantity']);
    expect(missingColumns(['PO', ''], ['sku_code'])).toMatchObject({
      code: '42201',
      message: expect.stringContaining('No column fills sku_code. The first row must have the titles; found: "PO". Rename'),
    });
    expect(missingColumns([], ['sku_code']).message).toContain('found: none');
  });

  test('that fill the same field are refused', () => {
    const error = errorOf(() => mapColumns(['PO', 'Order no', 'x', 'x'], {}));
    expect(error).toMatchObject({ code: '42201', data: { errors: [{ field: 'Order no', rule: 'duplicate_column' }] } });
    expect(fieldsOf(['PO', 'Order no'], { PO: null })).toEqual([null, 'po_number']);
    expect(fieldsOf(['x', 'x'])).toEqual([null, null]);
  });

  test('that are ignored, and titles of the mapping that the file lacks, are warned of', () => {
    const { warnings } = mapColumns(['PO', 'Remark', 'Note', 'error', ''], { Note: null, Gone: 'sku_code' });
    expect(warnings).toEqual([
      { field: 'Remark', message: 'The column Remark is ignored: no field has this title' },
      { field: 'Gone', message: 'mapping names this column, and the file does not have it' },
    ]);
    expect(mapColumns(Array(101).fill('Remark'), {}).warnings).toHaveLength(100);
  });
});

describe('a mapping', () => {
  test.each([undefined, '', ' '])('may be absent: %j', (text) => {
    expect(parseMapping(text)).toEqual({});
  });

  test('names a field for a title, or ignores its column', () => {
    expect(parseMapping('{"Order":"po_number","Remark":null}')).toEqual({ Order: 'po_number', Remark: null });
  });

  test.each([
    ['x', /^mapping must be a JSON object, such as /],
    ['[]', /^mapping must be a JSON object of column titles/],
    ['null', /^mapping must be a JSON object of column titles/],
    ['"po_number"', /^mapping must be a JSON object of column titles/],
    ['{"a":"items"}', /^mapping of "a" must be null or one of po_number, /],
    ['{"PO":"po_number","a":"toString"}', /^mapping of "a" must/],
  ])('%s is refused', (text, message) => {
    const errors = [{ field: 'mapping', rule: 'mapping', message: expect.stringMatching(message) }];
    expect(errorOf(() => parseMapping(text))).toMatchObject({ code: '42201', data: { errors } });
  });
});

test('no title means two fields', () => {
  const titles = importFields.flatMap((one) => [one.name, ...one.titles].map(normaliseTitle));
  expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
});

test.each([
  ['po_number', 'po_number'],
  ['PO number', 'po_number'],
  [' PO Number* ', 'po_number'],
  ['PO-NUMBER', 'po_number'],
  ['ＰＯ number', 'po_number'],
  ['订单号', 'po_number'],
  ['SKU', 'sku_code'],
  ['Weight (kg)', 'declared_weight_kg'],
  ['数量', 'forecast_quantity'],
  ['装箱单', 'shipping_note'],
])('the title %s is that of %s', (title, name) => {
  expect(fieldOfTitle(title)?.name).toBe(name);
  expect(fieldOfName(name)?.name).toBe(name);
});

test('the sample rows are a valid forecast', () => {
  const { columns, missing, warnings } = mapColumns(templateTitles, {});
  expect([missing, warnings]).toEqual([[], []]);
  const rows = templateRows('WH1', Date.UTC(2026, 10, 21)).map((cells, index) => ({ row: index + 2, cells }));
  const { body, errors } = assembleForecast(rows, columns);
  expect(errors.size).toBe(0);
  expect(compileValidator(ForecastSubmission).errors(body)).toEqual([]);
  expect(body).toMatchObject({ warehouse_code: 'WH1', due_date: '2026-12-05' });
});
