import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createSqliteStore } from '../sqlite/sqlite-store.ts';
import { sqliteSchema } from '../sqlite/sqlite-table.ts';
import { describeIdempotencyStore } from './idempotency-keys.conformance.ts';
import { createIdempotencyStore } from './idempotency-keys.ts';
import { sharedCollections } from './shared-collections.ts';
import { describeUsageStore } from './usage-days.conformance.ts';
import { createUsageStore, usageKind } from './usage-days.ts';
import { describeWorkLease } from './work-leases.conformance.ts';
import { createLoneWorkLease } from './work-leases.ts';

function open() {
  const db = new SqliteDatabase(':memory:');
  db.migrate([sqliteSchema(sharedCollections)]);
  return { store: createSqliteStore({ db }), close: async () => db.close() };
}

describeIdempotencyStore('SQLite', async () => {
  const { store, close } = open();
  return { store: createIdempotencyStore(store), close };
});

describeUsageStore('SQLite', async () => {
  const { store, close } = open();
  return { store: createUsageStore(store), kind: usageKind(store), close };
});

describeWorkLease('SQLite', async () => {
  const { store, close } = open();
  return { open: (name) => createLoneWorkLease(store, name), close };
});
