import { expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { expectRoute } from '@parcelway/harness/route-call';
import { useStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useStageWithMerchant();

const times = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

test('20 identical submissions at once make one forecast', async () => {
  const body = await merchant.body({ trackingNumber: newPoNumber('TRK') });
  const responses = await times(20, () => merchant.submitBody(body));
  expect(responses.map((response) => response.code)).toEqual(Array(20).fill('0'));
  expect(new Set(responses.map((response) => JSON.stringify(response.data))).size).toBe(1);
  expect(responses.filter((response) => response.headers['idempotent-replayed'] === undefined)).toHaveLength(1);
  const list = await expectRoute<{ forecasts: unknown[] }>(merchant.client, 'listForecasts', {
    query: { po_number: String(body.po_number) },
  });
  expect(list.forecasts).toHaveLength(1);
});

test('one event reported by 20 calls at once has one effect', async () => {
  const receiver = await stage.receiver();
  const owner = await stage.operator.newMerchant();
  await owner.createEndpoint({ url: receiver.url });
  const { po_number, forecast_no } = await owner.submit({ forecastType: 1 });
  const event = stage.clerk.weighing({ forecast_no });
  const results = await times(20, () => stage.clerk.report(event));
  expect(results.reduce((sum, result) => sum + result.accepted, 0)).toBe(1);
  expect(results.reduce((sum, result) => sum + result.duplicates, 0)).toBe(19);
  await receiver.waitForEvent('parcel.weighed', po_number);
  await stage.clerk.report(stage.clerk.weighing({ forecast_no }));
  await receiver.waitFor((webhook) => webhook.body.data.event_seq === 2);
  expect(receiver.received).toHaveLength(2);
  expect((await owner.forecast(po_number)).measurements).toHaveLength(2);
});

test('cancellation against arrival: one of them, and the state agrees with the response', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { po_number, forecast_no } = await merchant.submit({ forecastType: 1 });
    const [cancelled] = await Promise.all([
      merchant.cancel(po_number),
      stage.clerk.report(stage.clerk.event({ type: 'arrival', forecast_no })),
    ]);
    const { photo_id } = await stage.clerk.photo();
    await stage.clerk.report(stage.clerk.event({ type: 'photo', forecast_no, photo_id, image_type: 'other' }));
    await merchant.untilWeighing(po_number, ({ forecast_images }) => forecast_images.length === 1);
    expect((await merchant.forecast(po_number)).status).toBe(cancelled.code === '0' ? 7 : 2);
  }
});

test('a correction against arrival and cancellation: before them or not at all', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { po_number, forecast_no } = await merchant.submit({ forecastType: 1 });
    const rival = async () =>
      round % 2 === 0
        ? merchant.cancel(po_number)
        : stage.clerk.report(stage.clerk.event({ type: 'arrival', forecast_no })).then(() => merchant.untilStatus(po_number, 2));
    const [corrected] = await Promise.all([merchant.correct(po_number, { due_date: '2030-01-10' }), rival()]);
    expect(['0', '40902']).toContain(corrected.code);
    const taken = corrected.code === '0';
    const status = round % 2 === 0 ? 7 : 2;
    expect(await merchant.forecast(po_number)).toMatchObject({ status, version: taken ? 2 : 1, ...(taken && { due_date: '2030-01-10' }) });
  }
});
