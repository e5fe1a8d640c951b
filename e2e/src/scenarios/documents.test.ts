import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { FileDeletion, OwnFile } from '@parcelway/contracts/own-files-api';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import { samplePdf } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { useStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useStageWithMerchant({ LABEL_PAGE: '60x40', GS1_COMPANY_PREFIX: '0614141' });

const item = { sku_code: 'TSHIRT-M', product_name_en: 'Cotton T-shirt', product_name_cn: '纯棉T恤', forecast_quantity: 3 };

async function submitted(poNumber: string, items: readonly object[]): Promise<ForecastDetail> {
  const body = { ...(await merchant.body({ poNumber })), items };
  expect(await merchant.submitBody(body)).toMatchObject({ code: '0' });
  return merchant.forecast(poNumber);
}

const pageCount = (pdf: Buffer): number => Number(/\/Count (\d+)(?![\s\S]*\/Count)/.exec(pdf.toString('latin1'))?.[1]);
const opened = (url: string) => merchant.client.fetchBytes(url);

describe('the documents of a forecast', () => {
  const poNumber = newPoNumber('LABEL');
  let detail: ForecastDetail;
  beforeAll(async () => {
    detail = await submitted(poNumber, [item]);
  }, 90_000);

  test('open without a key, from the acceptance on', async () => {
    const urls = [detail.marketplace_label, `${detail.marketplace_label}?copies=quantity`, detail.packing_slip];
    const [label, copies, slip] = await Promise.all(urls.map(opened));
    // An item, the carton, and its SSCC.
    expect([label, copies, slip].map((each) => [each?.status, pageCount(each?.bytes ?? Buffer.alloc(0))])).toEqual([
      [200, 3],
      [200, 5],
      [200, 1],
    ]);
    expect(label?.headers['content-disposition']).toContain(`product-label-${detail.forecast_no}-v1.pdf`);
  });

  test('are the same for the warehouse', async () => {
    const seen: WarehouseForecastDetail = await stage.clerk.untilForecast(detail.forecast_no, () => true, 'the forecast');
    const { marketplace_label, marketplace_label_version, packing_slip } = detail;
    expect(seen).toMatchObject({ marketplace_label, marketplace_label_version, packing_slip });
  });

  test('are others after a correction; those that were opened stay', async () => {
    const before = await opened(detail.marketplace_label);
    const items = [item, { ...item, sku_code: 'TSHIRT-L' }];
    await merchant.client.expectOk(`/open/v1/forecasts/${poNumber}`, { method: 'PATCH', body: { items } });
    const corrected = await merchant.forecast(poNumber);
    expect(corrected).toMatchObject({ marketplace_label_version: 2 });
    expect(pageCount((await opened(corrected.marketplace_label)).bytes)).toBe(4);
    expect((await opened(detail.marketplace_label)).bytes.equals(before.bytes)).toBe(true);
  });

  test('of more items than an event carries open, too', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({ ...item, sku_code: `SKU-${index}`, product_name_cn: '纯'.repeat(80) }));
    const { marketplace_label: url } = await submitted(newPoNumber('LARGE'), many);
    expect(pageCount((await opened(url)).bytes)).toBe(1002);
  }, 90_000);
});

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
