import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { useStageWithMerchant } from '../use-stage.ts';

/* Exceptions, holds and counts, from the warehouse's report to what the merchant reads. */

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
