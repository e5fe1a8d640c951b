import { describe, expect, test } from '@jest/globals';
import { isoInstant } from '@parcelway/kernel/clock';
import { START } from '../testing/forecast-harness.ts';
import { photo, useReportedForecast } from '../testing/reported-forecast.ts';

const forecast = useReportedForecast();

describe('what is published of a report', () => {
  const publishedSince = async () => (await forecast().app.published()).filter(({ type }) => type !== 'forecast.accepted');
  const subject = () => ({ forecast_no: forecast().no, po_number: 'PO-1' });
  const at = isoInstant(START + 5000);

  test('is the status after it, the warehouse and when it happened there', async () => {
    const report = () => forecast().from({ occurred_at: at });
    const progressed = (status: number) => ({ ...subject(), status, warehouse_code: 'WH1', occurred_at: at });
    await forecast().app.deliver('warehouse.arrived', report());
    await forecast().app.deliver('warehouse.photographed', { ...report(), photo: photo(1), image_type: 'package', image_order: 2 });
    await forecast().app.deliver('warehouse.processed', report());
    await forecast().app.deliver('warehouse.put-away', report());
    await forecast().dispatch('TRACK1', { occurred_at: at });
    await forecast().ended();
    expect((await publishedSince()).map(({ type, data }) => [type, data])).toEqual([
      ['parcel.arrived', progressed(2)],
      ['parcel.photographed', { ...progressed(2), image_type: 'package', image_order: 2, image_url: photo(1).image_url }],
      ['parcel.processed', progressed(4)],
      ['parcel.put_away', progressed(4)],
      ['forecast.dispatched', { ...subject(), status: 5, carrier_code: 'acme', tracking_number: 'TRACK1', dispatched_at: at }],
      ['parcel.completed', { ...subject(), status: 6, reason: 'tracking_ended', completed_at: isoInstant(START) }],
    ]);
  });

  test('is an exception with its photos, and a hold or release with what holds after it', async () => {
    const [t1, t2, t3] = [isoInstant(START + 1000), isoInstant(START + 2000), isoInstant(START + 3000)];
    const progressed = (occurred_at: string) => ({ ...subject(), status: 1, warehouse_code: 'WH1', occurred_at });
    await forecast().app.deliver('warehouse.exception', {
      ...forecast().from({ occurred_at: t1 }),
      reason: 'damaged',
      text: 'Wet',
      photos: [photo(1)],
    });
    await forecast().app.deliver('warehouse.held', { ...forecast().from({ occurred_at: t1 }), reason: 'customs' });
    await forecast().app.deliver('warehouse.released', forecast().from({ occurred_at: t3 }));
    // Reported late: the release was after it.
    await forecast().app.deliver('warehouse.held', { ...forecast().from({ occurred_at: t2 }), reason: null });
    const first = { reason: 'customs', held_at: t1, released_at: t3 };
    expect((await publishedSince()).map(({ type, data }) => [type, data])).toEqual([
      ['parcel.exception', { ...progressed(t1), reason: 'damaged', text: 'Wet', photos: [photo(1)] }],
      ['parcel.held', { ...progressed(t1), reason: 'customs', hold_reports: 1, on_hold: true, holds: [{ ...first, released_at: null }] }],
      ['parcel.released', { ...progressed(t3), hold_reports: 2, on_hold: false, holds: [first] }],
      [
        'parcel.held',
        {
          ...progressed(t2),
          reason: null,
          hold_reports: 3,
          on_hold: false,
          holds: [{ reason: null, held_at: t2, released_at: t3 }, first],
        },
      ],
    ]);
  });

  test('is what was put away, when the warehouse counted it', async () => {
    await forecast().app.deliver('warehouse.put-away', { ...forecast().from(), received_items: [{ sku_code: 'S', quantity: 2 }] });
    expect(await publishedSince()).toMatchObject([{ type: 'parcel.put_away', data: { received_items: [{ sku_code: 'S', quantity: 2 }] } }]);
  });

  test('names the latest holds, not all of a forecast that is held without end', async () => {
    for (let at = 1; at <= 30; at += 1)
      await forecast().app.deliver('warehouse.held', { ...forecast().from({ occurred_at: isoInstant(START + at) }), reason: null });
    const holds = (await forecast().announced('parcel.held')).map(({ data }) => (data as { holds: { held_at: string }[] }).holds).at(-1);
    expect(holds).toHaveLength(20);
    expect(holds?.[0]?.held_at).toBe(isoInstant(START + 30));
  });

  test('is the completion by put-away of a type 1 forecast, once', async () => {
    forecast().no = (await forecast().app.submit(forecast().app.submission({ po_number: 'PO-1R', forecast_type: 1 }))).data.forecast_no;
    await forecast().app.deliver('warehouse.put-away', forecast().from());
    await forecast().app.deliver('warehouse.put-away', forecast().from());
    await forecast().app.deliver('warehouse.arrived', forecast().from());
    expect((await publishedSince()).map(({ type, data }) => `${type} ${(data as { status: number }).status}`)).toEqual([
      'parcel.put_away 6',
      'parcel.completed 6',
      'parcel.put_away 6',
      'parcel.arrived 6',
    ]);
    expect(await forecast().announced('parcel.completed')).toMatchObject([{ data: { reason: 'put_away' } }]);
  });

  test('delivered again is published once', async () => {
    const arrival = forecast().from();
    await Promise.all([1, 2, 3].map(() => forecast().app.deliver('warehouse.arrived', arrival)));
    expect(await publishedSince()).toHaveLength(1);
  });

  test('is nothing when the query by po_number shows another forecast', async () => {
    await forecast().app.call('POST', '/open/v1/forecasts/PO-1/cancel');
    await forecast().app.submit(forecast().app.submission());
    await forecast().app.deliver('warehouse.arrived', forecast().from());
    await forecast().app.deliver('warehouse.photographed', {
      ...forecast().from(),
      photo: photo(1),
      image_type: 'package',
      image_order: 2,
    });
    await forecast().app.deliver('warehouse.processed', forecast().from());
    await forecast().app.deliver('warehouse.put-away', forecast().from());
    await forecast().app.deliver('warehouse.exception', { ...forecast().from(), reason: 'other', text: null, photos: [] });
    await forecast().app.deliver('warehouse.held', { ...forecast().from(), reason: null });
    await forecast().app.deliver('warehouse.released', forecast().from());
    expect((await publishedSince()).map(({ type }) => type)).toEqual(['forecast.cancelled']);
  });
});
