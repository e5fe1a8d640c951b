import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FileServiceUnderTest, pdf } from './testing/file-service.ts';

let service: FileServiceUnderTest;

beforeAll(async () => {
  service = await FileServiceUnderTest.open();
});

afterAll(() => service.close());

describe('a file name', () => {
  test.each([
    ['folders', '../../etc/passwd.pdf', 'passwd.pdf'],
    ['a Windows path', 'C:\\\\temp\\\\a.pdf', 'a.pdf'],
    ['NUL', 'la\u0000bel\u0007.pdf', 'label.pdf'],
    ['other scripts', '标签 é 😀.pdf', '标签 é 😀.pdf'],
    ['right-to-left text', 'تسمية\u202efdp.pdf', 'تسمية\u202efdp.pdf'],
  ])('with %s is kept inert', async (_what, name, kept) => {
    const response = await service.uploadPdf([{ name, content: pdf(500, Math.random()) }]);
    expect(response).toMatchObject({ code: '0', data: { origin_name: kept } });
    const opened = await service.open(response.data.url);
    expect(opened.headers.get('content-disposition')).toMatch(/^inline; filename="[A-Za-z0-9 ._-]*"; filename\*=UTF-8''[A-Za-z0-9._~%-]+$/);
    expect(opened.headers.get('content-disposition')).not.toContain('%E2%80%AE');
  });

  test('is cut to 255 characters, not in the middle of one', async () => {
    const response = await service.uploadPdf([{ name: `${'😀'.repeat(296)}.pdf`, content: pdf(501) }]);
    expect(response.data.origin_name).toBe('😀'.repeat(255));
    expect((await service.open(response.data.url)).status).toBe(200);
  });
});
