import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_READINGS } from './barcode-readings.ts';
import { decodeFindings, encodeFindings, type FileFindings, MAX_ENCODED_FINDINGS } from './file-findings.ts';

const usual: FileFindings = {
  isReadable: true,
  isEncrypted: false,
  isSlow: false,
  pages: 1,
  barcodes: { hasNumber: false, readings: [] },
};
const u16 = fc.integer({ min: 0, max: 65_535 });
const page = fc.option(fc.record({ page: u16, width: u16, height: u16 }), { nil: undefined });
const anyFindings: fc.Arbitrary<FileFindings> = fc.record({
  isReadable: fc.boolean(),
  isEncrypted: fc.boolean(),
  isSlow: fc.boolean(),
  pages: u16,
  unusual: page,
  differing: page,
  barcodes: fc.record({
    hasNumber: fc.boolean(),
    readings: fc.array(fc.stringMatching(/^[0-9a-f]{8}$/), { maxLength: MAX_READINGS }),
  }),
});

describe('encoded findings', () => {
  test('come back as they were, within their length', () => {
    fc.assert(
      fc.property(anyFindings, (findings) => {
        const text = encodeFindings(findings);
        expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(text.length).toBeLessThanOrEqual(MAX_ENCODED_FINDINGS);
        expect(decodeFindings(text)).toEqual(findings);
      }),
    );
  });

  test('have 192 characters at most, and cut what is larger', () => {
    const large = { page: 1_000_000, width: 1e9, height: 70_000 };
    const readings = Array.from({ length: 100 }, () => 'ffffffff');
    const text = encodeFindings({ ...usual, pages: 1_048_575, unusual: large, differing: large, barcodes: { hasNumber: true, readings } });
    expect([text.length, MAX_ENCODED_FINDINGS]).toEqual([192, 192]);
    expect(decodeFindings(text)).toMatchObject({ pages: 65_535, unusual: { page: 65_535, width: 65_535, height: 65_535 } });
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['another version', Buffer.from([2, 1, 0, 1])],
    ['a flag of another version', Buffer.from([1, 65, 0, 1])],
    ['less than a head', Buffer.from([1, 1, 0])],
    ['less than a page', Buffer.from([1, 9, 0, 1, 0, 0])],
    ['a part of a reading', Buffer.from([1, 1, 0, 1, 0, 0])],
  ])('of %s are none', (_what, bytes) => expect(decodeFindings(bytes.toString('base64url'))).toBeUndefined());
});
