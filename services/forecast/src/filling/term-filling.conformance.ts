import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import { contentTerms } from '../domain/search-terms.ts';
import type { ForecastStore, SearchTerms } from '../ports.ts';
import { listedNos } from '../testing/listed.ts';
import { contentOf } from '../testing/samples.ts';
import { actionsOn } from '../testing/store-under-test.ts';
import { FILLED } from './domain/filling.ts';
import type { TermFilling } from './ports.ts';

/** Stores under test over one database, empty at first. */
export interface OpenFilling {
  readonly store: ForecastStore;
  readonly filling: TermFilling & SearchTerms;
  readonly lease: WorkLease;
  close(): Promise<void>;
}

const dispatch = (trackingNumber: string) => ({ carrierCode: 'acme', trackingNumber, dispatchedAt: 'at', dispatchedAtMs: 1 });

/** What every driver must do to give forecasts their terms. */
export function describeTermFilling(name: string, openFilling: () => Promise<OpenFilling>): void {
  describe(`terms of older forecasts: ${name}`, () => {
    let open: OpenFilling;
    beforeEach(async () => {
      open = await openFilling();
    });
    afterEach(() => open.close());
    const { insert, change } = actionsOn(() => open.store);

    /** Inserts a forecast as a release without the search does. */
    const insertFormer = (no: string, tenantId = 'tnt_a') => insert({ no, tenantId, content: JSON.stringify(contentOf(no)) });

    const places = async (): Promise<string[]> => (await open.filling.next(null, 100)).map(({ place }) => place);

    test('are those of their content and of their dispatches', async () => {
      await insertFormer('F1');
      await insertFormer('F2', 'tnt_b');
      const sent = { dispatch: dispatch('C2'), furtherDispatches: [dispatch('C1')] };
      await change('F1', { progress: (before) => ({ ...before, ...sent }) });
      expect(await open.filling.fill(await places())).toBe(2);
      for (const filters of [{ trackingNumber: 'LP1' }, { skuCode: 'SKU-1' }, { warehouseCode: 'WH1' }, { trackingNumber: 'C1' }]) {
        expect(await listedNos(open.store, filters)).toEqual(['F1']);
      }
      expect(await listedNos(open.store, { trackingNumber: 'C2' })).toEqual(['F1']);
      expect(await listedNos(open.store, { skuCode: 'SKU-1' }, { tenantId: 'tnt_b' })).toEqual(['F2']);
    });

    test('are completed where a dispatch has added one before', async () => {
      await insertFormer('F1');
      const terms = { added: ['nC1'], removed: [] };
      await change('F1', { progress: (before) => ({ ...before, dispatch: dispatch('C1') }), terms });
      expect(await open.filling.fill(await places())).toBe(1);
      expect(await listedNos(open.store, { trackingNumber: 'C1', skuCode: 'SKU-1' })).toEqual(['F1']);
    });

    test('are left alone where they are complete, and forecasts that are gone are passed over', async () => {
      await insert({ no: 'F1', content: JSON.stringify(contentOf('F1')), terms: contentTerms(contentOf('F1')) });
      const [place = ''] = await places();
      const gone = place.includes(' ') ? 'tnt_a F9' : '99';
      expect(await open.filling.fill([place, gone])).toBe(0);
    });

    test('do not keep a decision that was made meanwhile from being written', async () => {
      await insertFormer('F1');
      const [known] = await open.store.read([{ key: 'F1', tenantId: 'tnt_a', forecastNo: 'F1', eventIds: [], withContent: false }]);
      await open.filling.fill(await places());
      const releases = { poNumber: false, claims: false };
      const write = { known: known as NonNullable<typeof known>, updatedAt: 2000, releases, applied: [], messages: [] };
      expect(await open.store.apply([write])).toEqual([{ kind: 'written' }]);
    });

    test('the way goes past each forecast once, with the number of its items', async () => {
      for (const no of ['F1', 'F2', 'F3']) await insertFormer(no);
      const [first, second] = await open.filling.next(null, 2);
      expect([first?.itemCount, second?.itemCount]).toEqual([1, 1]);
      const rest = await open.filling.next(second?.place ?? null, 2);
      expect(new Set([first, second, ...rest].map((one) => one?.place)).size).toBe(3);
      expect(await open.filling.next(rest.at(-1)?.place ?? null, 2)).toEqual([]);
    });

    test('are known to be complete once the work says so', async () => {
      expect(await open.filling.areComplete()).toBe(false);
      const now = Date.now();
      await open.lease.take(now, now + 1000, now + 1000);
      await open.lease.giveBack('1 1 x', now);
      expect(await open.filling.areComplete()).toBe(false);
      await open.lease.take(now + 1, now + 1000, now + 1000);
      await open.lease.giveBack(FILLED, now);
      expect(await open.filling.areComplete()).toBe(true);
    });
  });
}
