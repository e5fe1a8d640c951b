import { describe, expect, test } from '@jest/globals';
import { isoInstant } from '@parcelway/kernel/clock';
import { START } from '../testing/forecast-harness.ts';
import { useReportedForecast } from '../testing/reported-forecast.ts';

const forecast = useReportedForecast();
const detail = async () => (await forecast().app.call('GET', '/open/v1/forecasts/PO-1')).data;

describe('the way of a parcel', () => {
  test('of type 2 goes from acceptance to the terminal node', async () => {
    await forecast().app.deliver('warehouse.arrived', forecast().from());
    await forecast().weigh(1);
    await forecast().app.deliver('warehouse.processed', forecast().from());
    await forecast().dispatch('TRACK1');
    await forecast().ended();
    const { history, status_name } = await detail();
    expect(status_name).toBe('COMPLETED');
    expect(history.map(({ status, reason }: { status: number; reason: string }) => `${status} ${reason}`)).toEqual([
      '1 submitted',
      '2 warehouse.arrived',
      '3 warehouse.weighed',
      '4 warehouse.processed',
      '5 warehouse.dispatched',
      '6 tracking.ended',
    ]);
  });

  test('of type 2 with several parcels ends with the last of them, whatever one of them takes back', async () => {
    await forecast().dispatch('TRACK1');
    await forecast().dispatch('TRACK2');
    await forecast().ended({ tracking_number: 'TRACK1' });
    expect((await detail()).status_name).toBe('SHIPPED');
    const resumed = { previous_admin_status: 'Delivery Success', admin_status: 'Exception', is_terminal: false };
    await forecast().ended({ tracking_number: 'TRACK1', ...resumed });
    await forecast().ended({ tracking_number: 'TRACK2' });
    expect((await detail()).status_name).toBe('SHIPPED');
    await forecast().ended({ tracking_number: 'TRACK1' });
    expect((await detail()).status_name).toBe('COMPLETED');
    expect(await forecast().announced('parcel.completed')).toHaveLength(1);
  });

  test('of type 2 is not ended by put-away', async () => {
    await forecast().app.deliver('warehouse.put-away', forecast().from());
    expect((await detail()).status).toBe(1);
  });

  test('of type 1 takes no dispatch, is never shipped, and ends with put-away', async () => {
    forecast().no = (await forecast().app.submit(forecast().app.submission({ po_number: 'PO-1R', forecast_type: 1 }))).data.forecast_no;
    const read = async () => (await forecast().app.call('GET', '/open/v1/forecasts/PO-1R')).data;
    await expect(forecast().dispatch('TRACK1')).rejects.toMatchObject({ code: '40902', message: 'A type 1 forecast takes no dispatch' });
    await forecast().ended();
    expect(await read()).toMatchObject({ status: 1, carrier_code: null, tracking_number: null });
    expect(await forecast().announced('forecast.dispatched')).toEqual([]);
    await forecast().app.deliver('warehouse.arrived', forecast().from());
    expect(await forecast().app.call('POST', '/open/v1/forecasts/PO-1R/cancel')).toMatchObject({ code: '40902' });
    await forecast().app.deliver('warehouse.put-away', forecast().from());
    expect((await read()).status).toBe(6);
  });

  test('frees its logistics numbers at the end and keeps its po_number', async () => {
    const items = [{ sku_code: 'S', product_name_en: 'L', forecast_quantity: 1, tracking_number: 'AAAA' }];
    const second = forecast().app.submission({ po_number: 'PO-2', items });
    expect((await forecast().app.submit(second)).code).toBe('42202');
    await forecast().ended();
    expect((await forecast().app.submit(second)).code).toBe('0');
    // The first, sent again, is still the first: its own numbers do not speak against it.
    expect((await forecast().app.submit(forecast().app.submission({ items }))).data.forecast_no).toBe(forecast().no);
  });

  test('is not touched by a tracking change that is not terminal', async () => {
    const data = {
      forecast_no: forecast().no,
      po_number: 'PO-1',
      tracking_number: 'TRACK1',
      previous_admin_status: '',
      admin_status: 'In Transit' as const,
      is_terminal: false,
      changed_at: isoInstant(START),
    };
    await forecast().app.deliver('tracking.changed', data);
    expect((await detail()).status).toBe(1);
  });
});
