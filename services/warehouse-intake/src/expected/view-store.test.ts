import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { storesOf } from '../adapters/intake-stores.ts';
import { type OpenStores, openStores } from '../testing/open-stores.ts';
import { changeForecast, NOW, viewForecast, viewItem } from '../testing/samples.ts';
import type { ViewForecast, ViewItem } from './domain/forecast-copy.ts';
import { itemKeys, parcelKeys } from './domain/scan-keys.ts';
import { createViewChanges, type SeenForecast, type View, type ViewQuery } from './view-store.ts';

const ALL = [1, 2, 3, 4, 5, 6, 7] as const;
const numbersOf = (seen: readonly SeenForecast[]): string[] => seen.map(({ forecast }) => forecast.forecastNo);

describe('the view', () => {
  let clock: ManualClock;
  let driver: OpenStores;
  let store: View;

  beforeEach(async () => {
    clock = new ManualClock(NOW);
    driver = openStores(clock);
    store = driver.view;
  });
  afterEach(() => driver.close());

  const put = (forecast: ViewForecast, items?: readonly ViewItem[]): Promise<void> =>
    changeForecast(driver.directory, forecast.forecastNo, () => (items === undefined ? { forecast } : { forecast, items }));
  const list = (query: Partial<ViewQuery> = {}, warehouse = 'WH1'): Promise<readonly SeenForecast[]> =>
    store.list(warehouse, { statuses: ALL, above: -1, limit: 100, ...query });
  const found = async (key: string | undefined, warehouse = 'WH1', limit = 51): Promise<string[]> =>
    numbersOf((await store.find(warehouse, [String(key)], limit)).get(String(key)) ?? []);

  describe('a change', () => {
    test('keeps the items unless it has others', async () => {
      await put(viewForecast(), [viewItem()]);
      await put(viewForecast({ status: 2 }));
      expect(await store.read('WH1', 'FC1')).toMatchObject({ forecast: { status: 2 }, items: [viewItem()] });
      await put(viewForecast({ status: 2 }), [viewItem({ sku_code: 'OTHER' })]);
      expect(await store.read('WH1', 'FC1')).toMatchObject({ items: [{ sku_code: 'OTHER' }] });
    });

    test('of a forecast whose acceptance is not known is seen by nobody', async () => {
      await put(viewForecast({ warehouseCode: null, content: null }));
      expect(await list()).toEqual([]);
      expect(await found(parcelKeys(viewForecast())[0])).toEqual([]);
    });
  });

  test('writes what systems outside are to hear with the change, if it keeps that', async () => {
    const note = { change: 'accepted', changedAt: '2026-11-21T08:00:00.000+00:00' } as const;
    for (const keepsChanges of [false, true]) {
      const { directory } = storesOf(driver, clock, keepsChanges);
      await changeForecast(directory, 'FC1', () => ({ forecast: viewForecast(), items: [viewItem()], notes: [note] }));
      expect(await driver.published()).toEqual(keepsChanges ? [JSON.stringify(note)] : []);
    }
    const changes = createViewChanges(driver.store);
    expect((await changes.current(['FC1', 'FC2'])).map(({ items }) => items)).toEqual([[viewItem()]]);
    expect((await changes.sizes(['FC1'])).get('FC1')).toBeGreaterThan(100);
    await changes.repeat(['FC1', 'FC2'].map((key) => ({ topic: 'warehouse.expected.v1', key, value: key })));
    expect(await driver.published()).toEqual([JSON.stringify(note), 'FC1']);
  });

  describe('the list', () => {
    test('shows the latest change first, in pages', async () => {
      for (let index = 0; index < 7; index += 1) await put(viewForecast({ forecastNo: `FC${index}` }));
      await put(viewForecast({ forecastNo: 'FC3', status: 2 }));
      const first = await list({ limit: 3 });
      expect(numbersOf(first)).toEqual(['FC3', 'FC6', 'FC5']);
      const { stamp, forecast } = first[2] as SeenForecast;
      const rest = await list({ limit: 10, behind: { stamp, forecastNo: forecast.forecastNo } });
      expect(numbersOf(rest)).toEqual(['FC4', 'FC2', 'FC1', 'FC0']);
    });

    test('shows a warehouse only its own forecasts, as do reads', async () => {
      await put(viewForecast());
      await put(viewForecast({ forecastNo: 'FC2', warehouseCode: 'WH2' }), [viewItem()]);
      expect(numbersOf(await list())).toEqual(['FC1']);
      expect(numbersOf(await list({}, 'WH2'))).toEqual(['FC2']);
      expect(numbersOf(await list({}, 'WH3'))).toEqual([]);
      expect([await store.read('WH1', 'FC2'), numbersOf(await store.get('WH1', ['FC2', 'FC1', 'NONE']))]).toEqual([undefined, ['FC1']]);
      expect(await store.get('WH1', [])).toEqual([]);
    });

    test('keeps the order of changes when the clock is set back and a process starts', async () => {
      await put(viewForecast());
      const settled = await store.settled();
      clock.advance(-3_600_000);
      const { directory, view } = storesOf(driver, clock, false);
      expect(await view.settled()).toBe(settled);
      await changeForecast(directory, 'FC2', () => ({ forecast: viewForecast({ forecastNo: 'FC2' }) }));
      await put(viewForecast({ forecastNo: 'FC3' }));
      expect(numbersOf(await list({ above: settled }))).toEqual(expect.arrayContaining(['FC2', 'FC3']));
      expect(numbersOf(await list()).at(-1)).toBe('FC1');
    });

    test('combines its filters', async () => {
      const days = ['2026-12-01', '2026-12-02', '2026-12-03'];
      const all: ViewForecast[] = [];
      for (const status of [1, 2, 5] as const) {
        for (const tenantId of ['tnt_a', 'tnt_b']) {
          for (const dueDate of [...days, null]) {
            const forecast = viewForecast({ forecastNo: `FC${all.length}`, status, tenantId });
            all.unshift({ ...forecast, content: forecast.content && { ...forecast.content, dueDate } });
          }
        }
      }
      for (const forecast of all.toReversed()) await put(forecast);
      for (const statuses of [[1], [1, 5], [3, 4], ALL] as const) {
        for (const tenantId of [undefined, 'tnt_b', 'tnt_c']) {
          for (const dueDays of [undefined, days.slice(1, 2), days.slice(0, 2), ['2026-11-30']]) {
            const expected = all.filter(
              ({ status, tenantId: tenant, content }) =>
                statuses.some((one) => one === status) &&
                (tenantId === undefined || tenant === tenantId) &&
                (dueDays === undefined || dueDays.includes(String(content?.dueDate))),
            );
            const query = { statuses, tenantId, dueDays };
            const wanted = numbersOf(expected.map((forecast) => ({ forecast, stamp: 0 })));
            expect(numbersOf(await list(query))).toEqual(wanted);
            const first = await list({ ...query, limit: 2 });
            expect(numbersOf(first)).toEqual(wanted.slice(0, 2));
            const last = first.at(-1);
            if (!last) continue;
            const behind = { stamp: last.stamp, forecastNo: last.forecast.forecastNo };
            expect(numbersOf(await list({ ...query, behind }))).toEqual(wanted.slice(2));
          }
        }
      }
    });
  });

  describe('a move to another warehouse', () => {
    /** The forecast as the version that sends it to a warehouse. */
    const sent = (warehouseCode: string, version: number, changes: Partial<ViewForecast> = {}): ViewForecast => {
      const forecast = viewForecast({ warehouseCode, ...changes });
      return { ...forecast, content: forecast.content && { ...forecast.content, version } };
    };
    const moves = async (warehouse: string, query: Partial<ViewQuery> = {}): Promise<string[]> =>
      (await list({ statuses: [], moved: true, ...query }, warehouse)).map(({ forecast }) => forecast.forecastNo);

    test('is shown to the former warehouse, without anything about the new one', async () => {
      const dispatch = { carrierCode: 'dhl', trackingNumber: 'T1', dispatchedAt: '2026-11-23T00:00:00+08:00', told: 'then' };
      await put(sent('WH1', 1, { dispatch, holding: { onHold: true, holds: [], reports: 1 } }), [viewItem()]);
      const settled = await store.settled();
      const renumbered = sent('WH2', 2, { poNumber: 'PO-1', itemsVersion: 2 });
      await put({ ...renumbered, content: renumbered.content && { ...renumbered.content, trackingNumbers: ['SECRET01'] } }, [
        viewItem({ sku_code: 'SECRET' }),
      ]);
      const shown = await list({ moved: true, above: settled });
      expect(shown).toMatchObject([
        {
          forecast: {
            ...{ forecastNo: 'FC1', isMoved: true, warehouseCode: 'WH1', content: { trackingNumbers: ['SF12345678'], version: 1 } },
            ...{ itemsVersion: 0, dispatch: null, holding: null },
          },
        },
      ]);
      expect(JSON.stringify(shown)).not.toMatch(/WH2|SECRET|label\.pdf|note\.pdf/);
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

    test('is shown for as long as forecasts that left are kept', async () => {
      await put(sent('WH1', 1));
      await put(sent('WH2', 2));
      expect([await store.purge(NOW, 5), await moves('WH1')]).toEqual([0, ['FC1']]);
      expect([await store.purge(NOW + 1, 5), await moves('WH1')]).toEqual([1, []]);
      expect(numbersOf(await list({}, 'WH2'))).toEqual(['FC1']);
    });
  });

  describe('the lookup', () => {
    const [po, number] = parcelKeys(viewForecast());
    const [sku, barcode] = itemKeys([viewItem()]);

    test('finds a forecast by its numbers and its items', async () => {
      await put(viewForecast(), [viewItem()]);
      for (const key of [po, number, sku, barcode]) {
        expect(await found(key)).toEqual(['FC1']);
        expect(await found(key, 'WH2')).toEqual([]);
      }
      expect(await found('s:NONE')).toEqual([]);
    });

    test('shows expected and present parcels first, and those that left by their own numbers alone', async () => {
      for (let index = 1; index <= 6; index += 1) {
        const forecast = viewForecast({ forecastNo: `FC${index}` });
        await put(forecast, [viewItem()]);
        if (index < 4) await put({ ...forecast, status: index === 1 ? 7 : 5 });
      }
      expect(await found(number)).toEqual(['FC4', 'FC5', 'FC6', 'FC1', 'FC2', 'FC3']);
      expect(await found(sku)).toEqual(['FC4', 'FC5', 'FC6']);
      expect(await found(barcode)).toEqual(['FC4', 'FC5', 'FC6']);
      expect(await found(number, 'WH1', 4)).toEqual(['FC4', 'FC5', 'FC6', 'FC1']);
    });
  });

  describe('retention', () => {
    test('deletes what left, was cancelled or never accepted, in batches', async () => {
      await put(viewForecast());
      await put(viewForecast({ forecastNo: 'FC2', status: 7 }), [viewItem()]);
      await put(viewForecast({ forecastNo: 'FC3', warehouseCode: null, content: null }));
      clock.advance(1000);
      await put(viewForecast({ forecastNo: 'FC2', status: 7, itemsVersion: 2 }));
      await put(viewForecast({ forecastNo: 'FC4', status: 6 }));
      expect([await store.purge(NOW + 1, 1), await store.purge(NOW + 1, 5), await store.purge(NOW + 1, 5)]).toEqual([1, 1, 0]);
      expect(numbersOf(await list())).toEqual(['FC4', 'FC1']);
      expect(await found(parcelKeys(viewForecast())[0])).toEqual(['FC1', 'FC4']);
      expect(await store.read('WH1', 'FC2')).toBeUndefined();
    });
  });
});
