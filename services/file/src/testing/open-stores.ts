import { SqliteDatabase } from '@parcelway/sqlite/database';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { createLoneWorkLease } from '@parcelway/store/shared/work-leases';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { createFileStores } from '../adapters/open-file-stores.ts';
import { fileCollections } from '../collections.ts';

/** What the stores under test show: numbers far from those that they count. */
export const shownNumbers = { file: (number: number) => 1_000_000 + number, photo: (number: number) => 2_000_000 + number };

/** Empty stores over one database. */
export function openStores() {
  const db = new SqliteDatabase(':memory:');
  db.migrate([sqliteSchema(fileCollections)]);
  const store = createSqliteStore({ db });
  const stores = createFileStores(store, shownNumbers, {
    check: async () => undefined,
    lease: (name) => createLoneWorkLease(store, name),
  });
  return { ...stores, dump: async () => dumpOf(db), close: async () => db.close() };
}
