import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute } from '@parcelway/harness/route-call';
import { samplePng } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { useSharedStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useSharedStageWithMerchant();

describe('the weighing query', () => {
  test('before the weighing has nulls and empty lists', async () => {
    const { po_number } = await merchant.submit({ forecastType: 1 });
    expect(await merchant.weighing(po_number)).toEqual({
      po_number,
      status: 1,
      length_cm: null,
      width_cm: null,
      height_cm: null,
      weight_kg: null,
      weighing_images: [],
      forecast_images: [],
      on_hold: false,
      holds: [],
      exceptions: [],
    });
  });

  test('shows weigher photos newest first and opens them without a key', async () => {
    const { po_number } = await merchant.submit({ trackingNumber: newPoNumber('EXP') });
    const { forecast_no } = await merchant.forecast(po_number);
    const older = await stage.clerk.upload('one.png', samplePng('older'));
    const newer = await stage.clerk.upload('two.png', samplePng('newer'));
    // Reported the wrong way round on purpose.
    const photo_ids = [older.data.photo_id, newer.data.photo_id];
    await stage.clerk.report(stage.clerk.weighing({ forecast_no, express_no: 'SF-1234', photo_ids, weight_kg: 0.001 }));
    const data = await merchant.untilWeighing(po_number, ({ weight_kg }) => weight_kg !== null);
    expect(data).toMatchObject({ status: 3, length_cm: 30, width_cm: 20, height_cm: 10, weight_kg: 0.001 });
    expect(data.weighing_images.map((image) => image.image_url)).toEqual([newer.data.image_url, older.data.image_url]);
    for (const [index, mark] of ['newer', 'older'].entries()) {
      const opened = await merchant.client.fetchBytes(String(data.weighing_images[index]?.image_url));
      expect(opened.bytes.equals(samplePng(mark))).toBe(true);
      expect(opened.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
    }
  });

  test('shows forecast photos by image_order', async () => {
    const { po_number, forecast_no } = await merchant.submit({ forecastType: 1 });
    const orders = [30, 10, 20];
    const types = ['shipping', 'product', 'document'];
    for (const [index, image_order] of orders.entries()) {
      const { photo_id } = await stage.clerk.photo();
      await stage.clerk.report(stage.clerk.event({ type: 'photo', forecast_no, photo_id, image_order, image_type: types[index] }));
    }
    const data = await merchant.untilWeighing(po_number, ({ forecast_images }) => forecast_images.length === 3);
    expect(data.forecast_images.map((image) => [image.image_order, image.image_type])).toEqual([
      [10, 'product'],
      [20, 'document'],
      [30, 'shipping'],
    ]);
    expect(new Set(data.forecast_images.map((image) => image.upload_source))).toEqual(new Set(['warehouse']));
    expect(new Set(data.forecast_images.map((image) => image.forecast_id)).size).toBe(1);
    // Photos alone are not an arrival.
    expect(data).toMatchObject({ status: 1, weight_kg: null });
  });
});

describe('weighed again', () => {
  test('the newer measurement counts, the status stays, both are kept and each is published once', async () => {
    const receiver = await stage.receiver();
    const owner = await stage.operator.newMerchant();
    await owner.createEndpoint({ url: receiver.url, event_types: ['parcel.weighed'] });
    const { po_number, forecast_no } = await owner.submit({ forecastType: 1 });
    const { clerk } = stage;
    const at = (minute: number): string => `2026-03-01T08:${String(minute).padStart(2, '0')}:00+08:00`;
    await clerk.report(clerk.weighing({ forecast_no, weight_kg: 1, occurred_at: at(10) }));
    await owner.untilStatus(po_number, 3);
    await clerk.report(clerk.event({ type: 'processing', forecast_no }));
    await owner.untilStatus(po_number, 4);
    await clerk.report(clerk.weighing({ forecast_no, weight_kg: 2, length_cm: 99, occurred_at: at(20) }));
    expect(await owner.untilWeighing(po_number, ({ weight_kg }) => weight_kg === 2)).toMatchObject({ status: 4, length_cm: 99 });
    // A report of an earlier weighing that comes in late goes into the history only.
    const late = clerk.weighing({ forecast_no, weight_kg: 3, occurred_at: at(15) });
    await clerk.report(late);
    const detail = await until(async () => {
      const forecast = await owner.forecast(po_number);
      return forecast.measurements.length === 3 ? forecast : undefined;
    });
    expect(detail.measurements.map((measurement) => measurement.weight_kg)).toEqual([2, 3, 1]);
    expect(await owner.weighing(po_number)).toMatchObject({ status: 4, weight_kg: 2 });
    // The same event twice has one effect.
    expect(await clerk.report(late)).toMatchObject({ accepted: 0, duplicates: 1 });
    await clerk.report(clerk.weighing({ forecast_no, weight_kg: 4, occurred_at: at(30) }));
    await receiver.waitFor((webhook) => webhook.body.data.event_seq === 4);
    expect(receiver.received.map((webhook) => webhook.body.data.event_seq)).toEqual([1, 2, 3, 4]);
    expect((await owner.forecast(po_number)).measurements).toHaveLength(4);
  });
});

describe('refusals', () => {
  test('po_number missing, empty or given twice: 42201', async () => {
    const missing = await callRoute<{ errors: unknown[] }>(merchant.client, 'queryWeighing');
    expect(missing).toMatchObject({ status: 422, code: '42201', data: { errors: [{ field: 'po_number', rule: 'required' }] } });
    expect((await callRoute(merchant.client, 'queryWeighing', { query: { po_number: '' } })).code).toBe('42201');
    const twice = await merchant.client.call('/open/v1/forecasts/weighing?po_number=a&po_number=b');
    expect(twice).toMatchObject({ status: 422, code: '42201' });
  });

  test('an unknown po_number: 40401 without data', async () => {
    const response = await callRoute(merchant.client, 'queryWeighing', { query: { po_number: 'unknown' } });
    expect(response).toMatchObject({ status: 404, code: '40401', data: null });
  });
});
