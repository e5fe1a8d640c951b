import { describe, expect, test } from '@jest/globals';
import type { WarehouseForecast } from '@parcelway/contracts/warehouse-view-api';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { callRoute } from '@parcelway/harness/route-call';
import type { WarehouseClerk } from '@parcelway/harness/warehouse';
import { until } from '@parcelway/kernel/testing/until';
import { useSharedStageWithMerchant, useWarehouse } from '../use-stage.ts';

/* Each group has a warehouse of its own, so that what the warehouse sees is what the group has made. */

const { stage, merchant } = useSharedStageWithMerchant();

/** Submits forecasts for a warehouse, and waits until it sees them all. */
async function expected(clerk: WarehouseClerk, count: number, sample: Parameters<Merchant['submit']>[0] = {}): Promise<string[]> {
  const numbers: string[] = [];
  for (let index = 0; index < count; index += 1) {
    numbers.push(
      (await merchant.untilAccepted(await merchant.body({ forecastType: 1, warehouseCode: clerk.code, ...sample }))).forecast_no,
    );
  }
  await until(
    async () => {
      const shown = (await clerk.forecasts({ limit: 100 })).forecasts.map(({ forecast_no }) => forecast_no);
      return numbers.every((number) => shown.includes(number)) || undefined;
    },
    { what: 'the forecasts in the list of the warehouse' },
  );
  return numbers;
}

/** Follows `next_cursor` to the end of the round. */
async function round(
  clerk: WarehouseClerk,
  query: Readonly<Record<string, string | number>> = {},
): Promise<{ forecasts: WarehouseForecast[]; cursor: string }> {
  const forecasts: WarehouseForecast[] = [];
  let page = await clerk.forecasts(query);
  for (let pages = 1; ; pages += 1) {
    forecasts.push(...page.forecasts);
    if (!page.has_more) return { forecasts, cursor: page.next_cursor };
    if (pages === 50) throw new Error('The round does not end');
    page = await clerk.forecasts({ ...query, cursor: page.next_cursor });
  }
}

describe('the list of a warehouse', () => {
  const clerk = useWarehouse(stage);

  test('is loaded and polled by one loop, which learns of every change', async () => {
    const numbers = await expected(clerk, 5);
    const known = new Map<string, WarehouseForecast>();
    const learn = ({ forecasts, cursor }: Awaited<ReturnType<typeof round>>): string => {
      for (const forecast of forecasts.toReversed()) known.set(forecast.forecast_no, forecast);
      return cursor;
    };
    const first = await round(clerk, { limit: 2 });
    // The latest change first: documents that are made meanwhile change the order of acceptance.
    const times = first.forecasts.map(({ update_time }) => update_time);
    expect(times).toEqual(times.toSorted().reverse());
    let cursor = learn(first);
    // A forecast whose document is made between two pages of the round belongs to the next one.
    await until(
      async () => {
        if (known.size === numbers.length) return true;
        cursor = learn(await round(clerk, { limit: 2, cursor }));
        return undefined;
      },
      { what: 'every forecast, in this round or the next' },
    );
    expect([...known.keys()].sort()).toEqual([...numbers].sort());
    expect(known.get(numbers[4] as string)).toMatchObject({
      tenant_id: merchant.identity.tenantId,
      warehouse_code: clerk.code,
      status: 1,
      status_name: 'ACCEPTED',
      version: 1,
    });

    const [cancelled, arrived] = [numbers[0] as string, numbers[3] as string];
    const { po_number } = known.get(cancelled) as WarehouseForecast;
    await merchant.cancel(po_number);
    await clerk.report(clerk.event({ type: 'arrival', forecast_no: arrived }));
    await until(
      async () => {
        cursor = learn(await round(clerk, { limit: 2, cursor }));
        return (known.get(cancelled)?.status === 7 && known.get(arrived)?.status === 2) || undefined;
      },
      { what: 'both changes' },
    );
    // Who starts again sees what is expected and present.
    const again = await round(clerk);
    expect(again.forecasts.map(({ forecast_no, status }) => [forecast_no, status]).sort()).toEqual(
      [[arrived, 2], ...[4, 2, 1].map((index) => [numbers[index], 1])].sort(),
    );
  });

  test('shows those who filter what no longer fits, and nothing of other merchants', async () => {
    const due = { status: 'ACCEPTED', due_from: '2099-01-01', due_to: '2099-01-01', tenant_id: merchant.identity.tenantId };
    const body = async () => ({
      ...(await merchant.body({ forecastType: 1, warehouseCode: clerk.code })),
      po_number: newPoNumber(),
      due_date: '2099-01-01',
    });
    const [later, arrived] = [await merchant.untilAccepted(await body()), await merchant.untilAccepted(await body())];
    const loaded = await until(
      async () => {
        const first = await round(clerk, { ...due, limit: 1 });
        return first.forecasts.length === 2 ? first : undefined;
      },
      { what: 'both forecasts of the day' },
    );
    await merchant.correct(later.po_number, { due_date: '2099-01-02' });
    await clerk.report(clerk.event({ type: 'arrival', forecast_no: arrived.forecast_no }));
    const known = new Map(loaded.forecasts.map((forecast) => [forecast.forecast_no, forecast]));
    let { cursor } = loaded;
    await until(
      async () => {
        const changes = await round(clerk, { ...due, cursor });
        cursor = changes.cursor;
        for (const forecast of changes.forecasts.toReversed()) known.set(forecast.forecast_no, forecast);
        return (known.get(later.forecast_no)?.due_date === '2099-01-02' && known.get(arrived.forecast_no)?.status === 2) || undefined;
      },
      { what: 'that neither fits any more' },
    );
    const stranger = await stage.operator.newMerchant();
    const other = await stranger.untilAccepted(await stranger.body({ forecastType: 1, warehouseCode: clerk.code }));
    await until(async () => (await clerk.forecasts({ tenant_id: stranger.identity.tenantId })).forecasts.length > 0 || undefined, {
      what: 'the forecast of another merchant in the list',
    });
    expect((await round(clerk, { ...due, cursor })).forecasts.map(({ forecast_no }) => forecast_no)).not.toContain(other.forecast_no);
    // A cursor is good for its own filters alone.
    const refused = await callRoute(clerk.client, 'listWarehouseForecasts', { query: { ...due, status: 'ARRIVED', cursor } });
    expect(refused).toMatchObject({
      status: 422,
      code: '42201',
      data: { errors: [{ field: 'cursor', message: 'cursor was made with other filters; send those, or begin without cursor' }] },
    });
  });

  test('names what is wrong with a query', async () => {
    const refused = async (query: Readonly<Record<string, string>>): Promise<unknown> => {
      const { status, code, data } = await callRoute(clerk.client, 'listWarehouseForecasts', { query });
      return { status, code, fields: (data as { errors?: { field: string }[] } | null)?.errors?.map(({ field }) => field) };
    };
    const on = (...fields: string[]) => ({ status: 422, code: '42201', fields });
    expect(await refused({ status: '1,8' })).toEqual(on('status'));
    expect(await refused({ due_from: '2026-01-01' })).toEqual(on('due_to'));
    expect(await refused({ due_to: '2026-01-01' })).toEqual(on('due_from'));
    expect(await refused({ due_from: '2026-01-01', due_to: '2026-02-01' })).toEqual(on('due_to'));
    expect(await refused({ due_from: '2026-01-02', due_to: '2026-01-01' })).toEqual(on('due_to'));
    expect(await refused({ updated_from: 'yesterday', limit: '101' })).toEqual(on('updated_from', 'limit'));
    expect(await refused({ cursor: 'djA' })).toEqual(on('cursor'));
  });
});

describe('a forecast that a warehouse reads', () => {
  const clerk = useWarehouse(stage);

  test('shows items and files, no prices, and how far the parcel has come', async () => {
    const trackingNumber = newPoNumber('TRK');
    const [forecast_no = ''] = await expected(clerk, 1, { forecastType: 2, trackingNumber, items: 3 });
    const files = await merchant.files();
    const forecast = await clerk.forecast(forecast_no);
    expect(forecast).toMatchObject({
      forecast_no,
      forecast_type: 2,
      item_count: 3,
      shipping_label: files.label,
      shipping_note: files.note,
      carrier_code: null,
    });
    expect(forecast.items).toHaveLength(3);
    const submitted = await merchant.forecast(forecast.po_number);
    expect(submitted.items[0]?.forecast_price).toEqual(expect.any(Number));
    expect(forecast.items).toEqual(submitted.items.map(({ forecast_price: _price, ...item }) => item));
    await clerk.report(clerk.event({ type: 'dispatch', forecast_no, carrier_code: 'dhl', tracking_number: 'JD014600003' }));
    const left = await clerk.untilForecast(forecast_no, (found) => found.status === 5 && found.carrier_code !== null, 'its dispatch');
    expect(left).toMatchObject({ status_name: 'SHIPPED', carrier_code: 'dhl', tracking_number: 'JD014600003' });
    expect((await clerk.lookUp('jd 01-4600003')).candidates).toMatchObject([
      { forecast: { forecast_no }, matched_by: 'tracking_number', reason: "The carrier's number of the dispatch is JD014600003" },
    ]);
  });

  test('shows items that are too large for an event', async () => {
    const [forecast_no = ''] = await expected(clerk, 1, { items: 2000 });
    const forecast = await clerk.untilForecast(forecast_no, ({ items }) => items.length > 0, 'its items');
    expect(forecast.items).toHaveLength(2000);
  });
});

describe('the lookup', () => {
  const clerk = useWarehouse(stage);

  test('shows every candidate with its reason, and nothing when there is none', async () => {
    const trackingNumber = newPoNumber('TRK');
    const body = await merchant.body({ forecastType: 1, warehouseCode: clerk.code, trackingNumber, items: 1 });
    const [item] = body['items'] as [Record<string, unknown>];
    const items = [{ ...item, sku_code: newPoNumber('SKU'), barcode: '012345678905' }];
    const accepted = [];
    for (const poNumber of [newPoNumber(), newPoNumber()]) {
      accepted.push(await merchant.untilAccepted({ ...body, po_number: poNumber, items }));
    }
    // In the order in which candidates of one reason are shown.
    const numbers = accepted.map(({ forecast_no }) => forecast_no).toSorted();
    const [first, second] = accepted.toSorted((a, b) => numbers.indexOf(a.forecast_no) - numbers.indexOf(b.forecast_no));
    await until(async () => (await clerk.lookUp(String(items[0]?.sku_code))).candidates.length === 2 || undefined, {
      what: 'both candidates',
    });
    const both = (by: string): unknown[] => [
      [first?.forecast_no, by],
      [second?.forecast_no, by],
    ];
    expect(await clerk.matchesOf(String(items[0]?.sku_code))).toEqual(both('sku_code'));
    // A UPC-A and its EAN-13 are one number.
    for (const scan of ['012345678905', '0012345678905']) expect(await clerk.matchesOf(scan)).toEqual(both('barcode'));
    expect(await clerk.matchesOf(` ${trackingNumber.toLowerCase()} `)).toEqual(both('tracking_number'));
    for (const scan of [String(first?.forecast_no), `]C0${first?.forecast_no.toLowerCase()}`]) {
      expect(await clerk.matchesOf(scan)).toEqual([[first?.forecast_no, 'forecast_no']]);
    }
    expect(await clerk.matchesOf(`]E00012345678905`)).toEqual(both('barcode'));
    expect(await clerk.matchesOf(String(second?.po_number))).toEqual([[second?.forecast_no, 'po_number']]);
    const label = { forecast_no: second?.forecast_no, po_number: second?.po_number, warehouse_code: clerk.code };
    expect(await clerk.matchesOf(JSON.stringify(label))).toEqual([[second?.forecast_no, 'label']]);
    expect(await clerk.matchesOf(JSON.stringify({ ...label, po_number: 'OTHER' }))).toEqual([]);
    expect(await clerk.matchesOf('{"forecast_no":1}')).toEqual([]);
    expect(await clerk.matchesOf('NOTHING-HAS-THIS')).toEqual([]);

    await merchant.cancel(String(first?.po_number));
    await until(async () => (await clerk.lookUp('012345678905')).candidates.length === 1 || undefined, { what: 'the cancellation' });
    // A parcel that comes all the same is found by its own numbers, behind those that are expected.
    expect(await clerk.matchesOf(trackingNumber)).toEqual([both('tracking_number')[1], both('tracking_number')[0]]);
  });
});
