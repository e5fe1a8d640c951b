import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { webhookCollections } from '../adapters/mongo-collections.ts';
import { openMongoStores } from '../adapters/mongo-stores.ts';
import type { WebhookStores } from '../ports.ts';

type OfThree<T> = readonly [T, T, T];

/** Three processes on one MongoDB. */
export interface MongoReplicas {
  readonly opened: TestDatabase;
  readonly databases: OfThree<MongoDatabase>;
  readonly replicas: OfThree<WebhookStores>;
}

/** Opens replicas for the tests of a file, on a database that is empty before each of them. @param onOpen called before the first test */
export function useMongoReplicas(onOpen: (opened: MongoReplicas) => void): void {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    const opened = await openTestDatabase(webhookCollections);
    database = opened;
    const databases: OfThree<MongoDatabase> = [opened.database, await opened.second(), await opened.second()];
    const [first, second, third] = databases;
    onOpen({ opened, databases, replicas: [openMongoStores(first), openMongoStores(second), openMongoStores(third)] });
  });
  afterEach(() => database?.clear());
  afterAll(() => database?.close());
}
