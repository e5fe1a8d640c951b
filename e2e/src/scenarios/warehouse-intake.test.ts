import { describe, expect, test } from '@jest/globals';
import { MAX_EVENTS_PER_CALL } from '@parcelway/contracts/warehouse-api';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { useStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useStageWithMerchant();

async function unclaimed(more = ''): Promise<Array<Record<string, unknown>>> {
  const path = `/admin/v1/unclaimed?limit=1000${more}`;
  const { parcels } = await stage.operator.admin.expectOk<{ parcels: Array<Record<string, unknown>> }>(path);
  return parcels;
}

describe('reports', () => {
  test('a batch: each event is judged by itself', async () => {
    const { po_number, forecast_no } = await merchant.submit({ forecastType: 1 });
    const { clerk } = stage;
    const arrival = clerk.event({ type: 'arrival', forecast_no });
    const foreign = await stage.operator.newWarehouse();
    const foreignPhoto = await foreign.photo();
    const events = [
      arrival,
      clerk.event({ type: 'explosion', forecast_no }),
      clerk.weighing({ forecast_no, weight_kg: -1 }),
      clerk.event({ type: 'arrival' }),
      { ...clerk.event({ type: 'arrival', forecast_no }), warehouse_code: foreign.code },
      clerk.weighing({ forecast_no, photo_ids: [foreignPhoto.photo_id] }),
      clerk.weighing({ forecast_no, photo_ids: ['ph_invented.xxxxxxxxxxxxxxxxxxxxxx'] }),
      null,
      clerk.event({ type: 'processing', forecast_no, occurred_at: '2026-01-01 00:00:00' }),
      clerk.event({ type: 'processing', forecast_no, occurred_at: '2099-01-01T00:00:00Z' }),
      arrival,
      clerk.event({ type: 'processing', forecast_no }),
    ];
    const response = await clerk.post({ events });
    expect(response).toMatchObject({ status: 202, data: { accepted: 2, duplicates: 1 } });
    expect(response.data.rejected.map(({ index, code }) => [index, code])).toEqual([
      [1, '42201'],
      [2, '42201'],
      [3, '42201'],
      [4, '40301'],
      [5, '40403'],
      [6, '40403'],
      [7, '42201'],
      [8, '42201'],
      [9, '42201'],
    ]);
    const forecast = await merchant.untilStatus(po_number, 4);
    expect(forecast.measurements).toEqual([]);
  });

  test('one event alone, 500 at once; 501, none and something else are refused', async () => {
    const { clerk } = stage;
    const many = (count: number): unknown[] =>
      Array.from({ length: count }, () => clerk.event({ type: 'arrival', express_no: `NOBODY-${newPoNumber()}` }));
    expect((await clerk.post({ events: many(MAX_EVENTS_PER_CALL) })).data).toMatchObject({ accepted: MAX_EVENTS_PER_CALL, rejected: [] });
    expect((await clerk.post(many(1)[0])).data).toMatchObject({ accepted: 1 });
    for (const body of [{ events: many(MAX_EVENTS_PER_CALL + 1) }, { events: [] }, { events: {} }, [], {}, 'text', 7, null]) {
      const response = await clerk.client.call('/warehouse/v1/events', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
      expect([response.status, response.code]).toEqual([422, '42201']);
    }
  });

  test('late and repeated events never move a forecast backwards', async () => {
    const { po_number, forecast_no } = await merchant.submit({ forecastType: 1 });
    const { clerk } = stage;
    const weighing = clerk.weighing({ forecast_no });
    await clerk.report(weighing);
    await merchant.untilStatus(po_number, 3);
    await clerk.report(clerk.event({ type: 'arrival', forecast_no }));
    await clerk.report(weighing, clerk.event({ type: 'put_away', forecast_no }));
    await merchant.untilStatus(po_number, 6);
    await clerk.report(clerk.event({ type: 'processing', forecast_no }), clerk.event({ type: 'arrival', forecast_no }));
    // An order is kept per parcel, so that a later photo that shows says that the events before it have been applied.
    const { photo_id } = await clerk.photo();
    await clerk.report(clerk.event({ type: 'photo', forecast_no, photo_id, image_type: 'other' }));
    await merchant.untilWeighing(po_number, ({ forecast_images }) => forecast_images.length === 1);
    const forecast = await merchant.forecast(po_number);
    expect(forecast.history.map((change) => change.status)).toEqual([1, 3, 6]);
    expect(forecast.measurements).toHaveLength(1);
  });
});

describe('a parcel without a forecast', () => {
  test('waits, and is applied when its forecast arrives', async () => {
    const receiver = await stage.receiver();
    const owner = await stage.operator.newMerchant();
    await owner.createEndpoint({ url: receiver.url });
    const express_no = newPoNumber('EARLY');
    const { clerk } = stage;
    const { photo_id } = await clerk.photo();
    const event = clerk.weighing({ express_no: express_no.toLowerCase(), weight_kg: 7.25, photo_ids: [photo_id] });
    await clerk.report(event);
    await until(async () => (await unclaimed()).find((parcel) => parcel.event_id === event.event_id));
    const { po_number } = await owner.submit({ trackingNumber: express_no });
    await receiver.waitForEvent('parcel.weighed', po_number);
    const data = await owner.weighing(po_number);
    expect(data).toMatchObject({ status: 3, weight_kg: 7.25 });
    expect(data.weighing_images).toHaveLength(1);
    expect((await unclaimed()).map((parcel) => parcel.event_id)).not.toContain(event.event_id);
  });

  test('is shown to the operator with the reason', async () => {
    const { forecast_no } = await merchant.submit({ forecastType: 1 });
    const elsewhere = await stage.operator.newWarehouse();
    // The reason is the one of the moment of the report: until the intake knows the forecast, it is another.
    await until(async () => (await stage.clerk.report(stage.clerk.event({ type: 'arrival', forecast_no }))).waiting === 0, {
      what: 'the intake to know the forecast',
    });
    const lost = stage.clerk.event({ type: 'arrival', express_no: newPoNumber('LOST') });
    const misdirected = elsewhere.event({ type: 'arrival', forecast_no });
    await stage.clerk.report(lost);
    await elsewhere.report(misdirected);
    const reasons = new Map((await unclaimed()).map((parcel) => [parcel.event_id, parcel.reason]));
    expect(reasons.get(lost.event_id)).toBe('no_forecast');
    expect(reasons.get(misdirected.event_id)).toBe('warehouse_mismatch');
  });

  test('whose number two tenants declare is given to neither', async () => {
    const number = newPoNumber('BOTH');
    const { clerk } = stage;
    const owners = await Promise.all([stage.operator.newMerchant(), stage.operator.newMerchant()]);
    const poNumbers = await Promise.all(owners.map(async (owner) => (await owner.submit({ trackingNumber: number })).po_number));
    for (const [index, owner] of owners.entries()) {
      // An event that names the forecast and shows says that the intake knows the forecast.
      const { forecast_no } = await owner.forecast(String(poNumbers[index]));
      const { photo_id } = await clerk.photo();
      await clerk.report(clerk.event({ type: 'photo', forecast_no, photo_id, image_type: 'other' }));
      await owner.untilWeighing(String(poNumbers[index]), ({ forecast_images }) => forecast_images.length === 1);
    }
    const event = clerk.weighing({ express_no: number });
    await clerk.report(event);
    const parcel = (await unclaimed()).find((candidate) => candidate.event_id === event.event_id);
    expect(parcel).toMatchObject({ reason: 'ambiguous', express_no: number, warehouse_code: clerk.code });
    for (const [index, owner] of owners.entries()) {
      expect(await owner.weighing(String(poNumbers[index]))).toMatchObject({ status: 1, weight_kg: null });
    }

    // The warning lists the forecasts that it may be. The warehouse resolves it by naming one of them together with the number.
    const forecastNos = await Promise.all(owners.map(async (owner, index) => (await owner.forecast(String(poNumbers[index]))).forecast_no));
    const weighing = clerk.weighing({ express_no: number, weight_kg: 3 });
    const { waiting, warnings } = await clerk.report(weighing);
    expect([waiting, warnings.length]).toEqual([1, 1]);
    expect(warnings[0]).toMatchObject({ index: 0, event_id: weighing.event_id, field: 'express_no', rule: 'ambiguous' });
    for (const forecast_no of forecastNos) expect(warnings[0]?.message).toContain(forecast_no);
    const [mine, other] = owners as [Merchant, Merchant];
    expect(await clerk.report(clerk.event({ type: 'arrival', express_no: number, forecast_no: forecastNos[0] }))).toMatchObject({
      waiting: 0,
      warnings: [],
    });
    await mine.untilWeighing(String(poNumbers[0]), ({ weight_kg }) => weight_kg === 3);
    expect((await mine.forecast(String(poNumbers[0]))).measurements).toHaveLength(2);
    expect((await clerk.report(clerk.weighing({ express_no: number, weight_kg: 4 }))).warnings).toEqual([]);
    await mine.untilWeighing(String(poNumbers[0]), ({ weight_kg }) => weight_kg === 4);
    expect(await other.weighing(String(poNumbers[1]))).toMatchObject({ status: 1, weight_kg: null });
    expect((await unclaimed()).filter((candidate) => candidate.express_no === number)).toEqual([]);
  });

  test('is shown to the warehouse at once: a mistyped forecast_no does not go unseen', async () => {
    const event = stage.clerk.event({ type: 'arrival', forecast_no: 'FC000000MISTYPED' });
    const { waiting, warnings } = await stage.clerk.report(event);
    expect(waiting).toBe(1);
    expect(warnings).toEqual([
      {
        index: 0,
        event_id: event.event_id,
        field: 'forecast_no',
        rule: 'no_forecast',
        message: 'No forecast "FC000000MISTYPED" for this warehouse is known; the event waits for it',
      },
    ]);
  });
});

describe('a type 1 forecast', () => {
  const dispatch = { type: 'dispatch', carrier_code: 'simulated', tracking_number: newPoNumber('CAR') };

  test('takes no dispatch, is never shipped, and cannot be cancelled once it has arrived', async () => {
    const { po_number, forecast_no } = await merchant.submit({ forecastType: 1 });
    const { clerk } = stage;
    await clerk.report(clerk.event({ type: 'arrival', forecast_no }));
    await merchant.untilStatus(po_number, 2);
    const { data } = await clerk.post(clerk.event({ ...dispatch, forecast_no }));
    expect(data).toMatchObject({
      accepted: 0,
      waiting: 0,
      rejected: [{ index: 0, code: '40902', errors: [{ rule: 'takes_no_dispatch' }] }],
    });
    await expect(merchant.simulate({ po_number, step: 'dispatch' })).rejects.toThrow('40902');
    expect(await merchant.tracking(po_number)).toMatchObject({ is_shipped: false, is_terminal: false });
    expect((await merchant.cancel(po_number)).code).toBe('40902');
    expect((await merchant.forecast(po_number)).status).toBe(2);
  });

  test('rejects a dispatch that waited for it, and the operator sees that', async () => {
    const express_no = newPoNumber('SHELF');
    const { clerk } = stage;
    const early = clerk.event({ ...dispatch, express_no });
    expect((await clerk.report(early)).waiting).toBe(1);
    const { po_number } = await merchant.submit({ forecastType: 1, trackingNumber: express_no });
    const found = await until(async () =>
      (await unclaimed('&reason=takes_no_dispatch')).find(({ event_id }) => event_id === early.event_id),
    );
    expect(found).toMatchObject({ express_no, reason: 'takes_no_dispatch' });
    expect(await merchant.tracking(po_number)).toMatchObject({ is_shipped: false });
    expect((await merchant.forecast(po_number)).status).toBe(1);
  });
});

test('one photo with two types is two images of the forecast', async () => {
  const { po_number, forecast_no } = await merchant.submit({ forecastType: 1 });
  const { clerk } = stage;
  const { photo_id } = await clerk.photo();
  const shown = (image_type: string, image_order: number) => clerk.event({ type: 'photo', forecast_no, photo_id, image_type, image_order });
  await clerk.report(shown('package', 1));
  await clerk.report(shown('product', 2));
  await clerk.report(shown('product', 2));
  await clerk.report(clerk.event({ type: 'arrival', forecast_no }));
  await merchant.untilStatus(po_number, 2);
  const { forecast_images } = await merchant.untilWeighing(po_number, (data) => data.forecast_images.length > 1);
  expect(forecast_images.map(({ image_type, image_order }) => [image_type, image_order])).toEqual([
    ['package', 1],
    ['product', 2],
  ]);
  expect(new Set(forecast_images.map(({ id }) => id)).size).toBe(2);
  expect(new Set(forecast_images.map(({ image_url }) => image_url)).size).toBe(1);
});

describe('photos', () => {
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x00, 0x10, 0x4a, 0x46, 0x49, 0x46]);
  const webp = Buffer.concat([Buffer.from('RIFF'), Buffer.from([4, 0, 0, 0]), Buffer.from('WEBPVP8 ')]);

  test.each<[string, Buffer, string]>([
    ['photo.png', samplePng('kind'), 'image/png'],
    ['photo.jpg', jpeg, 'image/jpeg'],
    ['photo.webp', webp, 'image/webp'],
    ['misnamed.png', jpeg, 'image/jpeg'],
  ])('%s is taken for what its content is', async (name, content, type) => {
    const response = await stage.clerk.upload(name, content, 'application/octet-stream');
    expect(response.data).toMatchObject({ media_type: type, size_byte: content.length });
    const opened = await stage.clerk.client.fetchBytes(response.data.image_url);
    expect(opened.headers['content-type']).toBe(type);
  });

  test.each<[string, Buffer, string]>([
    ['svg.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), '42205'],
    ['pdf.png', samplePdf('photo'), '42205'],
    ['empty.png', Buffer.alloc(0), '42205'],
    ['large.png', Buffer.concat([samplePng('large'), Buffer.alloc(10_485_760)]), '42206'],
  ])('%s is refused', async (name, content, code) => {
    expect(await stage.clerk.upload(name, content)).toMatchObject({ status: 422, code });
  });
});
