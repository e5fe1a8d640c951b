import { SqliteDatabase } from '@parcelway/sqlite/database';
import { CommittedMessages } from '@parcelway/sqlite/testing/committed-messages';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { forecastCollections } from '../collections.ts';
import { createForecastStore } from '../store/forecast-store.ts';

/** The stores of the service in a file of their own, empty at first. */
export function openStores() {
  const db = new SqliteDatabase(':memory:');
  db.migrate([sqliteSchema(forecastCollections)]);
  const log = new CommittedMessages(db);
  const documents = createSqliteStore({ db, log });
  return {
    db,
    documents,
    store: createForecastStore(documents, async () => undefined),
    log,
    /** Values of the messages, in the order of their writes. */
    outbox: async (): Promise<string[]> => (await log.lease(10_000)).map(({ value }) => value),
    close: async () => db.close(),
  };
}
