import type { Clock } from '@parcelway/kernel/clock';
import { ManualClock } from '@parcelway/kernel/clock';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { CommittedMessages } from '@parcelway/sqlite/testing/committed-messages';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { openSqliteStores } from '../adapters/intake-stores.ts';
import { createTenantData } from '../erasure/tenant-data.ts';
import { collectPublications } from './collect-publications.ts';
import { FILE_SECRET, NOW } from './samples.ts';

/** Stores that a test works with. */
export type OpenStores = ReturnType<typeof openStores>;

/** The stores of the service over an empty SQLite file in memory. */
export function openStores(clock: Clock = new ManualClock(NOW)) {
  const db = new SqliteDatabase(':memory:');
  const log = new CommittedMessages(db);
  const stores = openSqliteStores(db, log, clock);
  const { store } = stores;
  /** Tenants' forecasts that were retracted. */
  const retracted: string[] = [];
  const retract = async (forecastNos: readonly string[]) => void retracted.push(...forecastNos);
  return {
    ...stores,
    db,
    retracted,
    data: createTenantData({ store, sealer: createTextSealer([FILE_SECRET]), retract }),
    /** Encoded domain events written so far, in the order of their writes. */
    published: collectPublications(log),
    dump: async () => dumpOf(db),
    close: async () => db.close(),
  };
}
