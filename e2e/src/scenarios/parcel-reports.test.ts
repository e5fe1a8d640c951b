import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { parcelctlJson } from '@parcelway/harness/parcelctl';
import { until } from '@parcelway/kernel/testing/until';
import { useStageWithMerchant } from '../use-stage.ts';

/* What warehouses report: exceptions, parcels without a forecast, numbers that nobody or too many declare. */

const { stage, merchant } = useStageWithMerchant();

const at = (minute: number): string => `2026-03-01T08:${String(minute).padStart(2, '0')}:00+08:00`;

describe('an exception', () => {
  test('reaches the merchant with its reason, words and photos, which open without a key; the status stays', async () => {
    const { po_number, forecast_no } = await merchant.submit();
    const { clerk } = stage;
    const photo = await clerk.photo('crushed');
    const report = clerk.exception({ forecast_no, text: 'Crushed 角落', photo_ids: [photo.photo_id], occurred_at: at(1) });
    await clerk.report(report);
    expect(await clerk.report(report)).toMatchObject({ accepted: 0, duplicates: 1 });
    const { status, exceptions } = await merchant.untilWeighing(po_number, (data) => data.exceptions.length > 0);
    expect(status).toBe(1);
    expect(exceptions).toEqual([
      {
        reason: 'damaged',
        text: 'Crushed 角落',
        occurred_at: at(1),
        photos: [expect.objectContaining({ image_url: photo.image_url, file_size: photo.size_byte })],
      },
    ]);
    const opened = await merchant.client.fetchBytes(String(exceptions[0]?.photos[0]?.image_url));
    expect(opened.headers).toMatchObject({ 'content-type': 'image/png' });
    expect((await merchant.forecast(po_number)).exceptions).toEqual(exceptions);
  });
});

/** A forecast that the intake knows. */
async function knownForecast(): Promise<{ readonly po_number: string; readonly forecast_no: string }> {
  const { po_number, forecast_no } = await merchant.submit({ trackingNumber: newPoNumber('TRK') });
  await stage.clerk.report(stage.clerk.event({ type: 'arrival', forecast_no }));
  await merchant.untilStatus(po_number, 2);
  return { po_number, forecast_no };
}

describe('a claim', () => {
  test('brings all that waits under the number, and what comes under it later, to the forecast', async () => {
    const { clerk } = stage;
    const { po_number, forecast_no } = await knownForecast();
    const express_no = newPoNumber('LOST');
    const events = [clerk.weighing({ express_no, weight_kg: 2 }), clerk.event({ type: 'processing', express_no })];
    expect((await clerk.report(...events)).waiting).toBe(2);
    const [first, second] = events.map(({ event_id }) => String(event_id)) as [string, string];
    expect(await clerk.outcome(first)).toMatchObject({ state: 'waiting', waiting_for: 'no_forecast', forecast_no: null, candidates: [] });

    const claimed = await clerk.claim(second, forecast_no);
    expect(claimed.data).toMatchObject({ id: second, action: 'claim', forecast_no, reason: null, events: 2 });
    await merchant.untilStatus(po_number, 4);
    const forecast = await merchant.forecast(po_number);
    expect(forecast.measurements).toHaveLength(1);
    expect(await clerk.outcome(first)).toMatchObject({ state: 'applied', forecast_no, resolved_by: claimed.data.resolved_by });
    const again = await clerk.claim(first, forecast_no);
    expect([again.data, again.headers['idempotent-replayed']]).toEqual([claimed.data, 'true']);

    expect(await clerk.report(clerk.weighing({ express_no, weight_kg: 3 }))).toMatchObject({ waiting: 0, warnings: [] });
    await merchant.untilWeighing(po_number, ({ weight_kg }) => weight_kg === 3);
    const other = await knownForecast();
    expect(await clerk.claim(first, other.forecast_no)).toMatchObject({
      status: 409,
      code: '40902',
      data: { action: 'claim', forecast_no },
    });
    expect(await clerk.dismiss(first, 'Lost')).toMatchObject({ status: 409, code: '40902' });
  });
});

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

  const late = await merchant.submitBody({
    ...(await merchant.body({ forecastType: 1, warehouseCode: clerk.code })),
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
