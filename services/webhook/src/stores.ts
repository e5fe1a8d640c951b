import type { OpenStore } from '@parcelway/platform/open-store';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore, deliveryDays } from '@parcelway/store/shared/usage-days';
import type { Store } from '@parcelway/store/store';
import { createEndpointStore } from './endpoints/endpoint-store.ts';
import { createEventFeed } from './feed/event-feed.ts';
import { deliveries } from './intake/deliveries-collection.ts';
import { events } from './intake/event-collections.ts';
import { EventWriter } from './intake/event-writer.ts';
import { createLoneFeedOrder, createSharedFeedOrder, type FeedOrder } from './intake/feed-order.ts';
import { GrowingPace } from './intake/growing-pace.ts';
import { StoreIntake } from './intake/store-intake.ts';
import { UnstoredDeliveries } from './intake/unstored-deliveries.ts';
import { createDeliveryLog } from './queue/delivery-log.ts';
import { createDeliveryQueue } from './queue/delivery-queue.ts';
import { released } from './queue/result-writer.ts';

/** Leases that end within this time are looked for when a store is opened. */
const MAX_LEASE_MS = 120_000;
const RECLAIM_AT_ONCE = 500;

/** Ends the leases of the process that had the store before. @param now epoch milliseconds */
async function reclaimLeases(store: Store, now: number): Promise<void> {
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

/** Batches of results begin at most this far apart: nobody waits for what they write, but what was sent and not written is sent again after a crash. */
const RECORD_GAP_MS = 120;
/** With four results in a batch it waits as long as it may: from some thirty webhooks a second on. */
const RECORD_GAP_FOR_EACH_MS = 30;

/** The same in a process that has its store to itself, where a batch costs less: an eighth of the processor time at 1,000 events a second. */
const LONE_INTAKE_GAP_MS = 4;
const LONE_INTAKE_GAP_FOR_EACH_MS = 1;

export type WebhookStores = ReturnType<typeof createStores>;

/** @param intakePace puts events together that are stored @param recordPace puts results together that are written down */
function createStores(
  { store, tenantData }: Pick<OpenStore, 'store' | 'tenantData'>,
  order: FeedOrder,
  intakePace: GrowingPace,
  recordPace: GrowingPace,
) {
  const unstored = new UnstoredDeliveries(store);
  return {
    documents: store,
    idempotency: createIdempotencyStore(store),
    endpoints: createEndpointStore(store),
    intake: new StoreIntake(new EventWriter(store, order, unstored), unstored, intakePace),
    queue: createDeliveryQueue(store, unstored, recordPace),
    log: createDeliveryLog(store),
    feed: createEventFeed(store, order),
    tenantData: tenantData(),
    usage: createUsageStore(store),
    /** What became of the attempts at each endpoint. */
    deliveryDays: createUsageStore(store, deliveryDays),
  };
}

/** The stores of a process. @param opened has the collections of ./collections.ts @param now epoch milliseconds */
export async function openStores(opened: Pick<OpenStore, 'store' | 'tenantData' | 'serverTime'>, now: number): Promise<WebhookStores> {
  const { store, serverTime } = opened;
  if (serverTime !== undefined) {
    const recordPace = new GrowingPace(RECORD_GAP_MS, RECORD_GAP_FOR_EACH_MS);
    return createStores(opened, createSharedFeedOrder(serverTime), new GrowingPace(0), recordPace);
  }
  // This process has its store to itself, so leases of a former process are free.
  await reclaimLeases(store, now);
  const newest = await store.find(events.by.age, { eq: [], limit: 1, backwards: true });
  const order = createLoneFeedOrder(newest.items[0]?.value.storedAt ?? 0);
  return createStores(opened, order, new GrowingPace(LONE_INTAKE_GAP_MS, LONE_INTAKE_GAP_FOR_EACH_MS), new GrowingPace(0));
}
