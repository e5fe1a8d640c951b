import { ManualClock } from '@parcelway/kernel/clock';
import { openSqliteStore } from '@parcelway/platform/open-store';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { CommittedMessages } from '@parcelway/sqlite/testing/committed-messages';
import { createGatewayStores, gatewayCollections } from '../adapters/gateway-stores.ts';

/** The instant at which a set-up begins, epoch milliseconds. */
export const NOW = 1_000_000;

/** The gateway's stores in a database. */
export const storesIn = (db: SqliteDatabase, log = new CommittedMessages(db)) =>
  createGatewayStores(openSqliteStore(db, gatewayCollections, log));

/** Empty stores, and what use cases work with. */
export function setUpStores() {
  const clock = new ManualClock(NOW);
  const db = new SqliteDatabase(':memory:');
  const outbox = new CommittedMessages(db);
  const stores = { ...storesIn(db, outbox), outbox };
  const { store, keys } = stores;
  return { clock, stores, options: { clock, store, keys, environment: 'sandbox', fileSecrets: ['a secret of the installation'] } as const };
}
