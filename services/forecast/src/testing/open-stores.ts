import { openSqliteStore } from '@parcelway/platform/open-store';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { CommittedMessages } from '@parcelway/sqlite/testing/committed-messages';
import { forecastCollections } from '../collections.ts';
import { createForecastStore } from '../store/forecast-store.ts';

/** The stores of the service in a file of their own, empty at first. */
export function openStores() {
  const db = new SqliteDatabase(':memory:');
  const log = new CommittedMessages(db);
  const { store: documents, check, tenantData } = openSqliteStore(db, forecastCollections, log);
  return {
    db,
    documents,
    store: createForecastStore(documents, check),
    tenantData,
    log,
    /** Values of the messages, in the order of their writes. */
    outbox: async (): Promise<string[]> => (await log.lease(10_000)).map(({ value }) => value),
    close: async () => db.close(),
  };
}
