import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { samplePdf } from '@parcelway/harness/sample-data';
import { useSharedStageWithMerchant } from '../use-stage.ts';

const { merchant } = useSharedStageWithMerchant();

const newPdf = (): Buffer => samplePdf(newPoNumber('PDF'));

describe('an uploaded PDF', () => {
  test('opens without a key as it was; other URLs do not', async () => {
    const content = newPdf();
    const { data } = await merchant.upload('订单 📦.pdf', content);
    expect(data).toMatchObject({ origin_name: '订单 📦.pdf', size_byte: content.length, deduplicated: false });
    const opened = await merchant.client.fetchBytes(data.url);
    expect(opened.bytes.equals(content)).toBe(true);
    expect(opened.headers).toMatchObject({ 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' });
    const head = await merchant.client.call(data.url, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': String(content.length) } });
    for (const wrong of [`${data.url}x`, data.url.replace(/[^/]+$/, '..%2f..%2finstallation.json')])
      expect((await merchant.client.call(wrong)).status).toBe(404);
  });

  test('with a page of the web in it is served as nothing but a PDF', async () => {
    const polyglot = Buffer.concat([newPdf(), Buffer.from(`<html><script>alert("${newPoNumber()}")</script>`)]);
    const { data } = await merchant.upload('page.pdf', polyglot);
    const opened = await merchant.client.fetchBytes(data.url);
    expect(opened.headers).toMatchObject({ 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' });
    expect(opened.bytes.equals(polyglot)).toBe(true);
  });

  test.each([['../../../../tmp/escape.pdf'], ['nul\u0000byte.pdf'], ['quote"; filename="other.pdf'], ['line\r\nX-Injected: yes\r\n.pdf']])(
    'with the name %j harms nobody',
    async (name) => {
      const response = await merchant.upload(name, newPdf());
      if (response.code !== '0') {
        expect(['42204', '42205']).toContain(response.code);
        return;
      }
      // Nothing of the name is in it: a token, what was found inside, a signature.
      expect(new URL(response.data.url).pathname).toMatch(/^\/files\/[\w-]{22}(\.[\w-]+)?-[\w-]{22}\.pdf$/);
      const opened = await merchant.client.fetchBytes(response.data.url);
      expect(opened.headers['content-type']).toBe('application/pdf');
      expect(opened.headers['x-injected']).toBeUndefined();
    },
  );
});
