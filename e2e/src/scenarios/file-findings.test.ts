import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import { code128Pdf } from '../code128-pdf.ts';
import { useSharedStageWithMerchant } from '../use-stage.ts';

const { merchant } = useSharedStageWithMerchant();

/**
 * The URL of a label whose barcode was read. On a busy machine an upload goes on without barcodes, and the same content stays as it was found: so
 * each attempt is another file.
 */
async function uploadLabel(text: string): Promise<string> {
  const data = await until(
    async () => {
      const response = await merchant.upload('label.pdf', code128Pdf(text, { mark: newPoNumber('mark') }));
      return response.data.barcodes.length > 0 ? response.data : undefined;
    },
    { what: 'barcodes of an upload' },
  );
  expect(data.barcodes).toEqual([{ page: 1, format: 'Code128', text }]);
  return data.url;
}

const warningsOf = async (body: Record<string, unknown>) => {
  const response = await merchant.submitBody(body);
  expect(response.code).toBe('0');
  return response.data.warnings;
};

describe('a shipping label', () => {
  test('of the declared number is accepted without a warning, and opens', async () => {
    const shipping_label = await uploadLabel('42090210SF1234567890');
    const body = await merchant.body();
    const [item] = body['items'] as [object];
    expect(await warningsOf({ ...body, shipping_label, items: [{ ...item, tracking_number: '42090210-SF-1234567890' }] })).toEqual([]);
    expect((await merchant.client.fetchBytes(shipping_label)).headers['content-type']).toBe('application/pdf');
  });

  test('of another parcel is warned of', async () => {
    const body = await merchant.body();
    const [item] = body['items'] as [object];
    const items = [{ ...item, tracking_number: 'SF1111111111' }];
    expect(await warningsOf({ ...body, items, shipping_label: await uploadLabel('SF9999999999') })).toEqual([
      { field: 'shipping_label', message: expect.stringMatching(/^No barcode of the shipping label names a declared tracking_number/) },
    ]);
  });

  test('that does not print as it is, is warned of at the upload and at the submission', async () => {
    const A3 = [842, 1191] as const;
    const { data } = await merchant.upload('label.pdf', code128Pdf('SF1', { pages: [A3], mark: newPoNumber('mark') }));
    const message = expect.stringMatching(/^Page 1 is 297 × 420 mm, which neither/);
    expect(data.warnings).toContainEqual({ field: 'file', message });
    expect(await warningsOf({ ...(await merchant.body()), shipping_label: data.url })).toContainEqual({ field: 'shipping_label', message });
  });
});
