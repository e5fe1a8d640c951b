import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { EventPhoto } from '@parcelway/contracts/domain-events';
import { isoInstant } from '@parcelway/kernel/clock';
import { ForecastHarness, START } from '../../testing/forecast-harness.ts';

/** A photo that was uploaded for an event. @param uploadedAt epoch milliseconds */
const photo = (id: number, uploadedAt = START): EventPhoto => ({
  id,
  image_path: `photos/${id}`,
  image_url: `https://localhost/photos/${id}`,
  file_size: 10 * id,
  upload_time: isoInstant(uploadedAt),
});

const size = (weight_kg: number) => ({ length_cm: 10, width_cm: 20.5, height_cm: 30, weight_kg });

/** The service with one forecast, PO-1, that a warehouse reports on. Each report is another event, a millisecond after the one before. */
class ReportedForecast {
  readonly app: ForecastHarness;
  no: string;
  #serial = 0;

  constructor(app: ForecastHarness, no: string) {
    this.app = app;
    this.no = no;
  }

  from(over: object = {}) {
    this.#serial += 1;
    return {
      event_id: `we-${this.#serial}`,
      forecast_no: this.no,
      warehouse_code: 'WH1',
      express_no: null,
      occurred_at: isoInstant(START + this.#serial),
      ...over,
    };
  }

  weigh(weight: number, over: object = {}): Promise<void> {
    return this.app.deliver('warehouse.weighed', { ...this.from(over), ...size(weight), photos: [], ...over } as never);
  }

  dispatch(number: string, over: object = {}): Promise<void> {
    return this.app.deliver('warehouse.dispatched', {
      ...this.from(over),
      carrier_code: 'acme',
      tracking_number: number,
      ...over,
    } as never);
  }

  /** The parcel TRACK1 has reached its end. @param over the rest of the event, such as the number of another parcel */
  ended(over: object = {}): Promise<void> {
    return this.app.deliver('tracking.changed', {
      forecast_no: this.no,
      po_number: 'PO-1',
      tracking_number: 'TRACK1',
      previous_admin_status: 'In Transit',
      admin_status: 'Delivery Success',
      is_terminal: true,
      changed_at: isoInstant(START),
      ...over,
    } as never);
  }

  async announced(type: string): Promise<readonly DomainEvent[]> {
    return (await this.app.published()).filter((event) => event.type === type);
  }
}

/** A new one for each test. */
function useReportedForecast(): () => ReportedForecast {
  let current: ReportedForecast;
  beforeEach(async () => {
    const app = await ForecastHarness.open();
    const items = [{ sku_code: 'S', product_name_en: 'L', forecast_quantity: 1, tracking_number: 'AAAA' }];
    current = new ReportedForecast(app, (await app.submit(app.submission({ items }))).data.forecast_no);
  });
  afterEach(() => current.app.close());
  return () => current;
}

const forecast = useReportedForecast();

const weighing = async () => (await forecast().app.call('GET', '/open/v1/forecasts/weighing?po_number=PO-1')).data;

const detail = async () => (await forecast().app.call('GET', '/open/v1/forecasts/PO-1')).data;

describe('an event that fits no forecast', () => {
  test.each(['unknown', 'foreign'])('is refused for good: %s', async (kind) => {
    const event = kind === 'unknown' ? forecast().from({ forecast_no: 'FC000000NOTHING' }) : forecast().from();
    const delivery = forecast().app.deliver('warehouse.arrived', event, { tenant: kind === 'unknown' ? 'tnt_a' : 'tnt_b' });
    await expect(delivery).rejects.toMatchObject({ code: '40403' });
    expect((await detail()).status).toBe(1);
  });
});

describe('a weighing', () => {
  test('is written back and announced with the status after it', async () => {
    const occurred = '2026-11-21T20:00:00+08:00';
    await forecast().weigh(1.25, { occurred_at: occurred, express_no: 'xyz 1', photos: [photo(1), photo(2, START + 5)] });
    expect(await weighing()).toMatchObject({ status: 3, ...size(1.25) });
    expect((await weighing()).weighing_images).toEqual([
      {
        id: 2,
        express_no: 'xyz 1',
        image_path: 'photos/2',
        image_url: 'https://localhost/photos/2',
        file_size: 20,
        upload_time: isoInstant(START + 5),
      },
      {
        id: 1,
        express_no: 'xyz 1',
        image_path: 'photos/1',
        image_url: 'https://localhost/photos/1',
        file_size: 10,
        upload_time: isoInstant(START),
      },
    ]);
    expect(await forecast().announced('parcel.weighed')).toMatchObject([
      {
        tenantid: 'tnt_a',
        subject: forecast().no,
        data: { po_number: 'PO-1', forecast_no: forecast().no, status: 3, weighed_at: occurred },
      },
    ]);
  });

  test('delivered again has one effect, also in a new envelope', async () => {
    const event = { ...forecast().from(), ...size(1), photos: [photo(1)] };
    await forecast().app.deliver('warehouse.weighed', event, { id: 'evt_1' });
    await forecast().app.deliver('warehouse.weighed', event, { id: 'evt_1' });
    await Promise.all([1, 2, 3].map(() => forecast().app.deliver('warehouse.weighed', event)));
    expect(await forecast().announced('parcel.weighed')).toHaveLength(1);
    expect((await detail()).measurements).toHaveLength(1);
    expect((await weighing()).weighing_images).toHaveLength(1);
  });

  test('of two warehouses with the same event id counts twice', async () => {
    await forecast().weigh(1, { event_id: 'same' });
    await forecast().weigh(2, { event_id: 'same', warehouse_code: 'WH2' });
    expect((await detail()).measurements).toHaveLength(2);
  });
});

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
});
