import { SqliteDatabase } from '@parcelway/sqlite/database';
import { CommittedMessages } from '@parcelway/sqlite/testing/committed-messages';
import { errands, shelves } from '../testing/shelf.ts';
import { describeStore } from '../testing/store.conformance.ts';
import { SqliteStoreDriver } from './sqlite-store-driver.ts';
import { sqliteSchema } from './sqlite-table.ts';

const collections = [shelves, errands];

describeStore('SQLite', async () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate([sqliteSchema(collections)]);
  const log = new CommittedMessages(db);
  const tables = db.all<{ name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`);
  return {
    driver: new SqliteStoreDriver({ db, log }),
    messages: () => log.lease(100),
    async clear() {
      await log.remove((await log.lease(1000)).map(({ id }) => id));
      await db.transaction(() => {
        for (const { name } of tables) db.run(`DELETE FROM "${name}"`);
      });
    },
    async close() {
      db.close();
    },
  };
});
