import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { NOW, viewForecast, viewItem } from '../../testing/samples.ts';
import type { ViewForecast, ViewItem } from '../domain/forecast-copy.ts';
import { itemKeys, parcelKeys } from '../domain/scan-keys.ts';
import { changeForecast, type SeenForecast, type ViewQuery, type ViewStore } from '../ports.ts';

/** A driver under test. */
export interface ViewStoreDriver {
  readonly store: ViewStore;
  close(): Promise<void>;
}

const ALL = [1, 2, 3, 4, 5, 6, 7] as const;
const numbersOf = (seen: readonly SeenForecast[]): string[] => seen.map(({ forecast }) => forecast.forecastNo);

/** What polls of a warehouse show of forecasts that go to another one, and come back. @param open a driver with an empty store */
export function describeMoves(open: (clock: ManualClock) => Promise<ViewStoreDriver>): void {
  describe('moves', () => {
    let clock: ManualClock;
    let driver: ViewStoreDriver;
    let store: ViewStore;

    beforeEach(async () => {
      clock = new ManualClock(NOW);
      driver = await open(clock);
      store = driver.store;
    });
    afterEach(() => driver.close());

    const put = (forecast: ViewForecast, items?: readonly ViewItem[]): Promise<void> =>
      changeForecast(store, forecast.forecastNo, () => (items === undefined ? { forecast } : { forecast, items }));
    const list = (query: Partial<ViewQuery> = {}, warehouse = 'WH1'): Promise<readonly SeenForecast[]> =>
      store.list(warehouse, { statuses: ALL, above: -1, limit: 100, ...query });
    const found = async (key: string | undefined, warehouse = 'WH1', limit = 51): Promise<string[]> =>
      numbersOf((await store.find(warehouse, [String(key)], limit)).get(String(key)) ?? []);

    describe('to another warehouse', () => {
      /** The forecast as the version that sends it to a warehouse. */
      const sent = (warehouseCode: string, version: number, changes: Partial<ViewForecast> = {}): ViewForecast => {
        const forecast = viewForecast({ warehouseCode, ...changes });
        return { ...forecast, content: forecast.content && { ...forecast.content, version } };
      };
      const moves = async (warehouse: string, query: Partial<ViewQuery> = {}): Promise<string[]> =>
        (await list({ statuses: [], moved: true, ...query }, warehouse)).map(({ forecast }) => forecast.forecastNo);

      test('is shown to the former warehouse, without anything about the new one', async () => {
        await put(sent('WH1', 1), [viewItem()]);
        const settled = await store.settled();
        const renumbered = sent('WH2', 2, { poNumber: 'PO-1', itemsVersion: 2 });
        await put({ ...renumbered, content: renumbered.content && { ...renumbered.content, trackingNumbers: ['SECRET01'] } }, [
          viewItem({ sku_code: 'SECRET' }),
        ]);
        const shown = await list({ moved: true, above: settled });
        expect(shown).toMatchObject([
          {
            forecast: { forecastNo: 'FC1', isMoved: true, warehouseCode: 'WH1', content: { trackingNumbers: ['SF12345678'], version: 1 } },
          },
        ]);
        expect(JSON.stringify(shown)).not.toMatch(/WH2|SECRET|label|note/);
        expect(await list()).toEqual([]);
        expect(await moves('WH2')).toEqual([]);
      });

      test('leaves nothing to read or to find at the former warehouse', async () => {
        await put(sent('WH1', 1), [viewItem()]);
        await put(sent('WH2', 2));
        for (const id of ['FC1', 'FC1 WH1', 'FC1 WH2']) expect(await store.read('WH1', id)).toBeUndefined();
        for (const key of [...parcelKeys(viewForecast()), ...itemKeys([viewItem()])]) expect(await found(key)).toEqual([]);
        expect(await store.read('WH2', 'FC1')).toMatchObject({ items: [viewItem()] });
      });

      test('and back, and on to a third, is shown where it was and not where it is', async () => {
        const [a, b, c] = ['WH1', 'WH2', 'WH3'];
        const shown = async () => [await moves('WH1'), await moves('WH2'), await moves('WH3')];
        const listed = async () => [numbersOf(await list({}, 'WH1')), numbersOf(await list({}, 'WH2')), numbersOf(await list({}, 'WH3'))];
        const at = (...places: number[]) => [0, 1, 2].map((place) => (places.includes(place) ? ['FC1'] : []));
        await put(sent(a, 1));
        expect([await shown(), await listed()]).toEqual([at(), at(0)]);
        await put(sent(b, 2));
        expect([await shown(), await listed()]).toEqual([at(0), at(1)]);
        await put(sent(a, 3));
        expect([await shown(), await listed()]).toEqual([at(1), at(0)]);
        await put(sent(c, 4));
        expect([await shown(), await listed()]).toEqual([at(0, 1), at(2)]);
        await put(sent(a, 5));
        expect([await shown(), await listed()]).toEqual([at(1, 2), at(0)]);
      });

      test('is listed by merchant and day, among changes in their order, in pages', async () => {
        for (const [index, warehouse] of ['WH2', 'WH1', 'WH2', 'WH1'].entries()) {
          await put(sent('WH1', 1, { forecastNo: `FC${index}` }));
          await put(sent(warehouse, 2, { forecastNo: `FC${index}` }));
        }
        const query = { statuses: [1] as const, moved: true };
        expect(numbersOf(await list(query))).toEqual(['FC3', 'FC2', 'FC1', 'FC0']);
        const [, last] = (await list({ ...query, limit: 2 })) as [SeenForecast, SeenForecast];
        const behind = { stamp: last.stamp, forecastNo: last.forecast.forecastNo };
        expect(numbersOf(await list({ ...query, behind }))).toEqual(['FC1', 'FC0']);
        expect(await moves('WH1', { tenantId: 'tnt_a', dueDays: ['2026-12-01'] })).toEqual(['FC2', 'FC0']);
        expect(await moves('WH1', { tenantId: 'tnt_b' })).toEqual([]);
        expect(await moves('WH1', { dueDays: ['2026-12-02'] })).toEqual([]);
      });

      test('is shown for as long as forecasts that left are kept', async () => {
        await put(sent('WH1', 1));
        await put(sent('WH2', 2));
        expect([await store.purge(NOW, 5), await moves('WH1')]).toEqual([0, ['FC1']]);
        expect([await store.purge(NOW + 1, 5), await moves('WH1')]).toEqual([1, []]);
        expect(numbersOf(await list({}, 'WH2'))).toEqual(['FC1']);
      });
    });
  });
}
