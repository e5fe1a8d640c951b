import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { namesAnyNumber } from '@parcelway/contracts/barcode-readings';
import { MAX_FILE_BYTES, UploadedFile } from '@parcelway/contracts/file-api';
import { decodeImageId, readFileUrl } from '@parcelway/contracts/file-receipt';
import { compileValidator } from '@parcelway/contracts/validator';
import { until } from '@parcelway/kernel/testing/until';
import fc from 'fast-check';
import {
  asPdf,
  FileServiceUnderTest,
  FORM_TYPE,
  form,
  pdf,
  system,
  type TestResponse,
  tenant,
  warehouse,
} from '../testing/file-service.ts';
import { A4, pdfOfPages } from '../testing/sample-pdf.ts';
import { uploadedFileData } from './adapters/represent-files.ts';
import { UNREADABLE } from './domain/inspected-pdf.ts';

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
    expect(readFileUrl(service.fileSecret, owner, String(response.data.url))).toBeDefined();
    expect(readFileUrl(service.fileSecret, { ...owner, tenantId: 'tnt_2' }, String(response.data.url))).toBeUndefined();
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

describe('a PDF', () => {
  test.each([
    ['%%EOF at its earliest place', 1019, '0'],
    ['%%EOF one byte too early', 1020, '42205'],
  ])('ends with %s, whatever its pieces', async (_what, bytesAfter, code) => {
    for (const size of [1500, 300_000]) {
      const [body, after] = [Buffer.alloc(size, 'x'), Buffer.alloc(bytesAfter, 'y')];
      const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), body, Buffer.from('%%EOF'), after]);
      expect(await service.uploadPdf([{ name: 'a.pdf', content }])).toMatchObject({ code });
    }
  });

  test('is refused with each fault of its name and its content', async () => {
    const refused = await service.uploadPdf([{ name: 'label', content: Buffer.alloc(300_000, '\x89PNG') }]);
    const errors = ['extension', 'beginning'].map((rule) => ({ field: 'file', rule }));
    expect(refused).toMatchObject({ status: 422, code: '42205', data: { errors } });
  });
});

describe('a file name', () => {
  test.each([
    ['folders', '../../etc/passwd.pdf', 'passwd.pdf'],
    ['right-to-left text', 'تسمية\u202efdp.pdf', 'تسمية\u202efdp.pdf'],
  ])('with %s is kept inert', async (_what, name, kept) => {
    const response = await service.uploadPdf([{ name, content: pdf(500, Math.random()) }]);
    expect(response).toMatchObject({ code: '0', data: { origin_name: kept } });
    const opened = await service.open(response.data.url);
    expect(opened.headers.get('content-disposition')).toMatch(/^inline; filename="[A-Za-z0-9 ._-]*"; filename\*=UTF-8''[A-Za-z0-9._~%-]+$/);
    expect(opened.headers.get('content-disposition')).not.toContain('%E2%80%AE');
  });
});

describe('the same content', () => {
  test('is stored once per tenant, whatever its name', async () => {
    const content = pdf(4011, 11);
    const first = await service.uploadPdf([{ name: 'one.pdf', content }], 'tnt_a');
    const again = await service.uploadPdf([{ name: 'two.pdf', content }], 'tnt_a');
    expect(again.data).toEqual({ ...first.data, deduplicated: true });
    // Of its own size only: an upload of before that broke off may be cleared away at any moment.
    expect(await service.contentCount(content.length)).toBe(1);
    const other = await service.uploadPdf([{ name: 'one.pdf', content }], 'tnt_b');
    expect(other.data).toMatchObject({ deduplicated: false });
    expect(other.data.url).not.toBe(first.data.url);
    expect(other.data.attachment_id).not.toBe(first.data.attachment_id);
  });
});

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

  test('is in the URL of a later upload when the first one was not inspected', () => {
    const issuer = { environment: 'sandbox', publicBaseUrl: 'https://files.test', fileSecret: service.fileSecret } as const;
    const digest = { md5: 'm', sha256: 's', size: 7 };
    const file = { ...digest, id: 1, storageKey: 'pdf/a', token: 'A'.repeat(22), name: 'a.pdf', uploadedAt: 0, findings: undefined };
    const { url } = uploadedFileData(issuer, 'tnt_1', { file, deduplicated: true, findings: UNREADABLE }, undefined);
    expect(readFileUrl(service.fileSecret, { tenantId: 'tnt_1', environment: 'sandbox' }, url)?.findings).toMatchObject({
      isReadable: false,
    });
  });
});

const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(64)]);

const upload = (name: string, content: Buffer, tenantId = 'tnt_1') =>
  service.post('/open/v1/files/image', tenant(tenantId), form([{ name, content }]));

test('an image is stored, opens by its URL, and has a receipt for its tenant', async () => {
  const { status, data } = await upload('mug.png', PNG);
  expect([status, data]).toEqual([
    200,
    {
      image_id: expect.any(String),
      image_url: expect.stringMatching(/\/photos\/[\w-]{22}\.png$/),
      media_type: 'image/png',
      size_byte: PNG.length,
    },
  ]);
  expect(decodeImageId(service.fileSecret, String(data['image_id']))).toMatchObject({
    tenant_id: 'tnt_1',
    environment: 'sandbox',
    image_url: data['image_url'],
    file_size: PNG.length,
  });
  const opened = await service.open(data['image_url']);
  expect(Buffer.from(await opened.arrayBuffer()).equals(PNG)).toBe(true);
  expect((await upload('mug.png', PNG)).data['image_url']).not.toBe(data['image_url']);
});

test('a PDF and an image of an erased tenant are refused', async () => {
  await service.post('/internal/v1/erased-tenants', system, Buffer.from('{"tenant_id":"tnt_gone"}'), 'application/json');
  const gone = { code: '40302', message: expect.stringContaining('The data of the tenant was erased') };
  expect(await upload('mug.png', PNG, 'tnt_gone')).toMatchObject(gone);
  expect(await service.uploadPdf([{ name: 'a.pdf', content: pdf() }], 'tnt_gone')).toMatchObject(gone);
});

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
    ['multipart/mixed; boundary=x', '42204'],
    ['multipart/form-data', '42204'],
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
