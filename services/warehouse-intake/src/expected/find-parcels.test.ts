import { beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { publishAcceptance, system, useIntake, warehouse } from '../testing/open-intake.ts';
import { report, viewItem } from '../testing/samples.ts';

const own = useIntake();
beforeEach(async () => {
  await publishAcceptance(own.intake.platform, 'FC1', ['SF1234'], { items: [viewItem({ sku_code: 'MUG' })], po_number: 'PO-77' });
  await publishAcceptance(own.intake.platform, 'FC2', [], { po_number: 'MUG' });
  const isThere = async (no: string) => (await own.intake.call(warehouse, `/warehouse/v1/forecasts/${no}`)).status === 200;
  await until(async () => (await isThere('FC1')) && (await isThere('FC2')), { what: 'the forecasts' });
});
async function find(number: string, warehouse_codes: readonly string[] = ['WH0', 'WH1'], principal = system) {
  return (
    await own.intake.call(principal, '/internal/v1/parcels/find', { method: 'POST', body: JSON.stringify({ number, warehouse_codes }) })
  ).body;
}

describe('finding parcels', () => {
  test('by its numbers', async () => {
    for (const [number, forecast_no, matched_by] of [
      ['fc1', 'FC1', 'forecast_no'],
      ['PO-77', 'FC1', 'po_number'],
      ['sf-1234', 'FC1', 'tracking_number'],
      // What is in a parcel is not searched.
      ['MUG', 'FC2', 'po_number'],
    ] as const)
      expect((await find(number)).data).toEqual({
        parcels: [{ tenant_id: expect.stringMatching(/^tnt_/), forecast_no, warehouse_code: 'WH1', matched_by }],
        has_more: false,
      });
  });

  test("by a warehouse's reference finds the forecast that the report was applied to", async () => {
    const event = report({ forecast_no: 'FC1', express_no: undefined });
    await own.intake.call(warehouse, '/warehouse/v1/events', { method: 'POST', body: JSON.stringify({ events: [event] }) });
    const found = () => find(String(event.event_id));
    await until(async () => (((await found()).data['parcels'] as object[]) ?? []).length === 1, { what: 'the report' });
    expect((await found()).data).toMatchObject({ parcels: [{ forecast_no: 'FC1', matched_by: 'event_id' }] });
  });

  test('names a forecast once when its number and a reference both match', async () => {
    const [first, last] = [report({ forecast_no: 'FC1', event_id: 'PO-77' }), report({ forecast_no: 'FC1' })];
    await own.intake.call(warehouse, '/warehouse/v1/events', { method: 'POST', body: JSON.stringify({ events: [first, last] }) });
    await until(async () => ((await find(String(last.event_id))).data['parcels'] as object[]).length === 1, { what: 'the reports' });
    expect((await find('PO-77')).data).toMatchObject({ parcels: [{ forecast_no: 'FC1', matched_by: 'po_number' }] });
  });

  test('finds nothing where the parcel is not, and by a part of a number', async () => {
    for (const body of [await find('FC1', ['WH0']), await find('FC'), await find('PO-7')])
      expect(body.data).toEqual({ parcels: [], has_more: false });
  });

  test('is for services only, and says what is wrong', async () => {
    expect((await find('FC1', ['WH1'], warehouse)).code).toBe('40301');
    expect((await find('FC1', [])).code).toBe('42201');
    expect((await find('')).code).toBe('42201');
  });
});
