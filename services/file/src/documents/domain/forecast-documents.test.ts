import { describe, expect, test } from '@jest/globals';
import { labelFormats, labelPages, labelSize } from './label-format.ts';
import { cartonQr, code128, itemSymbol } from './label-symbol.ts';

test.each(labelPages)('a label on %s has room for its codes', (page) => {
  const format = labelFormats[page];
  const { width, height } = labelSize(format);
  expect(format.margin * 2 + format.bars + format.matrix).toBeLessThan(height);
  expect(format.margin * 2 + format.matrix).toBeLessThan(width);
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
