import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import type { Collection } from '@parcelway/store/collection';
import { createMongoStore, type MongoStore } from '@parcelway/store/mongo/mongo-store';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { createWorkLease } from '@parcelway/store/shared/work-leases';
import { joinOutboxes } from './join-outboxes.ts';
import type { OpenStore } from './open-store.ts';
import type { OutboxSource } from './outbox.ts';
import { tenantKinds } from './policies/tenant-kinds.ts';

/** Opens collections in MongoDB. @param db has been migrated @returns with the messages of all but `apart`, if some have any */
export function openMongoStore(
  db: MongoDatabase,
  collections: readonly Collection[],
  apart?: Collection,
): OpenStore & { readonly store: MongoStore; readonly outbox: OutboxSource | undefined } {
  const store = createMongoStore(db);
  const outboxes = collections
    .filter((one) => one.hasMessages && one !== apart)
    .map((one): [string, OutboxSource] => [one.name, store.outbox(one)]);
  const [first, ...rest] = outboxes;
  const time = new MongoServerTime(db);
  return {
    store,
    check: () => db.check(),
    lease: (name) => createWorkLease(store, name),
    tenantData: (own) => ({ kinds: tenantKinds(store, collections, own), erased: createErasedTenants(store) }),
    serverTime: () => time.now(),
    leftovers: [],
    outbox: rest.length === 0 ? first?.[1] : joinOutboxes(Object.fromEntries(outboxes)),
  };
}
