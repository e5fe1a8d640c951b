import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { trackingMigrations } from './sqlite-schema.ts';
import { SqliteTrackingStore } from './sqlite-tracking-store.ts';
import { describeTrackingStore } from './tracking-store.conformance.ts';

describeTrackingStore('sqlite', async () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate(trackingMigrations);
  const outbox = new SqliteOutbox(db);
  return {
    store: new SqliteTrackingStore(db, outbox, 'sandbox'),
    published: async () => (await outbox.lease(100_000)).map((message) => message.value),
    close: async () => db.close(),
  };
});
