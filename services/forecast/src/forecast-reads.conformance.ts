import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ForecastStore } from './ports.ts';
import { actionsOn, forecast, type OpenForTest, type OpenStore } from './testing/store-under-test.ts';

/** How every store finds, lists and scans forecasts. */
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

  describe('findByPoNumbers', () => {
    test('finds what findByPoNumber finds, each once, and leaves out the rest', async () => {
      await insert({ no: 'F1', poNumber: 'LIVE' });
      await insert({ no: 'F2', poNumber: 'GONE' });
      await change('F2', { status: 7 });
      await insert({ no: 'F3', poNumber: 'GONE' });
      await change('F3', { status: 7 });
      await insert({ no: 'F4', poNumber: 'AGAIN' });
      await change('F4', { status: 7 });
      await insert({ no: 'F5', poNumber: 'AGAIN' });
      await insert({ no: 'X1', tenantId: 'tnt_b', poNumber: 'FOREIGN' });
      const found = await store.findByPoNumbers('tnt_a', ['AGAIN', 'NONE', 'GONE', 'FOREIGN', 'LIVE']);
      const shown = [...found].map(([poNumber, { forecastNo }]) => [poNumber, forecastNo]).sort();
      expect(shown).toEqual([
        ['AGAIN', 'F5'],
        ['GONE', 'F3'],
        ['LIVE', 'F1'],
      ]);
      expect(found.get('LIVE')).toEqual(await store.findByPoNumber('tnt_a', 'LIVE'));
      expect(await store.findByPoNumbers('tnt_a', [])).toEqual(new Map());
    });
  });

  describe('findHeldNumbers', () => {
    test('names those that live forecasts of the tenant hold, in the order asked, but for one forecast', async () => {
      await insert({ no: 'F1', claims: ['T1', 'T2'] });
      await insert({ no: 'F2', claims: ['$T3'] });
      await insert({ no: 'F3', claims: ['T4'] });
      await change('F3', { status: 7 });
      await insert({ no: 'X1', tenantId: 'tnt_b', claims: ['T5'] });
      const wanted = ['T5', '$T3', 'T4', 'T2', 'T9', 'T1'];
      expect(await store.findHeldNumbers('tnt_a', wanted, undefined)).toEqual(['$T3', 'T2', 'T1']);
      const { forecastId } = (await store.findByPoNumber('tnt_a', 'PO-F1')) ?? { forecastId: 0 };
      expect(await store.findHeldNumbers('tnt_a', wanted, forecastId)).toEqual(['$T3']);
      expect(await store.findHeldNumbers('tnt_a', [], undefined)).toEqual([]);
    });
  });

  describe('list', () => {
    const numbers = async (query: Parameters<ForecastStore['list']>[1]) => (await store.list('tnt_a', query)).map((row) => row.forecastNo);
    beforeEach(async () => {
      for (const [no, createdAt] of [
        ['F1', 1000],
        ['F2', 3000],
        ['F3', 2000],
        ['F4', 2000],
      ] as const)
        await insert({ no, createdAt });
      await insert({ no: 'X1', tenantId: 'tnt_b' });
      await change('F3', { status: 7 });
    });

    test('is sorted by acceptance, then by id, newest first, and shows what a page needs', async () => {
      expect(await numbers({ limit: 10 })).toEqual(['F2', 'F4', 'F3', 'F1']);
      const { content: _c, claims: _l, contentHash: _h, progress: _p, ...listed } = forecast({ no: 'F2', createdAt: 3000 });
      expect((await store.list('tnt_a', { limit: 1 }))[0]).toEqual({ ...listed, contentVersion: 1, forecastId: expect.any(Number) });
    });

    test('filters', async () => {
      expect(await numbers({ limit: 10, status: 7 })).toEqual(['F3']);
      expect(await numbers({ limit: 10, poNumber: 'PO-F1' })).toEqual(['F1']);
      expect(await numbers({ limit: 10, createdFrom: 2000 })).toEqual(['F2', 'F4', 'F3']);
      expect(await numbers({ limit: 10, createdTo: 2000 })).toEqual(['F1']);
      expect(await numbers({ limit: 10, createdFrom: 2000, createdTo: 3000, status: 1 })).toEqual(['F4']);
    });

    test('goes on behind a position, also between equal instants', async () => {
      const seen: string[] = [];
      let after: { createdAt: number; forecastId: number } | undefined;
      for (;;) {
        const [row] = await store.list('tnt_a', { limit: 1, ...(after && { after }) });
        if (!row) break;
        seen.push(row.forecastNo);
        expect(seen.length).toBeLessThanOrEqual(4);
        after = row;
      }
      expect(seen).toEqual(['F2', 'F4', 'F3', 'F1']);
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
