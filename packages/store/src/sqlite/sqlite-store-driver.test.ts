import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { errands, shelves } from '../testing/shelf.ts';
import { describeStore } from '../testing/store.conformance.ts';
import { SqliteStoreDriver } from './sqlite-store-driver.ts';
import { sqliteSchema } from './sqlite-table.ts';

const collections = [shelves, errands];

describeStore('SQLite', async () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate([SqliteOutbox.schema, sqliteSchema(collections)]);
  const outbox = new SqliteOutbox(db);
  const tables = db.all<{ name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`);
  return {
    driver: new SqliteStoreDriver({ db, outbox }),
    messages: () => outbox.lease(100),
    async clear() {
      await db.transaction(() => {
        for (const { name } of tables) db.run(`DELETE FROM "${name}"`);
      });
    },
    async close() {
      db.close();
    },
  };
});
