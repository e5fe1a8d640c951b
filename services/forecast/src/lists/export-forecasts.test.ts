import { describe, expect, test } from '@jest/globals';
import type { ListFilters } from '../store/domain/list-filters.ts';
import type { ForecastLister } from '../store/forecast-store.ts';
import type { ListedForecast, ListQuery } from '../store/ports.ts';
import { record } from '../testing/samples.ts';
import { exportForecasts } from './export-forecasts.ts';
import { type PlannedList, planList } from './list-forecasts.ts';

/** Forecasts in memory, newest first, each second of them of the warehouse WH2. */
class Forecasts implements ForecastLister {
  readonly queries: ListQuery[] = [];
  readonly #all: readonly ListedForecast[];

  constructor(count: number) {
    this.#all = Array.from({ length: count }, (_, index) => ({
      ...record(`F${index}`, { createdAt: count - index, forecastId: count - index, warehouseCode: index % 2 === 0 ? 'WH1' : 'WH2' }),
    }));
  }

  placeBehind(_walk: unknown, { createdAt }: ListedForecast): string {
    return String(createdAt);
  }

  async list(_tenantId: string, query: ListQuery): Promise<ListedForecast[]> {
    this.queries.push(query);
    const at = Number(query.after ?? Number.POSITIVE_INFINITY);
    return this.#all.filter(({ createdAt }) => createdAt < at).slice(0, query.limit);
  }
}

const never = new AbortController().signal;

const noPause = async (): Promise<void> => undefined;

const planned = (filters: ListFilters = {}): PlannedList => planList(filters) as PlannedList;

async function exported(store: Forecasts, filters?: ListFilters, signal = never): Promise<string[]> {
  const numbers: string[] = [];
  for await (const batch of exportForecasts(store, 'tnt_a', planned(filters), signal, noPause)) {
    numbers.push(...batch.map(({ forecastNo }) => forecastNo));
  }
  return numbers;
}

describe('an export', () => {
  test.each([0, 1, 199, 200, 201, 450])('of %i forecasts has each of them once', async (count) => {
    expect(await exported(new Forecasts(count))).toEqual(Array.from({ length: count }, (_, index) => `F${index}`));
  });

  test('has those that meet the filters', async () => {
    expect(await exported(new Forecasts(5), { skuCode: 'A', warehouseCode: 'WH2' })).toEqual(['F1', 'F3']);
  });

  test('ends between two batches, also when nothing is found', async () => {
    const store = new Forecasts(1000);
    const stop = new AbortController();
    const pace = async (): Promise<void> => (store.queries.length === 2 ? stop.abort() : undefined);
    const batches = exportForecasts(store, 'tnt_a', planned({ skuCode: 'A', warehouseCode: 'WH3' }), stop.signal, pace);
    // Empty, after one read: so that the response can begin.
    expect(await batches.next()).toEqual({ done: false, value: [] });
    expect(store.queries).toHaveLength(1);
    await expect(batches.next()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    expect(store.queries).toHaveLength(2);
  });

  test('leaves time for others', async () => {
    const took: number[] = [];
    const pace = async (ms: number): Promise<void> => void took.push(ms);
    for await (const _ of exportForecasts(new Forecasts(500), 'tnt_a', planned(), never, pace));
    expect(took).toHaveLength(2);
  });
});
