import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_READINGS } from './barcode-readings.ts';
import {
  decodeFindings,
  encodeFindings,
  type FileFindings,
  findingMessages,
  MAX_ENCODED_FINDINGS,
  MAX_USUAL_PAGES,
} from './file-findings.ts';

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

describe('messages', () => {
  const messages = (findings: Partial<FileFindings>) => findingMessages({ ...usual, ...findings }).map(({ message }) => message);
  const large = { page: 3, width: 297, height: 420 };

  test.each<[string, Partial<FileFindings>, readonly RegExp[]]>([
    ['nothing unusual', { pages: MAX_USUAL_PAGES, barcodes: { hasNumber: true, readings: ['00000000'] } }, []],
    ['what is not readable', { isReadable: false, isEncrypted: true, pages: 0 }, [/too complex/]],
    ['encryption', { isEncrypted: true, pages: 0 }, [/encrypted/]],
    ['no page', { pages: 0 }, [/no page/]],
    ['many pages', { pages: 21 }, [/has 21 pages; .* at most 20/]],
    ['an unusual page', { unusual: large }, [/^Page 3 is 297 × 420 mm, which neither/]],
    ['mixed sizes', { differing: large }, [/^Page 3 is 297 × 420 mm and differs/]],
    ['slow pages', { isSlow: true }, [/took too long/]],
    ['all at once', { pages: 21, unusual: large, differing: large, isSlow: true }, [/21 pages/, /neither/, /differs/, /took too long/]],
  ])('report %s', (_what, findings, expected) => {
    expect(messages(findings)).toEqual(expected.map((message) => expect.stringMatching(message)));
  });

  test('mark what matters to labels alone', () => {
    expect(findingMessages({ ...usual, differing: large, unusual: large }).map(({ kind }) => kind)).toEqual(['other', 'mixed_sizes']);
  });
});
