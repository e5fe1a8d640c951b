import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { namesAnyNumber } from '@parcelway/contracts/barcode-readings';
import { UploadedFile } from '@parcelway/contracts/file-api';
import { readFileUrl } from '@parcelway/contracts/file-receipt';
import { compileValidator } from '@parcelway/contracts/validator';
import { FileServiceUnderTest, pdf, type TestResponse } from './testing/file-service.ts';
import { A4, pdfOfPages } from './testing/sample-pdf.ts';

let service: FileServiceUnderTest;

beforeAll(async () => {
  service = await FileServiceUnderTest.open();
});

afterAll(() => service.close());

const fetched = async (url: unknown) => Buffer.from(await (await service.open(url)).arrayBuffer());

describe('what is found in a PDF', () => {
  const findingsOf = (response: TestResponse, tenantId: string) =>
    readFileUrl(service.fileSecret, { tenantId, environment: 'sandbox' }, String(response.data.url))?.findings;
  const upload = (content: Buffer, tenantId = 'tnt_1') => service.uploadPdf([{ name: 'label.pdf', content }], tenantId);

  /** Uploads until barcodes were read, each time as another tenant: on a busy machine an upload goes on without them. */
  async function uploadUntilRead(content: Buffer): Promise<{ response: TestResponse; tenantId: string }> {
    for (let attempt = 1; ; attempt += 1) {
      const tenantId = `tnt_found_${attempt}`;
      const response = await upload(content, tenantId);
      if ((response.data.barcodes as unknown[]).length > 0 || attempt === 20) return { response, tenantId };
    }
  }

  test('is in the response and in the URL, and the URL opens', async () => {
    const content = await pdfOfPages([
      { barcodes: [{ bcid: 'gs1-128', text: '(420)90210(92)00190354567890123456', height: 12 }] },
      { size: A4 },
    ]);
    const { response, tenantId } = await uploadUntilRead(content);
    expect(compileValidator(UploadedFile).errors(response.data)).toEqual([]);
    expect(response.data).toMatchObject({
      warnings: [{ field: 'file', message: expect.stringMatching(/^Page 2 is 210 × 297 mm and differs from page 1/) }],
      barcodes: [{ page: 1, format: 'Code128', text: '42090210 9200190354567890123456' }],
    });
    expect(findingsOf(response, tenantId)).toMatchObject({ pages: 2, differing: { page: 2, width: 210, height: 297 } });
    const { barcodes } = findingsOf(response, tenantId) ?? { barcodes: { hasNumber: false, readings: [] } };
    expect(namesAnyNumber(service.fileSecret, barcodes, ['9200190354567890123456'])).toBe(true);
    expect(String(response.data.url)).not.toContain('920019');
    expect((await fetched(response.data.url)).equals(content)).toBe(true);
  });

  test('is the same when the content comes again, without another inspection', async () => {
    const content = await pdfOfPages([{ size: A4, barcodes: [{ bcid: 'code128', text: 'TWICE-1', height: 12 }] }]);
    const { response: first, tenantId } = await uploadUntilRead(content);
    const again = await upload(content, tenantId);
    expect(first.data.barcodes).toHaveLength(1);
    expect(again.data).toEqual({ ...first.data, deduplicated: true });
  });

  test('is nothing when there was no capacity, and the URL stays as it was first', async () => {
    const content = await pdfOfPages([{ barcodes: [{ bcid: 'code128', text: 'BUSY-1', height: 12 }] }]);
    // A tenant has five at once: one under inspection, and four that wait.
    const busy = Array.from({ length: 12 }, (_, index) => upload(pdf(2000, 900 + index), 'tnt_busy'));
    const responses = await Promise.all([...busy, upload(content, 'tnt_busy')]);
    expect(responses.map((response) => response.code)).toEqual(Array(13).fill('0'));
    const again = await upload(content, 'tnt_busy');
    expect(again.data).toMatchObject({ url: responses.at(-1)?.data.url, deduplicated: true });
  });

  test('is a warning when it is nothing that prints', async () => {
    const response = await upload(pdf(2000, 321), 'tnt_prints');
    expect(response.data).toMatchObject({ warnings: [{ field: 'file', message: expect.stringMatching(/no page/) }], barcodes: [] });
    expect(findingsOf(response, 'tnt_prints')).toMatchObject({ isReadable: true, pages: 0 });
  });
});
