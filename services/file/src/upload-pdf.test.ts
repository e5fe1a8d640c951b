import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MAX_FILE_BYTES, UploadedFile } from '@parcelway/contracts/file-api';
import { isFileUrlOf } from '@parcelway/contracts/file-receipt';
import { compileValidator } from '@parcelway/contracts/validator';
import { asPdf, FileServiceUnderTest, FORM_TYPE, form, pdf, warehouse } from './testing/file-service.ts';

let service: FileServiceUnderTest;

beforeAll(async () => {
  service = await FileServiceUnderTest.open();
});

afterAll(() => service.close());

const fetched = async (url: unknown) => Buffer.from(await (await service.open(url)).arrayBuffer());

describe('a PDF', () => {
  test('is recorded, and opens byte for byte', async () => {
    const content = asPdf(randomBytes(1_572_864));
    const response = await service.uploadPdf([{ name: 'label.pdf', content }]);
    expect(response).toMatchObject({ status: 200, code: '0' });
    expect(compileValidator(UploadedFile).errors(response.data)).toEqual([]);
    expect(response.data).toMatchObject({ origin_name: 'label.pdf', size_byte: 1_572_864, size_info: '1.50 MB', deduplicated: false });
    const owner = { tenantId: 'tnt_1', environment: 'sandbox' } as const;
    expect(isFileUrlOf(service.fileSecret, owner, String(response.data.url))).toBe(true);
    expect(isFileUrlOf(service.fileSecret, { ...owner, tenantId: 'tnt_2' }, String(response.data.url))).toBe(false);
    expect((await fetched(response.data.url)).equals(content)).toBe(true);
  });

  test('may have exactly the largest size', async () => {
    const content = pdf(MAX_FILE_BYTES, 77);
    const response = await service.uploadPdf([{ name: 'large.pdf', content }]);
    expect(response).toMatchObject({ code: '0', data: { size_byte: MAX_FILE_BYTES, size_info: '10.00 MB' } });
    expect(
      createHash('md5')
        .update(await fetched(response.data.url))
        .digest('hex'),
    ).toBe(createHash('md5').update(content).digest('hex'));
  });

  test('is refused at one byte more, and leaves nothing', async () => {
    const before = await service.contentCount();
    const response = await service.uploadPdf([{ name: 'larger.pdf', content: pdf(MAX_FILE_BYTES + 1) }]);
    expect(response).toMatchObject({ status: 422, code: '42206', data: null });
    expect(response.headers.get('connection')).toBe('close');
    expect(await service.contentCount()).toBe(before);
  });
});

test('only a tenant uploads PDFs', async () => {
  const body = form([{ name: 'a.pdf', content: pdf() }]);
  expect(await service.post('/open/v1/files/pdf', warehouse('WH1'), body, FORM_TYPE)).toMatchObject({ code: '40301' });
});
