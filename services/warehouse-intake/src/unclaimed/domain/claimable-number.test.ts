import { expect, test } from '@jest/globals';
import { assertNumberOfParcel, type NumberCandidate } from './claimable-number.ts';

const candidate = (forecastNo: string, matchedBy: NumberCandidate['matchedBy']): NumberCandidate => ({
  matchedBy,
  seen: { forecast: { forecastNo } },
});

test('a number that names no product may be claimed', () => {
  expect(() => assertNumberOfParcel('N1', 'FC1', [])).not.toThrow();
  expect(() => assertNumberOfParcel('N1', 'FC1', [candidate('FC2', 'tracking_number')])).not.toThrow();
});

test.each(['barcode', 'sku_code'] as const)('the %s of a product may not be claimed, and the refusal names its forecast', (matchedBy) => {
  const claim = () => assertNumberOfParcel('SKU1', 'FC1', [candidate('FC1', matchedBy), candidate('FC2', 'po_number')]);
  expect(claim).toThrow(expect.objectContaining({ code: '40902', data: { product_code: 'SKU1', product_of: 'FC1' } }));
});

test('a number that the forecast itself is known by may be claimed, whoever has a product of that name', () => {
  expect(() => assertNumberOfParcel('N1', 'FC1', [candidate('FC2', 'sku_code'), candidate('FC1', 'po_number')])).not.toThrow();
});
