import { describe, expect, test } from '@jest/globals';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { useSharedStageWithMerchant } from '../use-stage.ts';

/* What a warehouse has reported, as it reads it again. */

const { stage, merchant } = useSharedStageWithMerchant();

const at = (minute: number): string => `2026-03-01T08:${String(minute).padStart(2, '0')}:00+08:00`;
/** Submits a forecast, and waits until the warehouse can read it. */
async function expected(sample: Parameters<Merchant['submit']>[0] = {}): Promise<{ forecast_no: string; po_number: string }> {
  const { forecast_no, po_number } = await merchant.submit(sample);
  await stage.clerk.untilForecast(forecast_no);
  return { forecast_no, po_number };
}

test('a warehouse reads its reports on a forecast as soon as they are taken, with photos that open', async () => {
  const { clerk } = stage;
  const { forecast_no, po_number } = await expected();
  const [weigher, label] = [await clerk.photo(), await clerk.photo()];
  const events = [
    clerk.event({ type: 'arrival', forecast_no, occurred_at: at(1), received_items: [{ sku_code: 'LAMP', quantity: 2 }] }),
    clerk.weighing({ forecast_no, occurred_at: at(2), weight_kg: 2 }),
    clerk.weighing({ forecast_no, occurred_at: at(4), weight_kg: 4, express_no: 'SF 1234', photo_ids: [weigher.photo_id] }),
    clerk.weighing({ forecast_no, occurred_at: at(3), weight_kg: 3 }),
    clerk.event({ type: 'photo', forecast_no, photo_id: label.photo_id, image_type: 'shipping', image_order: 2 }),
    clerk.event({ type: 'photo', forecast_no, photo_id: weigher.photo_id, image_type: 'package', image_order: 1 }),
    clerk.exception({ forecast_no, text: 'A corner', photo_ids: [label.photo_id], occurred_at: at(5) }),
    clerk.event({ type: 'hold', forecast_no, reason: 'customs', occurred_at: at(6) }),
  ];
  await clerk.report(...events);
  const idOf = (index: number): unknown => events[index]?.['event_id'];
  const forecast = await clerk.forecast(forecast_no);
  expect(forecast).toMatchObject({
    measurements: [
      { event_id: idOf(2), express_no: 'SF 1234', weight_kg: 4, occurred_at: at(4), photos: [{ image_url: weigher.image_url }] },
      { event_id: idOf(3), express_no: null, weight_kg: 3, photos: [] },
      { event_id: idOf(1), weight_kg: 2 },
    ],
    photos: [
      { event_id: idOf(5), image_type: 'package', image_order: 1, image_url: weigher.image_url },
      { event_id: idOf(4), image_type: 'shipping', image_order: 2, image_url: label.image_url },
    ],
    exceptions: [{ event_id: idOf(6), reason: 'damaged', text: 'A corner', occurred_at: at(5), photos: [{ image_url: label.image_url }] }],
    received_items: [{ sku_code: 'LAMP', quantity: 2 }],
  });
  for (const { image_url } of forecast.photos) {
    expect((await clerk.client.fetchBytes(image_url)).headers).toMatchObject({ 'content-type': 'image/png' });
  }
  // The merchant reads the same measurements.
  const data = await merchant.untilWeighing(po_number, ({ on_hold, exceptions }) => on_hold && exceptions.length === 1);
  expect(data.weight_kg).toBe(4);
  const { measurements } = await merchant.forecast(po_number);
  expect(measurements.map(({ reported_by, weight_kg }) => [reported_by?.event_id, weight_kg])).toEqual(
    forecast.measurements.map(({ event_id, weight_kg }) => [event_id, weight_kg]),
  );
  const held = await clerk.untilForecast(forecast_no, ({ on_hold }) => on_hold, 'a hold');
  expect(held.holds).toEqual([{ reason: 'customs', held_at: at(6), released_at: null }]);
});

describe('a number that a warehouse claims for a forecast', () => {
  test('leads to it, and brings it what was reported under the number', async () => {
    const { clerk } = stage;
    const { forecast_no } = await expected();
    const [lost, typo, other] = [newPoNumber('LOST'), newPoNumber('TYPO'), newPoNumber('OTHER')];
    const events = [
      clerk.weighing({ express_no: lost, weight_kg: 7 }),
      clerk.exception({ forecast_no: typo }),
      clerk.weighing({ express_no: other, weight_kg: 8 }),
    ];
    expect(await clerk.report(...events)).toMatchObject({ waiting: 3 });
    expect([await clerk.matchesOf(lost), await clerk.matchesOf(typo)]).toEqual([[], []]);
    expect(await clerk.forecast(forecast_no)).toMatchObject({ measurements: [], exceptions: [] });

    expect((await clerk.claim(events[0]?.['event_id'], forecast_no)).code).toBe('0');
    expect((await clerk.claim(events[1]?.['event_id'], forecast_no)).code).toBe('0');
    expect((await clerk.dismiss(events[2]?.['event_id'], 'Returned')).code).toBe('0');
    const claimed = [[forecast_no, 'claimed_number']];
    expect([await clerk.matchesOf(lost.toLowerCase()), await clerk.matchesOf(typo), await clerk.matchesOf(other)]).toEqual([
      claimed,
      claimed,
      [],
    ]);
    expect(await clerk.forecast(forecast_no)).toMatchObject({
      measurements: [{ event_id: events[0]?.['event_id'], express_no: lost, weight_kg: 7 }],
      exceptions: [{ event_id: events[1]?.['event_id'] }],
    });
  });

  test('shows the forecast that was claimed before others that declare the number', async () => {
    const { clerk } = stage;
    const trackingNumber = newPoNumber('TRK');
    const numbers = [];
    for (let index = 0; index < 3; index += 1) numbers.push((await expected({ trackingNumber, forecastType: 1 })).forecast_no);
    const event = clerk.event({ type: 'arrival', express_no: trackingNumber });
    expect(await clerk.report(event)).toMatchObject({ waiting: 1, warnings: [{ rule: 'ambiguous' }] });
    const mine = String(numbers.toSorted()[2]);
    expect((await clerk.claim(event['event_id'], mine)).code).toBe('0');
    const found = await clerk.matchesOf(trackingNumber);
    expect(found[0]).toEqual([mine, 'claimed_number']);
    expect(found.slice(1)).toEqual(
      numbers
        .filter((number) => number !== mine)
        .toSorted()
        .map((number) => [number, 'tracking_number']),
    );
  });
});

describe('a dispatch of a parcel on hold', () => {
  const leaves = (forecast_no: string, minute: number): Record<string, unknown> =>
    stage.clerk.event({ type: 'dispatch', forecast_no, carrier_code: 'dhl', tracking_number: newPoNumber('TRK'), occurred_at: at(minute) });
  const onHold = (index: number) => expect.objectContaining({ index, field: 'type', rule: 'on_hold' });

  test('is taken with a warning, with the hold in the same call, too', async () => {
    const { clerk } = stage;
    const { forecast_no, po_number } = await expected();
    const hold = clerk.event({ type: 'hold', forecast_no, occurred_at: at(1) });
    const result = await clerk.report(hold, leaves(forecast_no, 2));
    expect(result).toMatchObject({ accepted: 2, warnings: [onHold(1)] });
    expect(result.warnings[0]?.message).toContain(`Forecast ${forecast_no} is on hold since ${at(1)}`);
    expect(await merchant.untilStatus(po_number, 5)).toMatchObject({ on_hold: true });

    const next = await expected();
    await clerk.report(clerk.event({ type: 'hold', forecast_no: next.forecast_no, occurred_at: at(1) }));
    expect(await clerk.report(leaves(next.forecast_no, 2))).toMatchObject({ accepted: 1, warnings: [onHold(0)] });
  });

  test('has no warning when the parcel was released before', async () => {
    const { clerk } = stage;
    const { forecast_no } = await expected();
    const facts = ['hold', 'release'].map((type, index) => clerk.event({ type, forecast_no, occurred_at: at(index) }));
    expect(await clerk.report(...facts, leaves(forecast_no, 3))).toMatchObject({ accepted: 3, warnings: [] });
  });
});
