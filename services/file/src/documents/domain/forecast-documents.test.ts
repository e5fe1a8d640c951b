import { describe, expect, test } from '@jest/globals';
import { documentPart, type StoredDocuments } from './forecast-documents.ts';
import { copySheets, labelFormats, labelPages, labelSize } from './label-format.ts';
import { cartonQr, code128, itemSymbol } from './label-symbol.ts';

const documents: StoredDocuments = {
  forecastNo: 'FC1',
  version: 2,
  storageKey: 'document/a',
  generatedAt: 1,
  labelEnd: 10,
  copiesEnd: 15,
  slipStart: 15,
  size: 40,
};

describe('a URL opens', () => {
  test.each([
    ['the label', 'label', false, { start: 0, end: 10, name: 'product-label-FC1-v2.pdf' }],
    ['the label and what repeats it', 'label', true, { start: 0, end: 15, name: 'product-label-FC1-v2-copies.pdf' }],
    ['the packing slip', 'slip', false, { start: 15, end: 40, name: 'packing-slip-FC1-v2.pdf' }],
  ] as const)('%s', (_what, kind, copies, part) => {
    expect(documentPart(documents, kind, copies)).toEqual(part);
  });

  test('no copies when there are none', () => {
    expect(documentPart({ ...documents, copiesEnd: null }, 'label', true)).toBeUndefined();
  });
});

describe('a label', () => {
  test.each([
    ['100x150', 100, 150, true],
    ['60x40', 60, 40, false],
    ['a4', 105, 74.25, false],
  ] as const)('on %s is %d by %d mm, with room for the SSCC: %j', (page, width, height, hasRoomForSscc) => {
    expect(labelSize(labelFormats[page])).toEqual({ width, height });
    expect(labelFormats[page].hasRoomForSscc).toBe(hasRoomForSscc);
  });

  test.each(labelPages)('on %s has room for its codes', (page) => {
    const format = labelFormats[page];
    const { width, height } = labelSize(format);
    expect(format.margin * 2 + format.bars + format.matrix).toBeLessThan(height);
    expect(format.margin * 2 + format.matrix).toBeLessThan(width);
  });
});

describe('copies', () => {
  test.each([
    ['100x150', [2, 3], 1, 6],
    ['a4', [2, 3], 2, 1],
    ['a4', [2, 5], 2, 2],
    ['60x40', [], 1, 1],
  ] as const)('on %s of %j and %d labels of the carton take %d sheets', (page, quantities, carton, sheets) => {
    expect(copySheets(labelFormats[page], quantities, carton)).toBe(sheets);
  });
});

describe('the symbol of an item', () => {
  test.each([
    ['4006381333931', { kind: 'ean13', text: '4006381333931' }],
    ['96385074', { kind: 'ean8', text: '96385074' }],
    ['036000291452', { kind: 'upca', text: '036000291452' }],
  ])('is its barcode %s', (barcode, symbol) => {
    expect(itemSymbol({ sku_code: 'SKU', barcode })).toEqual(symbol);
  });

  test.each([
    ['absent', undefined],
    ['empty', ''],
    ['of a wrong check digit', '4006381333932'],
    ['of another length', '12345670123456'],
    ['not of digits', '400638133393X'],
  ])('is Code 128 of the SKU when the barcode is %s', (_what, barcode) => {
    expect(itemSymbol({ sku_code: 'SKU 1/a~', barcode })).toEqual({ kind: 'code128', text: 'SKU 1/a~' });
  });

  test.each(['货号', 'Größe', 'a\tb', ''])('is none for the SKU %j, which Code 128 lacks characters of', (sku_code) => {
    expect(itemSymbol({ sku_code })).toBeUndefined();
    expect(code128(sku_code)).toBeUndefined();
  });
});

test('the QR code of a carton has its keys in their order', () => {
  expect(cartonQr({ forecastNo: 'FC1', poNumber: 'PO "1"', warehouseCode: 'SZ-01' })).toEqual({
    kind: 'qrcode',
    text: '{"forecast_no":"FC1","po_number":"PO \\"1\\"","warehouse_code":"SZ-01"}',
  });
});
