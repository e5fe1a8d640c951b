import { SqliteDatabase } from '@parcelway/sqlite/database';
import { describeIntakeStore } from './intake-store.conformance.ts';
import { SqliteIntakeStore } from './sqlite-intake-store.ts';

describeIntakeStore('sqlite', async (clock) => {
  const db = new SqliteDatabase(':memory:');
  const store = new SqliteIntakeStore(db, clock);
  return {
    store,
    published: async () => (await store.outbox.lease(10_000)).map((message) => message.value),
    close: async () => db.close(),
  };
});
