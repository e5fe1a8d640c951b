import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import { openMongoStores } from '../adapters/mongo-stores.ts';
import { webhookCollections } from '../collections.ts';
import type { WebhookStores } from '../ports.ts';

type OfThree<T> = readonly [T, T, T];

/** Three processes on one MongoDB. */
export interface MongoReplicas {
  readonly opened: TestDatabase;
  readonly databases: OfThree<MongoDatabase>;
  readonly replicas: OfThree<WebhookStores>;
}

const clock = { now: () => Date.now() };
export const collections = webhookCollections.map(mongoCollection);

/** Opens replicas for the tests of a file, on a database that is empty before each of them. @param onOpen called before the first test */
export function useMongoReplicas(onOpen: (opened: MongoReplicas) => void): void {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    const opened = await openTestDatabase(collections);
    database = opened;
    const databases: OfThree<MongoDatabase> = [opened.database, await opened.second(), await opened.second()];
    const [first, second, third] = databases.map((db) => openMongoStores(db, clock)) as unknown as OfThree<WebhookStores>;
    onOpen({ opened, databases, replicas: [first, second, third] });
  });
  afterEach(() => database?.clear());
  afterAll(() => database?.close());
}
