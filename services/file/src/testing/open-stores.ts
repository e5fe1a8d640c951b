import { openSqliteStore } from '@parcelway/platform/open-store';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { createFileStores } from '../adapters/open-file-stores.ts';
import { fileCollections } from '../collections.ts';

/** What the stores under test show: numbers far from those that they count. */
export const shownNumbers = { file: (number: number) => 1_000_000 + number, photo: (number: number) => 2_000_000 + number };

export function openStores() {
  const db = new SqliteDatabase(':memory:');
  const stores = createFileStores(openSqliteStore(db, fileCollections), shownNumbers);
  return { ...stores, dump: async () => dumpOf(db), close: async () => db.close() };
}
