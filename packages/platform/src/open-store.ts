import type { TenantData, TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { MongoCollection } from '@parcelway/mongo/mongo-collection';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { MessageLog } from '@parcelway/sqlite/message-log';
import type { Collection } from '@parcelway/store/collection';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { createLoneWorkLease } from '@parcelway/store/shared/work-leases';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import type { Store } from '@parcelway/store/store';
import type { OutboxSource, Relay } from './outbox.ts';
import { type OwnKinds, tenantKinds } from './policies/tenant-kinds.ts';

/** The collections of a service, where the platform keeps them. */
export interface OpenStore {
  readonly store: Store;
  /** Resolves when the database responds. @throws AppError 50301 */
  check(): Promise<void>;
  /** Regular work that processes share. The collection `workLeases` is among those of the service. @param name of the work */
  lease(name: string): WorkLease;
  /** What the collections keep of tenants, in their order. */
  tenantData(own?: OwnKinds): TenantData;
  /** Epoch milliseconds by the clock of a database that processes share; absent where one process has it to itself. @throws AppError 50301 */
  serverTime?(): Promise<number>;
  /** What erasures of all services leave in the database: behind all other kinds. */
  readonly leftovers: readonly TenantDataKind[];
}

/** The collections of a service, with what publishes their messages. */
export interface PublishedStore extends OpenStore {
  readonly relay: Relay;
  /** Publishes what `make` makes of the messages that were set apart. Absent where nobody outside the process can read the log. */
  relayApart?(make: (outbox: OutboxSource) => OutboxSource): Relay;
}

/** Where there is nothing to publish, or what is written for the log is in it. */
export const NO_RELAY: Relay = { notify: () => undefined, notifyUnhurried: () => undefined };

/** Pages as they were before an erasure, in the write-ahead log of SQLite. */
function writeAheadLogKind(db: SqliteDatabase): TenantDataKind {
  return {
    name: 'write_ahead_log',
    async erase() {
      await db.emptyLog();
      return 0;
    },
  };
}

/** Opens collections in SQLite. @param log takes the messages of documents */
export function openSqliteStore(db: SqliteDatabase, collections: readonly Collection[], log?: MessageLog): OpenStore {
  db.declare(sqliteSchema(collections));
  const store = createSqliteStore({ db, ...(log && { log }) });
  return {
    store,
    check: async () => void db.get('SELECT 1 AS one'),
    lease: (name) => createLoneWorkLease(store, name),
    tenantData: (own) => ({ kinds: tenantKinds(store, collections, own), erased: createErasedTenants(store) }),
    leftovers: [writeAheadLogKind(db)],
  };
}

/** What MongoDB needs for collections. Loads mongoose. */
export async function mongoCollections(collections: readonly Collection[]): Promise<readonly MongoCollection<unknown>[]> {
  const { mongoCollection } = await import('@parcelway/store/mongo/mongo-store-schema');
  return collections.map(mongoCollection);
}
