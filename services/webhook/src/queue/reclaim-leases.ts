import type { Store } from '@parcelway/store/store';
import { deliveries } from '../intake/deliveries-collection.ts';
import { released } from './result-writer.ts';

/** Leases that end within this time are looked for when a store is opened. */
const MAX_LEASE_MS = 120_000;
const RECLAIM_AT_ONCE = 500;

/** Ends the leases of the process that had the store before. @param now epoch milliseconds */
export async function reclaimLeases(store: Store, now: number): Promise<void> {
  const groups = { limit: RECLAIM_AT_ONCE } as const;
  for (let page = await store.groups(deliveries.by.due, groups); page.length > 0; ) {
    for (const { group } of page) {
      const range = { eq: [group], from: now, to: now + MAX_LEASE_MS, limit: RECLAIM_AT_ONCE };
      let after: string | null | undefined;
      do {
        const { items, next } = await store.find(deliveries.by.due, { ...range, ...(after && { after }) });
        const leased = items.filter(({ value }) => value.due !== value.nextAttemptAt);
        await store.apply(leased.map((stored) => ({ in: deliveries, patch: stored, set: released(stored.value) })));
        after = next;
      } while (after !== null);
    }
    page = await store.groups(deliveries.by.due, { ...groups, after: page.at(-1)?.group as string });
  }
}
