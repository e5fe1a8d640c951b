import { describe, expect, test } from '@jest/globals';
import type { FileFindings } from './file-findings.ts';
import { findingMessages, MAX_USUAL_PAGES } from './pdf-warnings.ts';

const usual: FileFindings = {
  isReadable: true,
  isEncrypted: false,
  isSlow: false,
  pages: 1,
  barcodes: { hasNumber: false, readings: [] },
};

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
