import { describe, expect, test } from '@jest/globals';
import type { FileDeletion, FileList, OwnFile } from '@parcelway/contracts/own-files-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import { samplePdf } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { FormData } from 'undici';
import { useMerchant, useSharedStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useSharedStageWithMerchant();
const stranger = useMerchant(stage);

const WITHIN_MS = 20_000;
const newPdf = (): Buffer => samplePdf(newPoNumber('PDF'));
const pathOf = (attachmentId: number) => ({ path: { attachment_id: String(attachmentId) } });
const read = (attachmentId: number) => expectRoute<OwnFile>(merchant.client, 'getFile', pathOf(attachmentId));
const remove = (attachmentId: number) => callRoute<FileDeletion>(merchant.client, 'deleteFile', pathOf(attachmentId));
const statusOf = async (url: string): Promise<number> => (await merchant.client.fetchBytes(url)).status;
const untilUses = (attachmentId: number, count: number) =>
  until(async () => (await read(attachmentId)).used_by_count === count, { within: WITHIN_MS, what: `${count} uses of the file` });

describe('own files', () => {
  test('are listed with the forecasts that name them, for their owner alone', async () => {
    // Those that the submissions of these tests name besides.
    await merchant.files();
    const { data: file } = await merchant.upload('label.pdf', newPdf());
    const accepted = await merchant.submit({ shippingLabel: file.url, shippingNote: file.url });
    await untilUses(file.attachment_id, 1);
    const use = { po_number: accepted.po_number, forecast_no: accepted.forecast_no, fields: ['shipping_label', 'shipping_note'] };
    const { data: other } = await merchant.upload('unused.pdf', newPdf());
    const list = await expectRoute<FileList>(merchant.client, 'listFiles');
    expect(list.files.slice(0, 2).map(({ attachment_id, used_by }) => [attachment_id, used_by])).toEqual([
      [other.attachment_id, []],
      [file.attachment_id, [use]],
    ]);
    expect(list.files[1]).toMatchObject({ url: file.url, origin_name: 'label.pdf', size_byte: file.size_byte, used_by_count: 1 });
    const used = await expectRoute<FileList>(merchant.client, 'listFiles', { query: { used: 'true', limit: 1 } });
    expect(used.files.map(({ attachment_id }) => attachment_id)).toEqual([file.attachment_id]);
    expect((await expectRoute<FileList>(stranger.client, 'listFiles')).files).toEqual([]);
    expect((await callRoute(stranger.client, 'getFile', pathOf(file.attachment_id))).code).toBe('40403');
  });

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

describe('a URL that expires', () => {
  test('opens until then, works in a forecast, and the warehouse gets one that lasts', async () => {
    const form = new FormData();
    form.set('url_expires_in', '3600');
    form.set('file', new Blob([new Uint8Array(newPdf())]), 'label.pdf');
    const { data: file } = await merchant.client.call<{ attachment_id: number; url: string; url_expire_time: string }>(
      '/open/v1/files/pdf',
      {
        method: 'POST',
        body: form,
      },
    );
    const left = Date.parse(file.url_expire_time) - Date.now();
    expect(left > 3_500_000 && left <= 3_601_000).toBe(true);
    expect(await statusOf(file.url)).toBe(200);
    // With another expiry, or none, it is the URL of no file.
    for (const other of ['~zzzzzz', '~1', '']) expect(await statusOf(file.url.replace(/~[0-9a-z]+/, other))).toBe(404);

    const { forecast_no, po_number } = await merchant.submit({ shippingLabel: file.url });
    expect((await merchant.forecast(po_number)).shipping_label).toBe(file.url);
    const seen = await stage.clerk.untilForecast(forecast_no, ({ shipping_label }) => shipping_label !== null, 'its label');
    const lasting = String(seen.shipping_label);
    expect(lasting).not.toMatch(/~/);
    expect(await statusOf(lasting)).toBe(200);
    await untilUses(file.attachment_id, 1);
  });
});
