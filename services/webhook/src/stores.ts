import { tenantKinds } from '@parcelway/platform/policies/tenant-kinds';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore, deliveryDays } from '@parcelway/store/shared/usage-days';
import type { Store } from '@parcelway/store/store';
import { webhookCollections } from './collections.ts';
import { createEndpointStore } from './endpoints/endpoint-store.ts';
import { createEventFeed } from './feed/event-feed.ts';
import { events } from './intake/event-collections.ts';
import { EventWriter } from './intake/event-writer.ts';
import { createLoneFeedOrder, type FeedOrder } from './intake/feed-order.ts';
import type { WritePace } from './intake/ports.ts';
import { StoreIntake } from './intake/store-intake.ts';
import { UnstoredDeliveries } from './intake/unstored-deliveries.ts';
import type { WebhookStores } from './ports.ts';
import { createDeliveryLog } from './queue/delivery-log.ts';
import { createDeliveryQueue } from './queue/delivery-queue.ts';
import { reclaimLeases } from './queue/reclaim-leases.ts';
import { createRedelivery } from './queue/redelivery.ts';
import { createMaintenanceStore } from './retention/maintenance-store.ts';

/** How a process works on its store. */
export interface StoresOptions {
  readonly order: FeedOrder;
  /** Puts events together that are stored. */
  readonly intakePace: WritePace;
  /** Puts results together that are written down. */
  readonly recordPace: WritePace;
}

/** The stores of a process, and what they are over. */
export interface StoresWithDocuments extends WebhookStores {
  readonly documents: Store;
}

/** The stores of a process. @param store with the collections of ./collections.ts */
export function createStores(store: Store, { order, intakePace, recordPace }: StoresOptions): StoresWithDocuments {
  const unstored = new UnstoredDeliveries(store);
  return {
    idempotency: createIdempotencyStore(store),
    endpoints: createEndpointStore(store),
    intake: new StoreIntake(new EventWriter(store, order, unstored), unstored, intakePace),
    queue: createDeliveryQueue(store, unstored, recordPace),
    log: createDeliveryLog(store),
    redelivery: createRedelivery(store),
    feed: createEventFeed(store, order),
    maintenance: createMaintenanceStore(store),
    tenantData: {
      kinds: tenantKinds(store, webhookCollections),
      erased: createErasedTenants(store),
    },
    documents: store,
    usage: createUsageStore(store),
    deliveryDays: createUsageStore(store, deliveryDays),
  };
}

const AT_ONCE: WritePace = { turn: async () => undefined, begun: () => undefined };

/** The stores of a process that has its store to itself: ends what a former one had leased. @param now epoch milliseconds */
export async function openLoneStores(store: Store, now: number): Promise<StoresWithDocuments> {
  await reclaimLeases(store, now);
  const newest = await store.find(events.by.age, { eq: [], limit: 1, backwards: true });
  const order = createLoneFeedOrder(newest.items[0]?.value.storedAt ?? 0);
  return createStores(store, { order, intakePace: AT_ONCE, recordPace: AT_ONCE });
}
