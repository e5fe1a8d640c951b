import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { openMongoStore } from '@parcelway/platform/open-mongo-store';
import { mongoCollections } from '@parcelway/platform/open-store';
import { webhookCollections } from '../collections.ts';
import type { WebhookStores } from '../ports.ts';
import { openStores } from '../stores.ts';

type OfThree<T> = readonly [T, T, T];

/** Three processes on one MongoDB. */
export interface MongoReplicas {
  readonly opened: TestDatabase;
  readonly databases: OfThree<MongoDatabase>;
  readonly replicas: OfThree<WebhookStores>;
}

/** The stores of a process on a database. */
export const openMongoStores = (db: MongoDatabase): Promise<WebhookStores> =>
  openStores(openMongoStore(db, webhookCollections), Date.now());

/** Opens replicas for the tests of a file, on a database that is empty before each of them. @param onOpen called before the first test */
export function useMongoReplicas(onOpen: (opened: MongoReplicas) => void): void {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    const opened = await openTestDatabase(await mongoCollections(webhookCollections));
    database = opened;
    const databases: OfThree<MongoDatabase> = [opened.database, await opened.second(), await opened.second()];
    const [first, second, third] = (await Promise.all(databases.map(openMongoStores))) as unknown as OfThree<WebhookStores>;
    onOpen({ opened, databases, replicas: [first, second, third] });
  });
  afterEach(() => database?.clear());
  afterAll(() => database?.close());
}
