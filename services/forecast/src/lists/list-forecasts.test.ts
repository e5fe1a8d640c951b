import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ListFilters } from '../store/domain/list-plan.ts';
import { type ForecastDocument, forecasts } from '../store/forecast-collection.ts';
import { documentOf } from '../store/forecast-documents.ts';
import type { ForecastLister } from '../store/forecast-store.ts';
import type { ListedForecast } from '../store/ports.ts';
import { forecast, openStores } from '../testing/store-under-test.ts';
import { filtersOf, listForecasts, MAX_EXAMINED, type Page, type PlannedList, planList } from './list-forecasts.ts';

const COUNT = 20_000;

let stores: ReturnType<typeof openStores>;
let store: ForecastLister;
/** How many forecasts each read has found. */
let sizes: number[] = [];
beforeEach(() => {
  sizes = [];
});
beforeAll(async () => {
  stores = openStores();
  store = {
    ...stores.store,
    async list(...given) {
      const found = await stores.store.list(...given);
      sizes.push(found.length);
      return found;
    },
  };
  // All of one warehouse but the oldest; all completed.
  const completed = (i: number): ForecastDocument => ({
    ...documentOf(forecast({ no: `F${i}`, createdAt: i, updatedAt: i, warehouseCode: i === 1 ? 'WH9' : 'WH1', terms: ['sA'] })),
    status: 6,
  });
  for (let first = 1; first <= COUNT; first += 1000) {
    const some = Array.from({ length: 1000 }, (_, index) => completed(first + index));
    await stores.documents.apply(some.map((insert) => ({ in: forecasts, insert })));
  }
}, 60_000);
afterAll(() => stores.close());

const planned = (filters: ListFilters): PlannedList => planList(filters) as PlannedList;

const examined = (): number => sizes.reduce((sum, size) => sum + size, 0);

const firstPage = (filters: ListFilters, limit = 20): Promise<Page> => listForecasts(store, 'tnt_a', planned(filters), limit, undefined);

describe('a page', () => {
  test.each<[ListFilters]>([
    [{ skuCode: 'A', warehouseCode: 'WH2' }],
    [{ skuCode: 'A', trackingNumber: 'A' }],
    [{ poPrefix: 'PO', status: 1 }],
    [{ poPrefix: 'PO', skuCode: 'B' }],
    [{ updatedFrom: 1, warehouseCode: 'WH2' }],
    [{ updatedFrom: 1, createdTo: 1 }],
  ])('of %j, which nothing meets, looks at a bounded number of forecasts', async (filters) => {
    const page = await firstPage(filters);
    expect(page.forecasts).toEqual([]);
    expect(examined()).toBeLessThanOrEqual(MAX_EXAMINED);
    // Only a walk that has forecasts goes on.
    if (examined() > 0) expect([examined(), page.next]).toEqual([MAX_EXAMINED, expect.anything()]);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
  });

  test('leads to the one forecast that meets the filters, in as many pages as that takes', async () => {
    const list = planned({ updatedTo: COUNT + 1, warehouseCode: 'WH9' });
    let page: Page = { forecasts: [], next: null };
    let pages = 0;
    do {
      page = await listForecasts(store, 'tnt_a', list, 20, page.next ? store.placeBehind(list.plan.walk, page.next) : undefined);
      pages += 1;
    } while (page.next !== null && page.forecasts.length === 0 && pages <= COUNT / MAX_EXAMINED);
    expect(page.forecasts.map(({ forecastNo }) => forecastNo)).toEqual(['F1']);
    expect([pages, examined()]).toEqual([COUNT / MAX_EXAMINED, COUNT]);
  });

  test('reads one forecast more than it shows when an index has what is asked for', async () => {
    for (const filters of [{}, { status: 6 }, { skuCode: 'A' }, { poPrefix: 'PO-' }, { updatedTo: COUNT / 2 }] as const) {
      sizes = [];
      const page = await firstPage(filters, 100);
      expect(page.forecasts).toHaveLength(100);
      expect(sizes).toEqual([101]);
    }
  });

  test('says where to go on, also behind the last forecast that it has looked at', async () => {
    const list = planned({ updatedTo: MAX_EXAMINED + 1, warehouseCode: 'WH9' });
    const first = await listForecasts(store, 'tnt_a', list, 1, undefined);
    expect(first).toMatchObject({ forecasts: [{ forecastNo: 'F1' }], next: { forecastNo: 'F1' } });
    const after = store.placeBehind(list.plan.walk, first.next as ListedForecast);
    expect(await listForecasts(store, 'tnt_a', list, 1, after)).toEqual({ forecasts: [], next: null });
  });
});

test('filters are those of the query, normalised', () => {
  const query = { status: 'ARRIVED', tracking_number: ' lp-1 23', created_from: '2026-11-21T08:00:00+08:00', q: 'PO' };
  const filters = { status: 2, trackingNumber: 'LP123', createdFrom: Date.UTC(2026, 10, 21), poPrefix: 'PO' };
  expect(filtersOf(query)).toEqual(filters);
  expect(Object.keys(filtersOf(query)).toSorted()).toEqual(Object.keys(filters).toSorted());
  expect(
    filtersOf({ status: '7', forecast_no: 'F', sku_code: 'S', warehouse_code: 'W', po_number: 'P', updated_to: '2026-11-21T00:00:00Z' }),
  ).toEqual({
    status: 7,
    forecastNo: 'F',
    skuCode: 'S',
    warehouseCode: 'W',
    poNumber: 'P',
    updatedTo: Date.UTC(2026, 10, 21),
  });
});
