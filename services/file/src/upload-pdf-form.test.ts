import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MAX_FILE_BYTES } from '@parcelway/contracts/file-api';
import { until } from '@parcelway/kernel/testing/until';
import fc from 'fast-check';
import { FileServiceUnderTest, form, pdf, tenant } from './testing/file-service.ts';

let service: FileServiceUnderTest;

beforeAll(async () => {
  service = await FileServiceUnderTest.open();
});

afterAll(() => service.close());

const fetched = async (url: unknown) => Buffer.from(await (await service.open(url)).arrayBuffer());

describe('the form', () => {
  test('needs the field file', async () => {
    for (const parts of [[], [{ field: 'document', name: 'a.pdf', content: pdf() }], [{ content: 'text' }], [{ name: '' }]]) {
      expect(await service.uploadPdf(parts)).toMatchObject({ status: 422, code: '42204', data: null });
    }
  });

  test('may have other fields and files; the first file counts', async () => {
    const response = await service.uploadPdf([
      { field: 'note', content: 'x'.repeat(5000) },
      { field: 'other', name: 'other.bin', content: Buffer.alloc(100_000) },
      { name: 'first.pdf', content: pdf(600, 5) },
      { name: 'second.pdf', content: pdf(700, 6) },
      { field: 'after', content: 'y' },
    ]);
    expect(response).toMatchObject({ code: '0', data: { origin_name: 'first.pdf', size_byte: 600 } });
    expect(await fetched(response.data.url)).toEqual(pdf(600, 5));
  });

  test('must come to its end: cut anywhere, it is refused and leaves nothing', async () => {
    const before = await service.contentCount();
    const whole = form([{ name: 'cut.pdf', content: pdf(5000, 99) }]);
    for (const cut of [0, 10, 60, 150, 200, 1500, 4000, whole.length - 40, whole.length - 10, whole.length - 4]) {
      const response = await service.post('/open/v1/files/pdf', tenant('tnt_1'), whole.subarray(0, cut));
      expect([cut, response.status, response.code]).toEqual([cut, 422, '42204']);
    }
    expect(await service.contentCount()).toBe(before);
  });

  test.each([
    ['application/pdf', '42204'],
    ['application/json', '42204'],
    ['application/x-www-form-urlencoded', '42204'],
    ['multipart/mixed; boundary=x', '42204'],
    ['multipart/form-data', '42204'],
    ['multipart/form-data; boundary=', '42204'],
    ['multipart/form-data; boundary=another', '42204'],
  ])('of media type %s gets a response %s', async (contentType, code) => {
    const response = await service.post('/open/v1/files/pdf', tenant('tnt_1'), form([{ name: 'a.pdf', content: pdf() }]), contentType);
    expect(response.code).toBe(code);
  });

  test('is refused as too large when what surrounds the file is', async () => {
    const response = await service.uploadPdf([
      { field: 'filler', name: 'x', content: Buffer.alloc(MAX_FILE_BYTES + 2_000_000) },
      { name: 'a.pdf', content: pdf() },
    ]);
    expect(response).toMatchObject({ code: '42206' });
  });

  test('of random bytes gets an error response, never an internal error', async () => {
    const piece = fc.constantFrom(
      '----boundary-of-a-test',
      '--',
      '\r\n',
      '\r\n\r\n',
      'Content-Disposition: form-data; name="file"; filename="a.pdf"',
      'Content-Disposition: form-data; name="file"',
      'Content-Type: text/plain; charset=nonsense',
      '%PDF-',
      '"',
      '\0',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
        const response = await service.post('/open/v1/files/pdf', tenant('tnt_random'), Buffer.from(pieces.join('')));
        expect(['0', '42204', '42205']).toContain(response.code);
      }),
      { numRuns: 100 },
    );
  });

  test('that breaks off with its connection leaves nothing and the service well', async () => {
    const before = await service.contentCount();
    const whole = form([{ name: 'dropped.pdf', content: pdf(1_000_000, 3) }]);
    await Promise.all([50, 170, 300, 2000, 500_000, whole.length].map((length) => service.abort(whole.subarray(0, length))));
    await until(async () => (await service.contentCount()) === before);
    expect(await service.uploadPdf([{ name: 'after.pdf', content: pdf(800, 8) }])).toMatchObject({ code: '0' });
  });
});
