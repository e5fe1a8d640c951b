import { beforeEach, describe, expect, test } from '@jest/globals';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import { encodePhotoId } from '@parcelway/contracts/file-receipt';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { WarehouseForecastDetail, WarehouseLookup } from '@parcelway/contracts/warehouse-view-api';
import { until } from '@parcelway/kernel/testing/until';
import { type OpenIntake, publishAcceptance, useIntake, warehouse } from './testing/open-intake.ts';
import { forecastEvent, PHOTO, report, viewItem, weighing } from './testing/samples.ts';

let intake: OpenIntake;
function use(env: Readonly<Record<string, string>> = {}): void {
  const own = useIntake(env);
  beforeEach(() => {
    intake = own.intake;
  });
}

const get = async (path: string): Promise<Record<string, unknown>> => (await intake.call(warehouse, path)).body.data;
const read = async (forecastNo: string): Promise<WarehouseForecastDetail> =>
  (await get(`/warehouse/v1/forecasts/${forecastNo}`)) as WarehouseForecastDetail;
const post = (...events: readonly object[]) =>
  intake.call(warehouse, '/warehouse/v1/events', { method: 'POST', body: JSON.stringify({ events }) });

/** An accepted forecast with one item, in the view. */
async function accepted(forecastNo: string, trackingNumbers: readonly string[] = []): Promise<void> {
  await publishAcceptance(intake.platform, forecastNo, trackingNumbers, { items: [viewItem()] });
  await until(async () => (await intake.call(warehouse, `/warehouse/v1/forecasts/${forecastNo}`)).status === 200, { what: 'the forecast' });
}

describe('a scan that a suspect tenant may have guessed', () => {
  const guesses = Array.from({ length: 5001 }, (_, index) => `GUESS${index}`);
  const doubts = async (scan: string) => {
    const { candidates } = (await get(`/warehouse/v1/lookup?scan=${scan}`)) as unknown as WarehouseLookup;
    return candidates.map(({ matched_by, is_doubtful = false }) => [matched_by, is_doubtful]);
  };
  /** Publishes what the forecast service has made of a report, and waits for the view. */
  const publishStatus = async (forecastNo: string, status: ForecastStatus) => {
    await intake.platform.bus.publish([
      encodeEvent(
        forecastEvent(
          'parcel.processed',
          { status, warehouse_code: 'WH1', occurred_at: '2026-11-21T09:00:00+08:00' },
          { time: Date.now(), forecastNo },
        ),
      ),
    ]);
    await until(async () => (await read(forecastNo)).status === status, { what: 'the status' });
  };

  use();

  test('is doubtful by logistics number and by po_number', async () => {
    await publishAcceptance(intake.platform, 'FC1', guesses, { items: [viewItem()], po_number: 'OWNERS-1' });
    await until(async () => (await doubts('GUESS7'))[0]?.[1] === true, { what: 'the suspicion' });
    expect(await doubts('owners-1')).toEqual([]);
    expect(await doubts('OWNERS-1')).toEqual([['po_number', true]]);
    expect(await doubts('FC1')).toEqual([['forecast_no', false]]);
  });

  test('is doubtful until the number itself was scanned, whatever the status', async () => {
    await publishAcceptance(intake.platform, 'FC1', guesses, { items: [viewItem()] });
    await publishAcceptance(intake.platform, 'FC2', ['MORE1'], { items: [viewItem()] });
    await until(async () => (await doubts('GUESS7'))[0]?.[1] === true, { what: 'the suspicion' });
    await post(report({ forecast_no: 'FC1', express_no: 'GUESS7' }));
    await publishStatus('FC1', 2);
    expect([await doubts('GUESS7'), await doubts('GUESS8')]).toEqual([[['tracking_number', false]], [['tracking_number', true]]]);
  });

  test('is doubtful when the parcel has left and the number is one of several that nobody scanned', async () => {
    await publishAcceptance(intake.platform, 'FC1', ['REAL1', 'GUESS1'], { items: [viewItem()] });
    await publishAcceptance(intake.platform, 'FC2', ['REAL2'], { items: [viewItem()] });
    await until(async () => (await doubts('REAL2')).length === 1, { what: 'the forecasts' });
    expect(await doubts('GUESS1')).toEqual([['tracking_number', false]]);
    await post(report({ forecast_no: 'FC1', express_no: 'REAL1' }));
    for (const forecastNo of ['FC1', 'FC2']) await publishStatus(forecastNo, 5);
    expect([await doubts('REAL1'), await doubts('REAL2'), await doubts('GUESS1')]).toEqual([
      [['tracking_number', false]],
      [['tracking_number', false]],
      [['tracking_number', true]],
    ]);
  });
});

describe('the single read', () => {
  use();

  test('shows what the warehouse has reported, as soon as the report is taken', async () => {
    await accepted('FC1');
    expect(await read('FC1')).toMatchObject({ measurements: [], photos: [], exceptions: [], received_items: null });
    const photo_id = encodePhotoId(intake.platform.fileSecret, { ...PHOTO, warehouse_code: 'WH1', environment: 'sandbox' });
    const of = { forecast_no: 'FC1', express_no: undefined };
    const [first, second, photo, third, exception, early, late] = [
      weighing({ ...of, occurred_at: '2026-11-21T09:00:00+08:00', weight_kg: 9, photo_ids: [photo_id] }),
      weighing({ ...of, occurred_at: '2026-11-21T08:00:00+08:00', weight_kg: 8 }),
      report({ ...of, type: 'photo', photo_id, image_type: 'package', image_order: 2 }),
      report({ ...of, type: 'photo', photo_id, image_type: 'product' }),
      report({ ...of, express_no: 'SF 1234', type: 'exception', reason: 'damaged', text: 'A corner', photo_ids: [photo_id] }),
      report({ ...of, received_items: [{ sku_code: 'MUG', quantity: 20 }] }),
      report({ ...of, type: 'processing', received_items: [{ sku_code: 'MUG', quantity: 24 }], occurred_at: '2026-11-21T11:00:00+08:00' }),
    ] as const;
    const response = await post(
      late,
      photo,
      { ...first, photo_ids: [photo_id] },
      third,
      { ...exception, express_no: 'SF 1234' },
      second,
      early,
    );
    expect(response.body.data).toMatchObject({ accepted: 7, rejected: [] });

    const { id, image_url, file_size, upload_time } = PHOTO;
    const shown = { id, image_url, file_size, upload_time };
    const { event_id, occurred_at } = exception;
    expect(await read('FC1')).toMatchObject({
      measurements: [
        {
          event_id: first.event_id,
          express_no: null,
          occurred_at: '2026-11-21T09:00:00+08:00',
          length_cm: 30,
          width_cm: 20.5,
          height_cm: 10,
          weight_kg: 9,
          photos: [shown],
        },
        { event_id: second.event_id, weight_kg: 8, photos: [] },
      ],
      photos: [
        { event_id: third.event_id, ...shown, image_type: 'product', image_order: 0 },
        { event_id: photo.event_id, ...shown, image_type: 'package', image_order: 2 },
      ],
      exceptions: [{ event_id, express_no: 'SF 1234', occurred_at, reason: 'damaged', text: 'A corner', photos: [shown] }],
      received_items: [{ sku_code: 'MUG', quantity: 24 }],
    });
  });

  test('shows at most the latest hundred of each kind', async () => {
    await accepted('FC1');
    const at = (minute: number): string => new Date(Date.parse('2026-11-20T00:00:00Z') + minute * 60_000).toISOString();
    const of = { forecast_no: 'FC1', express_no: undefined };
    const minutes = Array.from({ length: 101 }, (_, index) => index);
    await post(...minutes.map((minute) => weighing({ ...of, occurred_at: at(minute) })));
    await post(...minutes.map((minute) => report({ ...of, type: 'exception', reason: 'other', occurred_at: at(minute) })));
    const { measurements, exceptions } = await read('FC1');
    const latest = minutes.slice(1).map(at).reverse();
    expect(measurements.map(({ occurred_at }) => occurred_at)).toEqual(latest);
    expect(exceptions.map(({ occurred_at }) => occurred_at)).toEqual(latest);
  });
});

describe('prices', () => {
  /** What a warehouse reads of a forecast with a price, in each of the three ways. */
  async function reads() {
    await accepted('FC1', ['SF12345678']);
    const whole = await read('FC1');
    expect(whole.items).toMatchObject([{ sku_code: 'MUG' }]);
    const list = await get('/warehouse/v1/forecasts');
    expect(list).toMatchObject({ forecasts: [{ forecast_no: 'FC1' }] });
    const lookups = await Promise.all(['FC1', 'SF12345678', 'MUG'].map((scan) => get(`/warehouse/v1/lookup?scan=${scan}`)));
    for (const lookup of lookups) expect(lookup).toMatchObject({ candidates: [{ forecast: { forecast_no: 'FC1' } }] });
    return { whole, others: JSON.stringify([list, lookups]) };
  }

  describe('by default', () => {
    use();

    test('are not shown', async () => {
      const { whole, others } = await reads();
      expect(JSON.stringify(whole) + others).not.toMatch(/price/i);
      expect(whole.items).toEqual([{ ...viewItem(), forecast_price: undefined }]);
    });
  });

  describe('when the operator allows it', () => {
    use({ WAREHOUSE_SEES_PRICES: 'on' });

    test('are shown with the items, and nowhere else', async () => {
      const { whole, others } = await reads();
      expect(whole.items).toEqual([viewItem()]);
      expect(viewItem().forecast_price).toBe(3.5);
      expect(others).not.toMatch(/price/i);
    });
  });
});
