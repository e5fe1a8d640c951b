import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isoInstant } from '@parcelway/kernel/clock';
import { ForecastHarness, START } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

const read = async (poNumber = 'PO-1') => (await app.call('GET', `/open/v1/forecasts/${poNumber}`)).data;

async function report(type: 'warehouse.arrived' | 'warehouse.processed', forecastNo: string): Promise<void> {
  const from = { event_id: type, warehouse_code: 'WH1', express_no: null, occurred_at: isoInstant(START) };
  await app.deliver(type, { ...from, forecast_no: forecastNo });
}

describe('the documents that the platform makes', () => {
  const documents = (version: number, poNumber: string, forecastNo: string) => ({
    forecast_no: forecastNo,
    po_number: poNumber,
    version,
    marketplace_label: `https://localhost:8443/files/label-${version}.pdf`,
    packing_slip: `https://localhost:8443/files/slip-${version}.pdf`,
    generated_at: isoInstant(START),
  });
  const shown = (version: number) => ({
    marketplace_label: `https://localhost:8443/files/label-${version}.pdf`,
    marketplace_label_version: version,
    packing_slip: `https://localhost:8443/files/slip-${version}.pdf`,
  });

  test('are shown with their version, the newest of them, whenever they come', async () => {
    const { data: accepted } = await app.submit(app.submission());
    expect(await read()).toMatchObject({ marketplace_label: null, marketplace_label_version: null, packing_slip: null });
    app.clock.advance(1000);
    const deliver = (version: number) => app.deliver('documents.generated', documents(version, 'PO-1', accepted.forecast_no));
    await deliver(1);
    const { update_time } = await read();
    expect(update_time).toBe(isoInstant(START));
    await app.correct('PO-1', { due_date: '2026-12-24' });
    // Not made yet: those of the version before are still shown, as such.
    expect(await read()).toMatchObject({ version: 2, ...shown(1) });
    await deliver(2);
    expect(await read()).toMatchObject({ version: 2, ...shown(2) });
    await deliver(1);
    await deliver(2);
    expect(await read()).toMatchObject(shown(2));
    await report('warehouse.arrived', accepted.forecast_no);
    expect(await read()).toMatchObject({ status: 2, ...shown(2) });
  });

  test('of an unknown forecast are ignored: nothing comes again, and nothing changes', async () => {
    await app.submit(app.submission());
    await app.deliver('documents.generated', documents(1, 'PO-1', 'FC000000XXXXXXXXXX'));
    expect(await read()).toMatchObject({ marketplace_label: null, marketplace_label_version: null, packing_slip: null });
  });
});
