import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FileServiceUnderTest, pdf } from './testing/file-service.ts';

let service: FileServiceUnderTest;

beforeAll(async () => {
  service = await FileServiceUnderTest.open();
});

afterAll(() => service.close());

describe('a PDF', () => {
  test.each([
    ['at once', '', '0'],
    ['behind a byte-order mark and white space', '\u00ef\u00bb\u00bf \t\r\n\f', '0'],
    ['behind as much white space as is looked at', ' '.repeat(1019), '0'],
    ['behind more white space', ' '.repeat(1020), '42205'],
    ['behind a letter', 'x', '42205'],
    ['behind NUL', '\0', '42205'],
    ['within a PNG', '\u0089PNG\r\n\u001a\n', '42205'],
    ['within a ZIP', 'PK\u0003\u0004', '42205'],
    ['within a page', '<!doctype html><p>', '42205'],
  ])('begins %s', async (_where, before, code) => {
    const content = Buffer.concat([Buffer.from(before, 'latin1'), pdf(1200, 41)]);
    expect(await service.uploadPdf([{ name: 'a.pdf', content }])).toMatchObject({ code });
  });

  test.each([
    ['%%EOF at the very end', '%%EOF', 0, '0'],
    ['%%EOF as early as it may', '%%EOF', 1019, '0'],
    ['startxref alone', 'startxref', 10, '0'],
    ['%%EOF too early', '%%EOF', 1020, '42205'],
    ['neither', 'EOF', 0, '42205'],
  ])('ends with %s', async (_what, mark, bytesBehind, code) => {
    for (const size of [1500, 300_000]) {
      const content = Buffer.concat([
        Buffer.from('%PDF-1.7\n'),
        Buffer.alloc(size, 'x'),
        Buffer.from(mark),
        Buffer.alloc(bytesBehind, 'y'),
      ]);
      expect(await service.uploadPdf([{ name: 'a.pdf', content }])).toMatchObject({ code });
    }
  });

  test.each([
    ['a renamed PNG', 'label.pdf', Buffer.from('89504e470d0a1a0a0000', 'hex'), ['beginning']],
    ['a renamed PNG of 300 kB', 'label.pdf', Buffer.alloc(300_000, '\x89PNG'), ['beginning']],
    ['a PDF that was cut', 'label.pdf', pdf(3000).subarray(0, 2000), ['end']],
    ['another extension', 'label.exe', pdf(), ['extension']],
    ['no extension', 'pdf', pdf(), ['extension']],
    ['an empty file', 'label.pdf', '', ['empty']],
    ['a marker cut short', 'label.pdf', '%PDF', ['beginning']],
    ['an empty file without the extension', 'pdf', '', ['extension', 'empty']],
  ])('is not %s, and the response says why', async (_what, name, content, rules) => {
    const refused = await service.uploadPdf([{ name, content }]);
    expect(refused).toMatchObject({ status: 422, code: '42205', data: { errors: rules.map((rule) => ({ field: 'file', rule })) } });
  });

  test('may be as short as its marks, with the extension in any case', async () => {
    const response = await service.uploadPdf([{ name: 'LABEL.PdF', content: '%PDF-%%EOF' }]);
    expect(response).toMatchObject({ code: '0', data: { size_info: '10.00 B' } });
  });
});
