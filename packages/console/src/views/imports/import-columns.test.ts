import { describe, expect, test } from '@jest/globals';
import { ForecastItem, ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import type { ForecastImport } from '@parcelway/contracts/import-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import {
  duplicatesIn,
  ignoredWithData,
  ignoring,
  importFields,
  mappingOf,
  missingIn,
  progressOf,
  requiredFields,
  withField,
} from './import-columns.ts';

test('the fields on offer and those that are required are the ones of the contract', () => {
  const { items: _items, ...own } = ForecastSubmission.properties;
  expect([...importFields].sort()).toEqual([...Object.keys(own), ...Object.keys(ForecastItem.properties)].sort());
  const required = [...ForecastSubmission.required, ...ForecastItem.required].filter((name) => name !== 'items');
  expect([...requiredFields].sort()).toEqual(required.sort());
});

const columns = [
  { title: 'Order', field: 'po_number' },
  { title: 'Remark', field: null },
];

describe('a column', () => {
  test('does not get the field of another one until that one is ignored', () => {
    expect(mappingOf(withField(columns, 1, 'po_number'))).toEqual({ Order: 'po_number', Remark: null });
    const freed = withField(columns, 0, null);
    expect(mappingOf(withField(freed, 1, 'po_number'))).toEqual({ Order: null, Remark: 'po_number' });
  });

  test('that is ignored is named when it has data', () => {
    const sampled = [...columns, { title: 'Empty', field: null }].map((column) => ({
      ...column,
      sample: column.title === 'Empty' ? null : 'x',
    }));
    expect(ignoredWithData(sampled).map(({ title }) => title)).toEqual(['Remark']);
  });

  test('that is ignored leaves the others as they are', () => {
    expect(mappingOf(withField(columns, 0, null))).toEqual({ Order: null, Remark: null });
  });

  test('that is missing is named when its field is required', () => {
    expect(missingIn(columns)).toEqual(['warehouse_code', 'sku_code', 'product_name_en', 'forecast_quantity']);
    const whole = requiredFields.map((field) => ({ title: field, field }));
    expect(missingIn(whole)).toEqual([]);
  });
});

test('columns with the field of another one can be ignored, so that the file can be looked at', () => {
  const faults = [
    { field: 'Name', rule: 'duplicate_column', message: 'The columns "Product name" and "Name" both fill product_name_en' },
    { field: 'mapping', rule: 'mapping', message: 'is wrong' },
  ];
  expect(ignoring(duplicatesIn(new ApiFailure('42201', { faults })))).toEqual({ Name: null });
  expect(duplicatesIn(undefined)).toEqual([]);
});

describe('the progress', () => {
  const of = (part: Partial<ForecastImport>) =>
    progressOf({ phase: 'submitting', total: 300, accepted: 0, failed: 0, ...part } as ForecastImport);

  test.each(['waiting', 'reading'] as const)('is not known while %s: rows are still being counted', (phase) => {
    expect(of({ phase, total: 120 })).toEqual({ done: 0, total: undefined, percent: undefined });
  });

  test('counts rows with a result, whichever it is', () => {
    expect(of({ accepted: 100, failed: 50 })).toEqual({ done: 150, total: 300, percent: 50 });
  });

  test('is whole only when the import has finished', () => {
    expect(of({ accepted: 300 }).percent).toBe(99);
    expect(of({ phase: 'finished', accepted: 10 }).percent).toBe(100);
  });
});
