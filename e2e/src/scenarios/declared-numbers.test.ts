import { expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { parcelctlJson } from '@parcelway/harness/parcelctl';
import { until } from '@parcelway/kernel/testing/until';
import { useStageWithMerchant } from '../use-stage.ts';

const { stage, merchant: owner } = useStageWithMerchant();

interface Numbers {
  readonly tenants: ReadonlyArray<{ readonly tenant_id: string; readonly unseen: number; readonly is_suspect: boolean }>;
}

const PER_FORECAST = 2000;

test('guessed numbers bring no parcel until the warehouse names the forecast, and the owner learns of a scan that went elsewhere', async () => {
  const { clerk, operator } = stage;
  const guesser = await operator.newMerchant();
  const { tenantId } = guesser.identity;
  const stem = newPoNumber('G');
  const guess = (index: number): string => `${stem}${String(index).padStart(5, '0')}`;
  const body = await guesser.body({ forecastType: 1, warehouseCode: clerk.code });
  const [item] = body['items'] as [Record<string, unknown>];
  const accepted: { readonly po_number: string; readonly forecast_no: string }[] = [];
  for (let first = 0; first < 10_000; first += PER_FORECAST) {
    const items = Array.from({ length: PER_FORECAST }, (_, index) => ({ ...item, tracking_number: guess(first + index) }));
    const { code, data } = await guesser.submitBody({ ...body, po_number: newPoNumber(), items });
    expect(code).toBe('0');
    accepted.push(data);
  }
  const [mine] = accepted as [(typeof accepted)[number]];
  const counted = await until(
    async () => {
      const { tenants } = await operator.admin.expectOk<Numbers>('/admin/v1/declared-numbers');
      return tenants.find(({ tenant_id, unseen }) => tenant_id === tenantId && unseen === 10_000);
    },
    { what: 'the numbers to be counted' },
  );
  expect(counted).toMatchObject({ is_suspect: true, seen_30_days: 0, limit: null });

  const express_no = guess(7);
  const { photo_id } = await clerk.photo();
  const scan = await clerk.report(clerk.weighing({ express_no, photo_ids: [photo_id] }));
  expect(scan).toMatchObject({ waiting: 1, warnings: [{ rule: 'ambiguous', message: expect.stringContaining(mine.forecast_no) }] });
  expect((await clerk.lookUp(express_no)).candidates).toMatchObject([{ matched_by: 'tracking_number', is_doubtful: true }]);
  const forecast = await guesser.forecast(mine.po_number);
  expect([forecast.status, forecast.measurements]).toEqual([1, []]);

  expect(await clerk.report(clerk.event({ type: 'processing', express_no, forecast_no: mine.forecast_no }))).toMatchObject({ waiting: 0 });
  await guesser.untilStatus(mine.po_number, 4);
  expect((await guesser.forecast(mine.po_number)).measurements).toHaveLength(1);

  const late = await owner.submitBody({
    ...(await owner.body({ forecastType: 1, warehouseCode: clerk.code })),
    items: [{ ...item, tracking_number: express_no }],
  });
  expect(late.data.warnings).toMatchObject([{ field: 'items[0].tracking_number', message: expect.stringContaining('went elsewhere') }]);
  expect(JSON.stringify(late.data)).not.toContain(mine.forecast_no);

  // The operator draws a line.
  await parcelctlJson(['tenant', 'limit-numbers', tenantId, '9999'], { DATA_DIR: stage.platform.dataDirectory });
  const refused = await until(
    async () => {
      const more = await guesser.submitBody({ ...body, po_number: newPoNumber(), items: [{ ...item, tracking_number: guess(10_000) }] });
      return more.code === '42201' ? more : undefined;
    },
    { what: 'the limit to hold' },
  );
  expect(refused.data).toMatchObject({ errors: [{ field: 'items', rule: 'declared_numbers', message: expect.stringContaining('9999') }] });
});
