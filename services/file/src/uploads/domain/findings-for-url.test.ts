import { describe, expect, test } from '@jest/globals';
import { findingsForUrl, millimetres, type PdfFindings, pdfWarnings, UNREADABLE, unusualSizes } from './inspected-pdf.ts';

const LABEL = { width: 102, height: 152 };

const usual: PdfFindings = { isReadable: true, isEncrypted: false, pages: 1, sizes: [LABEL], barcodes: [], barcodeSearch: 'complete' };

test('an upload warns of what its URL says, by the field of the form, and of nothing when it was not inspected', () => {
  for (const findings of [undefined, usual, { ...usual, barcodeSearch: 'incomplete' }] as const) expect(pdfWarnings(findings)).toEqual([]);
  const mixed = { ...usual, pages: 2, sizes: [LABEL, { width: 210, height: 297 }], barcodeSearch: 'timed_out' } as const;
  expect(pdfWarnings(mixed)).toEqual([
    { field: 'file', message: expect.stringMatching(/^Page 2 is 210 × 297 mm and differs from page 1/) },
    { field: 'file', message: expect.stringMatching(/^Drawing the pages took too long/) },
  ]);
  expect(pdfWarnings(UNREADABLE)).toHaveLength(1);
});

test('the URL has what the warnings say, and the barcodes', () => {
  const barcodes = { hasNumber: true, readings: ['0a0b0c0d'] };
  expect(findingsForUrl({ ...usual, pages: 3, sizes: [LABEL, { width: 297, height: 420 }] }, barcodes)).toEqual({
    isReadable: true,
    isEncrypted: false,
    isSlow: false,
    pages: 3,
    unusual: { page: 2, width: 297, height: 420 },
    differing: { page: 2, width: 297, height: 420 },
    barcodes,
  });
  expect(findingsForUrl({ ...usual, barcodeSearch: 'timed_out' }, barcodes).isSlow).toBe(true);
  expect(findingsForUrl(UNREADABLE, barcodes)).toEqual({ isReadable: false, isEncrypted: false, isSlow: false, pages: 0, barcodes });
});

const size = (width: number, height: number) => ({ width, height });

describe('the size of a page', () => {
  test.each([
    ['100 × 150 mm', 100, 150],
    ['4 × 6 in, turned', 152, 102],
    ['A4', 210, 297],
    ['Letter', 216, 279],
    ['the longest piece of a roll', 110, 1000],
    ['longer than A4, no wider than Letter with some room', 220, 301],
    ['the smallest label', 20, 20],
    ['wider than Letter, no longer than A4 with some room', 221, 300],
  ])('%s is usual', (_what, width, height) => expect(unusualSizes([size(width, height)])).toEqual({}));

  test.each([
    ['A3', 297, 420],
    ['larger than A4 and Letter on both sides', 301, 221],
    ['too narrow', 19, 150],
    ['too low', 150, 19],
    ['longer than any label', 100, 1001],
  ])('%s is unusual', (_what, width, height) => {
    expect(unusualSizes([size(width, height)])).toEqual({ unusual: { page: 1, width, height } });
  });

  test.each([
    ['both sides a little longer', 105, 155, false],
    ['the longer side alone', 100, 156, true],
    ['the shorter side alone', 106, 150, true],
  ])('differs or not from 100 × 150 mm: %s', (_what, width, height, differs) => {
    expect(unusualSizes([size(100, 150), size(width, height)])).toEqual(differs ? { differing: { page: 2, width, height } } : {});
  });

  test('is named of the first page that is unusual, and of the first that differs', () => {
    expect(unusualSizes([size(100, 150), size(103, 154), size(150, 100), size(210, 297), size(297, 420), size(10, 10)])).toEqual({
      differing: { page: 4, ...size(210, 297) },
      unusual: { page: 5, ...size(297, 420) },
    });
  });
});

test.each([
  [72, 25],
  [288, 102],
  [841.89, 297],
  [0, 0],
])('%d points are %d mm', (points, expected) => expect(millimetres(points)).toBe(expected));
