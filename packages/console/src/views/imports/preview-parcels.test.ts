import { expect, test } from '@jest/globals';
import type { ImportPreviewRow } from '@parcelway/contracts/import-api';
import { parcelsOf } from './preview-parcels.ts';

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
