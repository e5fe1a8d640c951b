import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import { useStageWithMerchant } from '../use-stage.ts';

const { merchant } = useStageWithMerchant({ LABEL_PAGE: '50x30', GS1_COMPANY_PREFIX: '0614141' });

const GENERATED_WITHIN_MS = 60_000;

/** The forecast once a version of it has its documents. */
async function withDocuments(
  poNumber: string,
  version: number,
): Promise<ForecastDetail & { readonly marketplace_label: string; readonly packing_slip: string }> {
  let detail: ForecastDetail | undefined;
  await until(
    async () => {
      detail = await merchant.client.expectOk<ForecastDetail>(`/open/v1/forecasts/${poNumber}`);
      return detail.marketplace_label_version === version;
    },
    { within: GENERATED_WITHIN_MS, what: `documents of version ${version} of ${poNumber}` },
  );
  return detail as Awaited<ReturnType<typeof withDocuments>>;
}

const item = { sku_code: 'TSHIRT-M', product_name_en: 'Cotton T-shirt', product_name_cn: '纯棉T恤', forecast_quantity: 3 };

async function submit(poNumber: string, items: readonly object[]): Promise<void> {
  const body = { ...(await merchant.body({ poNumber })), items };
  expect(await merchant.submitBody(body)).toMatchObject({ code: '0' });
}

const pageCount = (pdf: Buffer): number => Number(/\/Count (\d+)(?![\s\S]*\/Count)/.exec(pdf.toString('latin1'))?.[1]);

describe('the documents of a forecast', () => {
  const poNumber = newPoNumber('LABEL');
  let detail: Awaited<ReturnType<typeof withDocuments>>;
  beforeAll(async () => {
    await submit(poNumber, [item]);
    detail = await withDocuments(poNumber, 1);
  }, 90_000);

  test('open without a key', async () => {
    const [label, copies, slip] = await Promise.all(
      [detail.marketplace_label, `${detail.marketplace_label}?copies=quantity`, detail.packing_slip].map((url) =>
        merchant.client.fetchBytes(url),
      ),
    );
    // An item, the carton, and its SSCC.
    expect([label, copies, slip].map((each) => [each?.status, pageCount(each?.bytes ?? Buffer.alloc(0))])).toEqual([
      [200, 3],
      [200, 5],
      [200, 1],
    ]);
    expect(label?.headers['content-disposition']).toContain(`product-label-${detail.forecast_no}-v1.pdf`);
  });

  test('are not taken for an uploaded label', async () => {
    const body = { ...(await merchant.body({ poNumber: newPoNumber('REUSE') })), shipping_label: detail.marketplace_label };
    expect(await merchant.submitBody(body)).toMatchObject({ code: '42203' });
  });

  test('are made again after a correction; the former ones stay', async () => {
    const items = [item, { ...item, sku_code: 'TSHIRT-L' }];
    await merchant.client.expectOk(`/open/v1/forecasts/${poNumber}`, { method: 'PATCH', body: { items } });
    const corrected = await withDocuments(poNumber, 2);
    expect(corrected.marketplace_label).not.toBe(detail.marketplace_label);
    expect(pageCount((await merchant.client.fetchBytes(corrected.marketplace_label)).bytes)).toBe(4);
    expect(pageCount((await merchant.client.fetchBytes(detail.marketplace_label)).bytes)).toBe(3);
  }, 90_000);

  test('of more items than an event carries are made of those that the forecast service has', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({ ...item, sku_code: `SKU-${index}`, product_name_cn: '纯'.repeat(80) }));
    const large = newPoNumber('LARGE');
    await submit(large, many);
    const label = (await withDocuments(large, 1)).marketplace_label;
    expect(pageCount((await merchant.client.fetchBytes(label)).bytes)).toBe(1002);
  }, 90_000);
});
