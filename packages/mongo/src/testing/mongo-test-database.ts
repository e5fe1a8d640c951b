import { randomBytes } from 'node:crypto';
import { silentLogger } from '@parcelway/kernel/logger';
import type { MongoCollection } from '../mongo-collection.ts';
import { MongoDatabase } from '../mongo-database.ts';

/**
 * Opens a migrated database under a name that nobody else has, on the server that MONGODB_URL names.
 * @throws Error when MONGODB_URL is not set
 */
export async function openTestDatabase(collections: readonly MongoCollection<unknown>[]) {
  const url = process.env['MONGODB_URL'];
  if (url === undefined) throw new Error('MONGODB_URL is not set: it names the MongoDB server to test on');
  const options = { url, name: `test_${randomBytes(6).toString('hex')}`, logger: silentLogger };
  const databases = [new MongoDatabase(options)];
  const [database] = databases as [MongoDatabase];
  await database.connect();
  await database.migrate(collections);
  return {
    database,
    /** Another process's view: a second client of the same database. Closed with the first. */
    async second() {
      const other = new MongoDatabase(options);
      await other.connect();
      databases.push(other);
      return other;
    },
    /** Empties every collection; indexes stay. Quicker than another database per test. */
    async clear() {
      await Promise.all(collections.map((collection) => database.model(collection).collection.deleteMany({}, { hint: { _id: 1 } })));
    },
    /** Drops the database and ends the connections. */
    async close() {
      try {
        await database.connection.dropDatabase();
      } finally {
        // Also when the server is out: an open connection keeps the test run alive for ever.
        await Promise.all(databases.map((opened) => opened.close()));
      }
    },
  };
}

/** The database of one test. */
export type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>;
