import { describe, expect, test } from '@jest/globals';
import { MAX_FILE_BYTES } from '@parcelway/contracts/file-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import { FormData } from 'undici';
import { useSharedStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useSharedStageWithMerchant();

const newPdf = (): Buffer => samplePdf(newPoNumber('PDF'));

/** A PDF of exactly so many bytes: its last line is far behind the rest. */
function pdfOf(bytes: number): Buffer {
  const content = Buffer.alloc(bytes, 0x20);
  newPdf().copy(content);
  content.write('%%EOF\n', bytes - 6);
  return content;
}

describe('an uploaded PDF', () => {
  test('is described, and opens without a key as it was', async () => {
    const content = newPdf();
    const { data } = await merchant.upload('shipping label.pdf', content);
    expect(data).toMatchObject({ origin_name: 'shipping label.pdf', size_byte: content.length, deduplicated: false });
    expect(data.url).toMatch(/^https:\/\//);
    const opened = await merchant.client.fetchBytes(data.url);
    expect(opened.status).toBe(200);
    expect(opened.bytes.equals(content)).toBe(true);
    expect(opened.headers).toMatchObject({ 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' });
  });

  test('has its size written for people', async () => {
    expect((await merchant.upload('a.pdf', pdfOf(1_572_864))).data.size_info).toBe('1.50 MB');
  });

  test('is stored once per tenant, whatever its name', async () => {
    const content = newPdf();
    const first = await merchant.upload('first.pdf', content);
    const again = await merchant.upload('second.pdf', content);
    expect(again.data).toEqual({ ...first.data, deduplicated: true });
    const other = await (await stage.operator.newMerchant()).upload('first.pdf', content);
    expect(other.data.deduplicated).toBe(false);
    expect(other.data.url).not.toBe(first.data.url);
    expect(other.data.attachment_id).not.toBe(first.data.attachment_id);
  });

  test('may have exactly 10,485,760 bytes and not one more', async () => {
    const largest = await merchant.upload('largest.pdf', pdfOf(MAX_FILE_BYTES));
    expect(largest.data).toMatchObject({ size_byte: MAX_FILE_BYTES, size_info: '10.00 MB' });
    expect(await merchant.upload('larger.pdf', pdfOf(MAX_FILE_BYTES + 1))).toMatchObject({ status: 422, code: '42206' });
    // Refused while it streams: twice the limit gets the same response, and the service goes on.
    expect((await merchant.upload('much-larger.pdf', pdfOf(2 * MAX_FILE_BYTES))).code).toBe('42206');
    expect((await merchant.upload('small.pdf', newPdf())).code).toBe('0');
  });
});

describe('what is a PDF', () => {
  const preamble = (bytes: number): Buffer => Buffer.concat([Buffer.alloc(bytes, 0x0a), newPdf()]);
  test.each<[string, () => Buffer]>([
    ['capital.PDF', newPdf],
    ['MiXed.pDf', newPdf],
    ['two.dots.pdf', newPdf],
    ['preamble.pdf', () => preamble(1019)],
    ['byte-order-mark.pdf', () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), newPdf()])],
    ['encrypted.pdf', () => Buffer.concat([newPdf(), Buffer.from(`trailer << /Encrypt 9 0 R >> ${newPoNumber()}`)])],
  ])('%s is taken', async (name, content) => {
    expect((await merchant.upload(name, content())).code).toBe('0');
  });

  test.each<[string, () => Buffer]>([
    ['renamed.pdf', () => samplePng('not a pdf')],
    ['png-and-pdf.pdf', () => Buffer.concat([samplePng('a picture'), newPdf()])],
    ['page-and-pdf.pdf', () => Buffer.concat([Buffer.from('<html><script>alert(1)</script>'), newPdf()])],
    ['truncated.pdf', () => newPdf().subarray(0, -40)],
    ['late-marker.pdf', () => preamble(1020)],
    ['empty.pdf', () => Buffer.alloc(0)],
    ['label.png', newPdf],
    ['label.pdf.exe', newPdf],
    ['pdf', newPdf],
    ['html.pdf', () => Buffer.from('<html><script>alert(1)</script></html>')],
  ])('%s is refused', async (name, content) => {
    expect(await merchant.upload(name, content())).toMatchObject({ status: 422, code: '42205' });
  });

  test('one with a page of the web in it is served as nothing but a PDF', async () => {
    const polyglot = Buffer.concat([newPdf(), Buffer.from(`<html><script>alert("${newPoNumber()}")</script>`)]);
    const { data } = await merchant.upload('page.pdf', polyglot);
    const opened = await merchant.client.fetchBytes(data.url);
    expect(opened.headers).toMatchObject({ 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' });
    expect(opened.bytes.equals(polyglot)).toBe(true);
  });
});

describe('a PDF that is unusual for a label or packing list', () => {
  const withPages = (pages: number): Buffer => {
    const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`).join(' ');
    const leaf = (number: number): string => `${number} 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 288 432] >> endobj\n`;
    return Buffer.from(
      `%PDF-1.4\n% ${newPoNumber()}\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n` +
        `2 0 obj << /Type /Pages /Count ${pages} /Kids [${kids}] >> endobj\n` +
        Array.from({ length: pages }, (_, index) => leaf(index + 3)).join('') +
        'trailer << /Root 1 0 R >>\n%%EOF\n',
    );
  };
  test.each<[string, () => Buffer, RegExp[]]>([
    ['usual.pdf', newPdf, []],
    ['twenty-pages.pdf', () => withPages(20), []],
    ['many-pages.pdf', () => withPages(21), [/has 21 pages/]],
    ['no-page.pdf', () => Buffer.from(`%PDF-1.4\n% ${newPoNumber()}\n%%EOF`), [/has no page/]],
  ])('%s is taken, and its warnings say what', async (name, content, messages) => {
    const body = content();
    const expected = messages.map((message) => ({ field: 'file', message: expect.stringMatching(message) }));
    // The second upload is the first record again, with the same warnings.
    for (const deduplicated of [false, true]) {
      const { data } = await merchant.upload(name, body);
      // On a busy machine there may be no time for drawing.
      const warnings = data.warnings.filter(({ message }) => !message.startsWith('Drawing the pages took too long'));
      expect({ deduplicated: data.deduplicated, warnings }).toEqual({ deduplicated, warnings: expected });
    }
  });
});

describe('file names', () => {
  test.each([
    ['../../../../tmp/escape.pdf'],
    ['..\\..\\escape.pdf'],
    ['/etc/passwd.pdf'],
    ['nul\u0000byte.pdf'],
    ['invoice\u202efdp.exe.pdf'],
    [`${'x'.repeat(300)}.pdf`],
    ['quote"; filename="other.pdf'],
    ['line\r\nX-Injected: yes\r\n.pdf'],
    ['订单 📦.pdf'],
  ])('%j is inert', async (name) => {
    const content = newPdf();
    const response = await merchant.upload(name, content);
    if (response.code !== '0') {
      expect(['42204', '42205']).toContain(response.code);
      return;
    }
    // Nothing of the name is in it: a token, what was found inside, a signature.
    expect(new URL(response.data.url).pathname).toMatch(/^\/files\/[\w-]{22}(\.[\w-]+)?-[\w-]{22}\.pdf$/);
    const opened = await merchant.client.fetchBytes(response.data.url);
    expect(opened.headers['content-type']).toBe('application/pdf');
    expect(opened.headers['x-injected']).toBeUndefined();
    expect(opened.bytes.equals(content)).toBe(true);
  });

  test('of other scripts are kept as they are', async () => {
    expect((await merchant.upload('订单 📦.pdf', newPdf())).data.origin_name).toBe('订单 📦.pdf');
  });
});

describe('a body without a file', () => {
  const path = '/open/v1/files/pdf';

  test('another field, a text field, no field: 42204', async () => {
    const other = new FormData();
    other.append('document', new Blob([newPdf() as Buffer<ArrayBuffer>]), 'a.pdf');
    const text = new FormData();
    text.append('file', 'just text');
    for (const body of [other, text, new FormData()]) {
      expect(await merchant.client.call(path, { method: 'POST', body })).toMatchObject({ status: 422, code: '42204', data: null });
    }
  });

  test.each([
    ['no boundary', 'multipart/form-data', 'whatever'],
    ['a boundary that never comes', 'multipart/form-data; boundary=x', 'no boundary here'],
    [
      'cut off',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4 cut',
    ],
    ['broken headers', 'multipart/form-data; boundary=x', '--x\r\nnonsense\r\n\r\n%PDF-1.4\r\n--x--\r\n'],
    ['nothing', 'multipart/form-data; boundary=x', ''],
  ])('multipart with %s: 42204', async (_name, type, body) => {
    const response = await merchant.client.call(path, { method: 'POST', body, headers: { 'content-type': type } });
    expect(response).toMatchObject({ status: 422, code: '42204' });
    expect((await merchant.upload('after.pdf', newPdf())).code).toBe('0');
  });

  test('something else than multipart has no file: 42204', async () => {
    expect(await merchant.client.call(path, { body: { file: 'x' } })).toMatchObject({ status: 422, code: '42204' });
    const raw = { method: 'POST' as const, body: newPdf(), headers: { 'content-type': 'application/pdf' } };
    expect(await merchant.client.call(path, raw)).toMatchObject({ status: 422, code: '42204' });
  });
});

describe('URLs', () => {
  test('that were never given out do not open', async () => {
    const { data } = await merchant.upload('a.pdf', newPdf());
    const base = data.url.slice(0, data.url.lastIndexOf('/'));
    const name = data.url.slice(base.length + 1);
    const otherKey = `${name.startsWith('A') ? 'B' : 'A'}${name.slice(1)}`;
    for (const wrong of [otherKey, `${name}x`, 'a.pdf', '..%2f..%2finstallation.json']) {
      const response = await merchant.client.call(`${base}/${wrong}`);
      expect([wrong, response.status, response.code]).toEqual([wrong, 404, response.code === '40402' ? '40402' : '40403']);
    }
  });

  test('respond to HEAD with the size, and to a range with its part', async () => {
    const content = newPdf();
    const { data } = await merchant.upload('a.pdf', content);
    const head = await merchant.client.call(data.url, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': String(content.length) } });
  });
});
