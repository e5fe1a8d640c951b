import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { idempotencyKeys, MongoIdempotencyStore } from '@parcelway/mongo/mongo-idempotency';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { describeIdempotencyStore } from './idempotency.conformance.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase([idempotencyKeys]);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeIdempotencyStore('MongoDB', async () => ({
  store: new MongoIdempotencyStore(opened.database),
  close: () => opened.clear(),
}));

test('no statement goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});

test('every operation names the shard key, but for those over all owners', async () => {
  expect(await broadcastsOf(opened.database, [idempotencyKeys])).toEqual([
    'deleteMany idempotency_keys by _id',
    'find idempotency_keys by created_at',
  ]);
});
