import { describe, expect, test } from '@jest/globals';
import { isoInstant } from '@parcelway/kernel/clock';
import { START } from '../testing/forecast-harness.ts';
import { photo, useReportedForecast } from '../testing/reported-forecast.ts';

const forecast = useReportedForecast();
const weighing = async () => (await forecast().app.call('GET', '/open/v1/forecasts/weighing?po_number=PO-1')).data;
const detail = async () => (await forecast().app.call('GET', '/open/v1/forecasts/PO-1')).data;

describe('photos of a forecast', () => {
  const attach = (id: number, order: number) =>
    forecast().app.deliver('warehouse.photographed', { ...forecast().from(), photo: photo(id), image_type: 'package', image_order: order });

  test('are listed by order and id, without a change of status', async () => {
    await attach(3, 2);
    await attach(2, 1);
    await attach(1, 2);
    const { status, forecast_images: images } = await weighing();
    expect(status).toBe(1);
    expect(images.map((image: { id: number }) => image.id)).toEqual([2, 1, 3]);
    expect(images[0]).toEqual({
      id: 2,
      forecast_id: expect.any(Number),
      image_type: 'package',
      image_url: 'https://localhost/photos/2',
      image_order: 1,
      upload_source: 'warehouse',
    });
  });
});

const numbersAnnounced = async (): Promise<string[]> =>
  (await forecast().announced('forecast.dispatched')).map(({ data }) => (data as { tracking_number: string }).tracking_number);

describe('a dispatch', () => {
  test('is announced once per change of carrier or number', async () => {
    await forecast().dispatch('TRACK1');
    await forecast().dispatch('TRACK1');
    await forecast().dispatch('TRACK2');
    await forecast().dispatch('TRACK2', { carrier_code: 'other' });
    const events = await forecast().announced('forecast.dispatched');
    expect(
      events.map(
        ({ data }) => `${(data as { carrier_code: string }).carrier_code} ${(data as { tracking_number: string }).tracking_number}`,
      ),
    ).toEqual(['acme TRACK1', 'acme TRACK2', 'other TRACK2']);
    expect(await detail()).toMatchObject({ status: 5, carrier_code: 'other', tracking_number: 'TRACK2' });
  });

  test('reported late does not replace a later one', async () => {
    await forecast().dispatch('TRACK2', { occurred_at: isoInstant(START + 9000) });
    await forecast().dispatch('TRACK1', { occurred_at: isoInstant(START + 8000) });
    expect(await detail()).toMatchObject({ tracking_number: 'TRACK2' });
    // It is another parcel, which is to be tracked as well.
    expect(await numbersAnnounced()).toEqual(['TRACK2', 'TRACK1']);
  });

  test('is refused when the forecast has 50 parcels already, for good', async () => {
    for (let parcel = 1; parcel <= 50; parcel += 1) await forecast().dispatch(`TRACK${parcel}`);
    await expect(forecast().dispatch('TRACK51')).rejects.toMatchObject({ code: '40902' });
    expect(await numbersAnnounced()).toHaveLength(50);
  });
});

describe('an event that fits no forecast', () => {
  test.each(['unknown', 'foreign'])('is refused for good: %s', async (kind) => {
    const event = kind === 'unknown' ? forecast().from({ forecast_no: 'FC000000NOTHING' }) : forecast().from();
    const delivery = forecast().app.deliver('warehouse.arrived', event, { tenant: kind === 'unknown' ? 'tnt_a' : 'tnt_b' });
    await expect(delivery).rejects.toMatchObject({ code: '40403' });
    expect((await detail()).status).toBe(1);
  });
});
