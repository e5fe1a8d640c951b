import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import type { Collection } from '@parcelway/store/collection';
import { createMongoStore, type MongoStore } from '@parcelway/store/mongo/mongo-store';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { createWorkLease } from '@parcelway/store/shared/work-leases';
import type { OpenStore } from './open-store.ts';
import type { OutboxSource } from './outbox.ts';
import { tenantKinds } from './policies/tenant-kinds.ts';

/** Opens collections in MongoDB. @param db has been migrated @returns with the outboxes of all but `apart` that have messages */
export function openMongoStore(
  db: MongoDatabase,
  collections: readonly Collection[],
  apart?: Collection,
): OpenStore & { readonly store: MongoStore; readonly outboxes: readonly OutboxSource[] } {
  const store = createMongoStore(db);
  const time = new MongoServerTime(db);
  return {
    store,
    check: () => db.check(),
    lease: (name) => createWorkLease(store, name),
    tenantData: (own) => ({ kinds: tenantKinds(store, collections, own), erased: createErasedTenants(store) }),
    serverTime: () => time.now(),
    leftovers: [],
    outboxes: collections.filter((one) => one.hasMessages && one !== apart).map((one) => store.outbox(one)),
  };
}
