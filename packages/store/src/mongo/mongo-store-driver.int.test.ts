import { expect, test } from '@jest/globals';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import { openTestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { CheckedStore } from '../checked-store.ts';
import { errands, shelves } from '../testing/shelf.ts';
import { describeStore } from '../testing/store.conformance.ts';
import { MongoStoreDriver } from './mongo-store-driver.ts';
import { mongoCollection } from './mongo-store-schema.ts';

const collections = [shelves, errands].map(mongoCollection);

describeStore('MongoDB', async () => {
  const opened = await openTestDatabase(collections);
  const driver = new MongoStoreDriver(opened.database);
  return {
    driver,
    messages: () => driver.outbox(shelves).lease(100),
    async clear() {
      await driver.outbox(shelves).flush();
      await opened.clear();
    },
    close: () => opened.close(),
  };
});

test('writes together end the transaction of a dead process in their own database only', async () => {
  const [opened, neighbour] = [await openTestDatabase(collections), await openTestDatabase(collections)];
  const unrelated = await neighbour.database.connection.startSession();
  unrelated.startTransaction();
  await neighbour.database.connection.collection('unrelated').insertOne({}, { session: unrelated });
  const store = new CheckedStore(new MongoStoreDriver(opened.database));
  const shelf = { tenantId: 'tenant-a', shelfNo: '1', createdAt: 1 };
  await store.apply([{ in: shelves, insert: shelf }]);
  const other = await opened.second();
  const session = await other.connection.startSession();
  session.startTransaction();
  await other.model(collections[0] as never).updateOne({ _id: 'tenant-a 1' }, { $set: { status: 1 } }, { session });
  const writes = [
    { in: shelves, patch: { value: shelf, version: 1 }, set: { status: 2 } },
    { in: shelves, insert: { ...shelf, shelfNo: '2' } },
  ] as const;
  const made = await untilWritten(async () => {
    const outcomes = await store.apply(writes, { together: true });
    return outcomes.every(({ kind }) => kind === 'undone') ? undefined : outcomes;
  });
  expect(made).toEqual([
    { kind: 'written', version: 2 },
    { kind: 'written', version: 1 },
  ]);
  await expect(session.commitTransaction()).rejects.toThrow();
  await session.endSession();
  await unrelated.commitTransaction();
  await unrelated.endSession();
  await Promise.all([opened.close(), neighbour.close()]);
});
