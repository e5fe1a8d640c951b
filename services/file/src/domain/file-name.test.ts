import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanFileName, cutFileName, inlineDisposition } from './file-name.ts';

describe('a file name', () => {
  test('of any characters gives a header that any client can read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const header = inlineDisposition(cutFileName(cleanFileName(name)));
        expect(header).toMatch(/^inline; filename="[A-Za-z0-9 ._-]*"; filename\*=UTF-8''[A-Za-z0-9._~%-]*$/);
      }),
      { numRuns: 40 },
    );
  });

  test('keeps its characters, but for control characters', () => {
    expect(cleanFileName('a\r\n\0b\u0085.pdf')).toBe('ab.pdf');
    expect(cutFileName('ä'.repeat(255))).toBe('ä'.repeat(255));
    expect(cutFileName('ä'.repeat(256))).toBe('ä'.repeat(255));
    expect(cutFileName(`a\ud83d`)).toBe(`a\ud83d`);
    expect(cutFileName(`${'x'.repeat(254)}😀y`)).toBe(`${'x'.repeat(254)}😀`);
  });

  test('is not broken by half of a surrogate pair', () => {
    expect(inlineDisposition('a\ud83d.pdf')).toContain("filename*=UTF-8''a%EF%BF%BD.pdf");
  });

  test('is proposed in ASCII to old clients, and in full to others', () => {
    expect(inlineDisposition('label 1_a-b.pdf')).toBe(`inline; filename="label 1_a-b.pdf"; filename*=UTF-8''label%201_a-b.pdf`);
    expect(inlineDisposition(`ä "(1)*!'.pdf`)).toBe(`inline; filename="_ __1____.pdf"; filename*=UTF-8''%C3%A4%20%22%281%29%2A%21%27.pdf`);
  });

  test('loses what changes the direction of the text, and nothing else', () => {
    expect(inlineDisposition('a\u202efdp.exe')).toBe(`inline; filename="afdp.exe"; filename*=UTF-8''afdp.exe`);
  });
});
