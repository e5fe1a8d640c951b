import { expect, test } from '@jest/globals';
import type { ApiResponse } from '@parcelway/harness/api-client';
import { fillDisk } from '@parcelway/harness/full-disk';
import { newPoNumber } from '@parcelway/harness/merchant';
import { samplePdf } from '@parcelway/harness/sample-data';
import { useStageWithMerchant } from '../use-stage.ts';

/* A platform whose disk is full. Stores of distributed mode fail in e2e/src/faults. */

const { stage, merchant } = useStageWithMerchant();

/** What `work` responds while the disk is full. */
async function withoutStorage(work: () => Promise<ApiResponse<unknown>>): Promise<ApiResponse<unknown>> {
  const heal = fillDisk(stage.platform.pid);
  try {
    return await work();
  } finally {
    heal();
  }
}

test('what failed on a full disk succeeds when it is tried again', async () => {
  const content = samplePdf(newPoNumber('again'));
  const refused = { headers: { 'retry-after': expect.any(String) }, data: null };
  expect(await withoutStorage(() => merchant.upload('again.pdf', content))).toMatchObject({ code: '42207', ...refused });
  const stored = await merchant.upload('again.pdf', content);
  expect(stored.data).toMatchObject({ deduplicated: false, size_byte: content.length });
  expect((await merchant.client.fetchBytes(stored.data.url)).bytes.equals(content)).toBe(true);
  const body = await merchant.body();
  expect(await withoutStorage(() => merchant.submitBody(body))).toMatchObject({ code: '50301', ...refused });
  expect((await merchant.client.call(`/open/v1/forecasts/${String(body.po_number)}`)).code).toBe('40401');
  const accepted = await merchant.submitBody(body);
  expect(accepted.code).toBe('0');
  expect(accepted.headers['idempotent-replayed']).toBeUndefined();
});
