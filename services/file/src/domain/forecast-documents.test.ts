import { describe, expect, test } from '@jest/globals';
import { documentPart, type StoredDocuments } from './forecast-documents.ts';

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

  test('the label and what repeats it, where that is stored shorter', () => {
    const packed = { start: 10, end: 12, size: 30 };
    const part = { start: 0, end: 10, name: 'product-label-FC1-v2-copies.pdf', packed };
    expect(documentPart({ ...documents, copiesEnd: 40, slipStart: 12 }, 'label', true)).toEqual(part);
  });

  test('no copies when there are none', () => {
    expect(documentPart({ ...documents, copiesEnd: null }, 'label', true)).toBeUndefined();
  });
});
