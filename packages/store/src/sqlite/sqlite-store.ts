import { CheckedStore } from '../checked-store.ts';
import type { Store } from '../store.ts';
import { SqliteStoreDriver, type SqliteStoreOptions } from './sqlite-store-driver.ts';

/** The store over a SQLite file that was migrated with `sqliteSchema` of its collections. */
export function createSqliteStore(options: SqliteStoreOptions): Store {
  return new CheckedStore(new SqliteStoreDriver(options));
}
