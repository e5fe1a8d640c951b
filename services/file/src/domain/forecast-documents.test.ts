import { describe, expect, test } from '@jest/globals';
import { documentPart, isSuperseded, type StoredDocuments } from './forecast-documents.ts';

const documents: StoredDocuments = {
  forecastNo: 'FC1',
  version: 2,
  storageKey: 'document/a',
  labelToken: 'label',
  slipToken: 'slip',
  generatedAt: 1,
  supersededBy: null,
  labelEnd: 10,
  copiesEnd: 15,
  slipStart: 15,
  size: 40,
};

describe('documents of a version', () => {
  test.each([1, 2, 9])('are superseded by any newer version than %i, and by no other', (version) => {
    const newest = [version - 1, version, version + 1, version + 7];
    expect(newest.map((other) => isSuperseded(version, other))).toEqual([false, false, true, true]);
  });

  test('count while no version has any', () => {
    expect([isSuperseded(1, null), isSuperseded(1, undefined)]).toEqual([false, false]);
  });
});

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
