import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isoInstant } from '@parcelway/kernel/clock';
import { ForecastHarness, START } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

describe('the tracking query of a forecast without a parcel under watch', () => {
  const track = (query: string) => app.call('GET', `/open/v1/forecasts/tracking?${query}`);

  test('says that the parcel has not been shipped, and 50001 once it is until it is tracked', async () => {
    const { data: accepted } = await app.submit(app.submission());
    const nothing = { is_terminal: false, latest_status: '', nodes: [] };
    expect((await track('po_number=PO-1')).data).toEqual({ ...nothing, po_number: 'PO-1', is_shipped: false, shipments: [] });
    const from = { event_id: 'e1', warehouse_code: 'WH1', express_no: null, occurred_at: isoInstant(START) };
    const { forecast_no } = accepted;
    await app.deliver('warehouse.dispatched', { ...from, forecast_no, carrier_code: 'acme', tracking_number: 'T1' });
    expect(await track('po_number=PO-1')).toMatchObject({ status: 503, code: '50001', data: null });
    // One that tracking has forgotten.
    app.clock.advance(86_400_000);
    expect((await track('po_number=PO-1')).data).toEqual({
      ...nothing,
      po_number: 'PO-1',
      is_shipped: true,
      shipments: [{ carrier_code: 'acme', tracking_number: 'T1', dispatched_at: isoInstant(START), ...nothing }],
    });
  });

  test('knows the forecasts of its tenant only', async () => {
    await app.submit(app.submission(), 'tnt_b');
    const responses = await Promise.all(['po_number=PO-1', 'po_number=%20'].map(track));
    expect(responses.map(({ status, code }) => [status, code])).toEqual([
      [404, '40401'],
      [404, '40401'],
    ]);
    expect((await track('')).data.errors).toMatchObject([{ field: 'po_number', rule: 'required' }]);
  });

  test('names an unknown parameter', async () => {
    await app.submit(app.submission());
    expect((await track('po_number=PO-1&live=true')).data.warnings).toMatchObject([{ field: 'live' }]);
  });
});
