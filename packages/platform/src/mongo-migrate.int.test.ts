import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { collection } from '@parcelway/store/collection';
import Type from 'typebox';
import { type LongWork, migrateSteps } from './migrate.ts';
import { mongoCollections } from './open-store.ts';

/** Above the time that a command of a service may take, 4 s. */
const BUILD_SECONDS = 5;

const url = process.env['MONGODB_URL'] ?? '';
const prefix = `test-${randomBytes(6).toString('hex')}`;
const notes = collection('notes', Type.Object({ text: Type.String() }, { additionalProperties: false }), {
  describe: 'Notes of a test',
  key: ['text'],
  lists: { by_text: ['text'] },
  tenant: { none: 'a test' },
  shard: { unsharded: 'a test' },
  ends: 'never',
});
const service = { name: 'notes', collections: [notes] };
const database = new MongoDatabase({ url, name: `${prefix}-notes`, logger: silentLogger });

beforeAll(() => database.connect());
afterAll(async () => {
  await database.connection.dropDatabase();
  await database.close();
});

test('the build of a missing index has the time of long work, and what is there is no such work', async () => {
  const env = {
    RESOURCE_PREFIX: prefix,
    MONGODB_URL: url,
    KAFKA_BROKERS: 'none:1',
    S3_ENDPOINT: 'http://none',
    S3_ACCESS_KEY: 'a',
    S3_SECRET_KEY: 'b',
  };
  const step = migrateSteps(env, [service], silentLogger).find(({ what }) => what === 'collections and indexes of notes');
  const granted: number[] = [];
  const longWork: LongWork = (ms, work) => {
    granted.push(ms);
    return work();
  };
  const stored = database.connection.collection('notes');
  await stored.insertOne({ text: 'before' });
  const admin = database.connection.getClient().db('admin');
  const session = await database.connection.startSession();
  try {
    session.startTransaction();
    // The build waits until no transaction has written to the collection.
    await stored.insertOne({ text: 'in a transaction' }, { session });
    let isOver = false;
    const migrating = step?.run(longWork).finally(() => {
      isOver = true;
    });
    migrating?.catch(() => undefined);
    const builds = [{ $currentOp: {} }, { $match: { 'command.createIndexes': 'notes', secs_running: { $gte: BUILD_SECONDS } } }];
    while (!isOver && (await admin.aggregate(builds, { readConcern: { level: 'local' } }).toArray()).length === 0);
    await session.commitTransaction();
    await migrating;
  } finally {
    await session.endSession();
  }
  expect(granted).toEqual([86_400_000]);
  expect(await database.missing(await mongoCollections([notes]))).toEqual([]);
  await step?.run(longWork);
  expect(granted).toHaveLength(1);
});
