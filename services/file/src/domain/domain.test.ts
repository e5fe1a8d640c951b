import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanFileName, cutFileName, inlineDisposition } from './file-name.ts';
import { sizeInfo } from './size-info.ts';

describe('sizeInfo', () => {
  test.each([
    [0, '0.00 B'],
    [1023, '1023.00 B'],
    [1024, '1.00 KB'],
    [1536, '1.50 KB'],
    [1_048_570, '1023.99 KB'],
    [1_048_575, '1.00 MB'],
    [1_572_864, '1.50 MB'],
    [10_485_760, '10.00 MB'],
  ])('%d bytes are %s', (bytes, text) => expect(sizeInfo(bytes)).toBe(text));
});

describe('a file name', () => {
  test('of any characters gives a header that any client can read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const header = inlineDisposition(cutFileName(cleanFileName(name)));
        expect(header).toMatch(/^inline; filename="[A-Za-z0-9 ._-]*"; filename\*=UTF-8''[A-Za-z0-9._~%-]*$/);
      }),
    );
  });

  test('keeps its characters, but for control characters', () => {
    expect(cleanFileName('a\r\n\0b\u0085.pdf')).toBe('ab.pdf');
    expect(cutFileName('ä'.repeat(255))).toBe('ä'.repeat(255));
    expect(cutFileName(`${'x'.repeat(254)}😀y`)).toBe(`${'x'.repeat(254)}😀`);
  });

  test('is not broken by half of a surrogate pair', () => {
    expect(inlineDisposition('a\ud83d.pdf')).toContain("filename*=UTF-8''a%EF%BF%BD.pdf");
  });
});
