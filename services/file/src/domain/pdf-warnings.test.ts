import { describe, expect, test } from '@jest/globals';
import { MAX_USUAL_PAGES, pdfWarnings } from './pdf-warnings.ts';

const usual = { isReadable: true, isEncrypted: false, pages: 1 };

describe('a PDF', () => {
  test.each([
    ['was not inspected', undefined],
    ['has a page', usual],
    ['has as many pages as is usual', { ...usual, pages: MAX_USUAL_PAGES }],
  ])('that %s gives no warning', (_what, findings) => {
    expect(pdfWarnings(findings)).toEqual([]);
  });

  test.each([
    ['encrypted', { ...usual, isEncrypted: true, pages: 0 }, /is encrypted/],
    ['without a page', { ...usual, pages: 0 }, /has no page/],
    ['of too many pages', { ...usual, pages: MAX_USUAL_PAGES + 1 }, /has 21 pages; .* at most 20/],
    ['that is not readable', { isReadable: false, isEncrypted: true, pages: 0 }, /too complex/],
  ])('%s gives one warning of the form field', (_what, findings, message) => {
    expect(pdfWarnings(findings)).toEqual([{ field: 'file', message: expect.stringMatching(message) }]);
  });
});
