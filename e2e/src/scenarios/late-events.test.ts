import { expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { useStage } from '../use-stage.ts';

/* Every event reaches its consumers late: what others do meanwhile, they do without it. */

const stage = useStage({ FAILPOINT: 'log.appended:delay:1000,outbox.leased:delay:1000' });

test('the carrier is asked from the first query on: no query of a parcel whose carrier is out has a response', async () => {
  const owner = await stage.operator.newMerchant();
  const { po_number, forecast_no } = await owner.submit();
  const dispatch = { type: 'dispatch', forecast_no, carrier_code: 'simulated', tracking_number: newPoNumber('SIMDOWN') };
  await stage.clerk.report(stage.clerk.event(dispatch));
  await owner.untilWeighing(po_number, ({ status }) => status === 5, 30_000);
  const codes: string[] = [];
  const isAsked = await until(async () => {
    const { code, headers } = await callRoute(owner.client, 'queryTracking', { query: { po_number } });
    codes.push(code);
    return Number(headers['retry-after']) > 1;
  });
  expect([isAsked, ...new Set(codes)]).toEqual([true, '50001']);
});

test('a cancelled forecast keeps no report: it goes to the forecast that declares the number now, once', async () => {
  const { clerk } = stage;
  const owner = await stage.operator.newMerchant();
  const receiver = await stage.receiver();
  await owner.createEndpoint({ url: receiver.url, event_types: ['parcel.weighed', 'parcel.photographed'] });
  const express_no = newPoNumber('TRK');
  const { photo_id } = await clerk.photo();
  const first = await owner.submit({ trackingNumber: express_no });
  await clerk.untilForecast(first.forecast_no, () => true, 'its acceptance', 30_000);

  expect((await owner.cancel(first.po_number)).code).toBe('0');
  const second = await owner.submit({ trackingNumber: express_no });
  const events = [clerk.weighing({ express_no }), clerk.event({ type: 'photo', express_no, photo_id, image_type: 'package' })];
  expect(await clerk.report(...events)).toMatchObject({ accepted: 2, waiting: 0 });

  await receiver.waitForEvent('parcel.weighed', second.po_number, 30_000);
  await receiver.waitForEvent('parcel.photographed', second.po_number, 30_000);
  expect(receiver.received.map(({ body }) => body.data.po_number)).toEqual([second.po_number, second.po_number]);
  expect(await owner.weighing(second.po_number)).toMatchObject({ status: 3, weight_kg: 1.25, forecast_images: [{}] });
  expect(await owner.weighing(first.po_number)).toMatchObject({ status: 7, weight_kg: null, forecast_images: [] });
  for (const { event_id } of events)
    expect(await clerk.outcome(event_id)).toMatchObject({ state: 'applied', forecast_no: second.forecast_no });
  expect((await clerk.forecast(second.forecast_no)).measurements).toHaveLength(1);
});
