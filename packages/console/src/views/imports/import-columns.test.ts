import { describe, expect, test } from '@jest/globals';
import { ForecastItem, ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import type { ForecastImport, ImportPreviewRow } from '@parcelway/contracts/import-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import { duplicatesIn, ignoredWithData, ignoring, mappingOf, parcelsOf, progressOf, requiredFields, withField } from './import-columns.ts';
import { forgetMapping, type MappingStorage, rememberedMapping, rememberMapping } from './kept.ts';

test('the required fields are those of the contract', () => {
  const required = [...ForecastSubmission.required, ...ForecastItem.required].filter((name) => name !== 'items');
  expect([...requiredFields].sort()).toEqual(required.sort());
});

const columns = [
  { title: 'Order', field: 'po_number' },
  { title: 'Remark', field: null },
];

describe('a column', () => {
  test('cannot take the field of another column until that column is ignored', () => {
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
});

test('columns with duplicate fields can be ignored, so that the preview works', () => {
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

  test('is whole only when the import has finished', () => {
    expect(of({ accepted: 300 }).percent).toBe(99);
    expect(of({ phase: 'finished', accepted: 10 }).percent).toBe(100);
  });
});

const row = (number: number, poNumber: string | null, sku?: string): ImportPreviewRow => ({
  row: number,
  po_number: poNumber,
  values: sku === undefined ? {} : { sku_code: sku },
  errors: [],
});

test('rows with the same PO number form a parcel, wherever they are; a row by itself is not worth a word', () => {
  const rows = [row(2, 'D-1', 'A'), row(3, 'D-2', 'A'), row(4, 'D-1', 'B'), row(5, 'D-1', 'C')];
  expect(parcelsOf(rows)).toEqual([{ poNumber: 'D-1', rows: [2, 4, 5], repeated: [] }]);
});

test('a SKU that occurs twice in a parcel is named with its rows', () => {
  const rows = [row(2, 'D-1', 'A'), row(3, 'D-1', 'B'), row(4, 'D-1', 'A'), row(5, 'D-2', 'B')];
  expect(parcelsOf(rows)[0]?.repeated).toEqual([{ sku: 'A', rows: [2, 4] }]);
});

test('rows without a PO number or without a SKU are not the same', () => {
  expect(parcelsOf([row(2, null), row(3, null)])).toEqual([]);
  expect(parcelsOf([row(2, 'D-1'), row(3, 'D-1')])).toEqual([{ poNumber: 'D-1', rows: [2, 3], repeated: [] }]);
});

describe('a mapping', () => {
  function storageOf(content = ''): NonNullable<MappingStorage> & { content: string } {
    return {
      content,
      getItem() {
        return this.content === '' ? null : this.content;
      },
      setItem(_name, value) {
        this.content = value;
      },
    };
  }
  const columnsOf = (name: string, field: string | null = null) => [
    { title: 'Order', field: 'po_number' },
    { title: name, field },
  ];
  const failed = [...columnsOf('Pcs', 'sku_code'), { title: 'error', field: null }];

  test('is found by the titles of its file until it is forgotten, and the last one counts', () => {
    const storage = storageOf();
    rememberMapping(storage, 'tnt_a', columnsOf('Pcs'));
    rememberMapping(storage, 'tnt_a', columnsOf('Pcs', 'forecast_quantity'));
    expect(rememberedMapping(storage, 'tnt_a', columnsOf('Pcs'))).toEqual({ Order: 'po_number', Pcs: 'forecast_quantity' });
    expect(rememberedMapping(storage, 'tnt_a', columnsOf('Pieces'))).toBeUndefined();
    forgetMapping(storage, 'tnt_a', columnsOf('Pcs'));
    expect(rememberedMapping(storage, 'tnt_a', columnsOf('Pcs'))).toBeUndefined();
  });

  test('is that of its tenant alone', () => {
    const storage = storageOf();
    rememberMapping(storage, 'tnt_a', columnsOf('Pcs', 'forecast_quantity'));
    expect(rememberedMapping(storage, 'tnt_b', columnsOf('Pcs'))).toBeUndefined();
    forgetMapping(storage, 'tnt_b', columnsOf('Pcs'));
    expect(rememberedMapping(storage, 'tnt_a', columnsOf('Pcs'))).toMatchObject({ Pcs: 'forecast_quantity' });
  });

  test('is the same of a file of failed rows, without the column that this has more', () => {
    const storage = storageOf();
    rememberMapping(storage, 'tnt_a', failed);
    for (const columns of [failed, columnsOf('Pcs')])
      expect(rememberedMapping(storage, 'tnt_a', columns)).toEqual({ Order: 'po_number', Pcs: 'sku_code' });
  });

  test('is one of the newest hundred, and not very long', () => {
    const storage = storageOf();
    for (let index = 0; index < 101; index += 1) rememberMapping(storage, 'tnt_a', columnsOf(`Title ${index}`));
    rememberMapping(storage, 'tnt_a', columnsOf('x'.repeat(20_000)));
    const isKept = (title: string): boolean => rememberedMapping(storage, 'tnt_a', columnsOf(title)) !== undefined;
    expect(['Title 0', 'Title 1', 'Title 100', 'x'.repeat(20_000)].map(isKept)).toEqual([false, true, true, false]);
  });

  test.each(['{', 'null', '1'])('of a storage that holds %s is not known, and what is kept next is', (content) => {
    const storage = storageOf(content);
    expect(rememberedMapping(storage, 'tnt_a', columnsOf('Pcs'))).toBeUndefined();
    rememberMapping(storage, 'tnt_a', columnsOf('Pcs'));
    expect(rememberedMapping(storage, 'tnt_a', columnsOf('Pcs'))).toBeDefined();
  });
});
