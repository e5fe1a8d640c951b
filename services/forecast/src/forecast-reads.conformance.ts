import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ForecastStore } from './ports.ts';
import { actionsOn, type OpenForTest, type OpenStore } from './testing/store-under-test.ts';

/** How every store finds and scans forecasts. */
export function describeForecastReads(openStore: OpenForTest): void {
  let open: OpenStore;
  let store: ForecastStore;
  beforeEach(async () => {
    open = await openStore();
    store = open.store;
  });
  afterEach(() => open.close());
  const { insert, change } = actionsOn(() => store);

  describe('findByPoNumber', () => {
    test('prefers the live forecast, then the newest cancelled one', async () => {
      await insert({ no: 'F1', poNumber: 'PO' });
      await change('F1', { status: 7 });
      await insert({ no: 'F2', poNumber: 'PO' });
      await change('F2', { status: 7 });
      expect((await store.findByPoNumber('tnt_a', 'PO'))?.forecastNo).toBe('F2');
      await insert({ no: 'F3', poNumber: 'PO' });
      expect((await store.findByPoNumber('tnt_a', 'PO'))?.forecastNo).toBe('F3');
      // An event for a cancelled one does not bring it back.
      await change('F1', { status: 7 }, 'late');
      expect((await store.findByPoNumber('tnt_a', 'PO'))?.forecastNo).toBe('F3');
      expect((await store.readByPoNumber('tnt_a', 'PO'))?.record.forecastNo).toBe('F3');
      expect(await store.findByPoNumber('tnt_b', 'PO')).toBeUndefined();
      expect(await store.readByPoNumber('tnt_b', 'PO')).toBeUndefined();
    });
  });

  describe('scan', () => {
    test('goes through the forecasts of all tenants once, in pages', async () => {
      for (const no of ['F3', 'F1', 'F2']) await insert({ no });
      await insert({ no: 'F1', tenantId: 'tnt_b' });
      await change('F1', { status: 7, updatedAt: 5000 });
      const seen: string[] = [];
      let after: string | null = null;
      for (let pages = 0; pages < 5; pages += 1) {
        const page: Awaited<ReturnType<ForecastStore['scan']>> = await store.scan(after, 3);
        seen.push(...page.map(({ tenantId, forecastNo, status, updatedAt }) => `${tenantId} ${forecastNo} ${status} ${updatedAt}`));
        after = page.at(-1)?.place ?? null;
        if (page.length < 3) break;
      }
      expect(seen.toSorted()).toEqual(['tnt_a F1 7 5000', 'tnt_a F2 1 1000', 'tnt_a F3 1 1000', 'tnt_b F1 1 1000']);
      await expect(store.scan('no place', 1)).resolves.toEqual(expect.any(Array));
    });
  });
}
