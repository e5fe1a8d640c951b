import { CheckedStore } from '../checked-store.ts';
import type { Store } from '../store.ts';
import { SqliteStoreDriver, type SqliteStoreOptions } from './sqlite-store-driver.ts';

/** The store over a SQLite file in which `sqliteSchema` of its collections is declared. */
export function createSqliteStore(options: SqliteStoreOptions): Store {
  return new CheckedStore(new SqliteStoreDriver(options));
}
