import { ManualClock } from '@parcelway/kernel/clock';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { CommittedMessages } from '@parcelway/sqlite/testing/committed-messages';
import { createSqliteStores } from '../adapters/sqlite-stores.ts';

/** The instant at which a set-up begins, epoch milliseconds. */
export const NOW = 1_000_000;

/** Empty stores, and what use cases work with. */
export function setUpStores() {
  const clock = new ManualClock(NOW);
  const db = new SqliteDatabase(':memory:');
  const outbox = new CommittedMessages(db);
  const stores = { ...createSqliteStores(db, outbox), outbox };
  return { clock, stores, options: { clock, stores, environment: 'sandbox' } as const };
}
