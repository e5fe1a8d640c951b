import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type ForecastSnapshotPage, ForecastSnapshotPage as schema } from '@parcelway/contracts/forecast-snapshot';
import { compileValidator } from '@parcelway/contracts/validator';
import { isoInstant } from '@parcelway/kernel/clock';
import { ForecastHarness, START } from '../testing/forecast-harness.ts';

/* How other services catch up on forecasts whose events they have missed. */

let app: ForecastHarness;
beforeEach(async () => {
  app = await ForecastHarness.open();
});
afterEach(() => app.close());

const system = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'x', scopes: [], environment: 'sandbox' } as const;
const validator = compileValidator(schema);

async function page(query: Readonly<Record<string, string>> = {}): Promise<ForecastSnapshotPage> {
  const { code, data } = await app.call('GET', `/internal/v1/forecasts/snapshots?${new URLSearchParams(query)}`, { principal: system });
  expect(code).toBe('0');
  expect(validator.is(data)).toBe(true);
  return data as unknown as ForecastSnapshotPage;
}

async function everything(query: Readonly<Record<string, string>> = {}) {
  const forecasts: ForecastSnapshotPage['forecasts'] = [];
  let pages = 0;
  for (let next: string | null | undefined; next !== null && pages < 20; pages += 1) {
    const found = await page({ ...query, ...(next && { after: next }) });
    forecasts.push(...found.forecasts);
    next = found.next;
  }
  return { forecasts, pages };
}

const from = (forecast_no: string, event_id: string) => ({
  event_id,
  forecast_no,
  warehouse_code: 'WH1',
  express_no: null,
  occurred_at: isoInstant(START),
});

test('a snapshot says what the events of the forecast have said', async () => {
  const { data } = await app.submit(app.submission({ due_date: '2026-12-01', carton_count: 2 }));
  const [accepted] = await app.published();
  const label = { version: 1, marketplace_label: 'label', packing_slip: 'slip' };
  expect((await page()).forecasts).toEqual([
    { tenant_id: 'tnt_a', as_of: isoInstant(START), status: 1, content: accepted?.data, documents: null, dispatch: null, holding: null },
  ]);
  app.clock.advance(1000);
  await app.deliver('documents.generated', {
    forecast_no: data.forecast_no,
    po_number: 'PO-1',
    ...label,
    generated_at: isoInstant(START),
  } as never);
  await app.deliver('warehouse.held', { ...from(data.forecast_no, 'e1'), reason: 'wet' } as never);
  const dispatch = { carrier_code: 'dhl', tracking_number: 'JD014600003' };
  await app.deliver('warehouse.dispatched', { ...from(data.forecast_no, 'e2'), ...dispatch } as never);
  expect((await page()).forecasts).toMatchObject([
    {
      as_of: isoInstant(START + 1000),
      status: 5,
      documents: label,
      dispatch: { ...dispatch, dispatched_at: isoInstant(START) },
      holding: { on_hold: true, holds: [{ reason: 'wet', held_at: isoInstant(START), released_at: null }] },
    },
  ]);
});

test('all forecasts of all tenants come in pages that are bounded in bytes', async () => {
  const names = Array.from({ length: 300 }, (_, index) => ({
    sku_code: `SKU-${index}`,
    product_name_en: 'x'.repeat(200),
    forecast_quantity: 1,
  }));
  const all: string[] = [];
  for (let index = 0; index < 30; index += 1) {
    const tenant = index % 2 ? 'tnt_a' : 'tnt_b';
    all.push((await app.submit(app.submission({ po_number: `PO-${index}`, items: names }, tenant), tenant)).data.forecast_no);
  }
  const { forecasts, pages } = await everything();
  expect(forecasts.map(({ content }) => content.forecast_no).toSorted()).toEqual(all.toSorted());
  expect(pages).toBeGreaterThan(1);
});

test('what left or was cancelled long ago is left out', async () => {
  await app.submit(app.submission());
  await app.submit(app.submission({ po_number: 'PO-2' }));
  await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
  const numbers = async (closed_since: number) =>
    (await page({ closed_since: isoInstant(closed_since) })).forecasts.map(({ content, status }) => [content.po_number, status]);
  expect(await numbers(START)).toEqual([
    ['PO-1', 7],
    ['PO-2', 1],
  ]);
  expect(await numbers(START + 1)).toEqual([['PO-2', 1]]);
});

test('it is for services only', async () => {
  expect((await app.call('GET', '/internal/v1/forecasts/snapshots')).code).toBe('40301');
});
