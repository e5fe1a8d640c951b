import type { Clock } from '@parcelway/kernel/clock';
import { ManualClock } from '@parcelway/kernel/clock';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { openSqliteStore } from '@parcelway/platform/open-store';
import type { OutboxSource } from '@parcelway/platform/outbox';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { CommittedMessages } from '@parcelway/sqlite/testing/committed-messages';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { storesOf } from '../adapters/intake-stores.ts';
import { intakeCollections } from '../collections.ts';
import { createTenantData } from '../erasure/tenant-data.ts';
import { FILE_SECRET, NOW } from './samples.ts';

/** Stands in for the relay: each call takes out of the outbox what is in it. @returns all that has been taken out since, in the order of leaving */
function collectPublications(outbox: OutboxSource): () => Promise<readonly string[]> {
  const collected: string[] = [];
  return async () => {
    for (let leased = await outbox.lease(1000); leased.length > 0; leased = await outbox.lease(1000)) {
      collected.push(...leased.map(({ value }) => value));
      await outbox.remove(leased.map(({ id }) => id));
    }
    return collected;
  };
}

export type OpenStores = ReturnType<typeof openStores>;

/** The stores of the service over an empty SQLite file in memory. */
export function openStores(clock: Clock = new ManualClock(NOW)) {
  const db = new SqliteDatabase(':memory:');
  const log = new CommittedMessages(db);
  const opened = openSqliteStore(db, intakeCollections, log);
  /** Tenants' forecasts that were retracted. */
  const retracted: string[] = [];
  const retract = async (forecastNos: readonly string[]) => void retracted.push(...forecastNos);
  return {
    ...storesOf(opened, clock, false),
    db,
    retracted,
    data: createTenantData({ ...opened, sealer: createTextSealer([FILE_SECRET]), retract }),
    /** Encoded domain events written so far, in the order of their writes. */
    published: collectPublications(log),
    dump: async () => dumpOf(db),
    close: async () => db.close(),
  };
}
