import { describe, expect, test } from '@jest/globals';
import type { FileDeletion, OwnFile } from '@parcelway/contracts/own-files-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import { samplePdf } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { useStageWithMerchant } from '../use-stage.ts';

const { merchant } = useStageWithMerchant();

const WITHIN_MS = 20_000;
const newPdf = (): Buffer => samplePdf(newPoNumber('PDF'));
const pathOf = (attachmentId: number) => ({ path: { attachment_id: String(attachmentId) } });
const read = (attachmentId: number) => expectRoute<OwnFile>(merchant.client, 'getFile', pathOf(attachmentId));
const remove = (attachmentId: number) => callRoute<FileDeletion>(merchant.client, 'deleteFile', pathOf(attachmentId));
const statusOf = async (url: string): Promise<number> => (await merchant.client.fetchBytes(url)).status;
const untilUses = (attachmentId: number, count: number) =>
  until(async () => (await read(attachmentId)).used_by_count === count, { within: WITHIN_MS, what: `${count} uses of the file` });

describe('own files', () => {
  test('are deleted only while no forecast names them', async () => {
    const content = newPdf();
    const { data: file } = await merchant.upload('label.pdf', content);
    const { po_number, forecast_no } = await merchant.submit({ shippingLabel: file.url });
    await untilUses(file.attachment_id, 1);
    const used_by = [{ po_number, forecast_no, fields: ['shipping_label'] }];
    expect(await remove(file.attachment_id)).toMatchObject({ status: 409, code: '40902', data: { used_by, used_by_count: 1 } });
    await merchant.correct(po_number, { shipping_label: (await merchant.files()).label });
    await untilUses(file.attachment_id, 0);
    for (let time = 0; time < 2; time += 1)
      expect((await remove(file.attachment_id)).data).toEqual({ attachment_id: file.attachment_id, deleted: true });
    expect(await statusOf(file.url)).toBe(404);
    const again = await merchant.upload('label.pdf', content);
    expect(again.data.deduplicated).toBe(false);
    expect(again.data.attachment_id).not.toBe(file.attachment_id);
  });

  test('come back for a forecast that was on its way while they were deleted', async () => {
    const { data: file } = await merchant.upload('label.pdf', newPdf());
    expect((await remove(file.attachment_id)).code).toBe('0');
    await merchant.submit({ shippingLabel: file.url });
    await until(async () => (await statusOf(file.url)) === 200, { within: WITHIN_MS, what: 'the file to be back' });
    await untilUses(file.attachment_id, 1);
  });
});
