import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { MongoRestorer } from '@parcelway/mongo/mongo-copy';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { collection } from '@parcelway/store/collection';
import Type from 'typebox';
import { openDistributedPlatform } from './distributed.ts';
import { markDatabases } from './mark-databases.ts';
import { type LongWork, MARKS, type MigrateStep, migrateSteps } from './migrate.ts';
import { mongoCollections } from './open-store.ts';
import { defineService } from './service.ts';

const url = process.env['MONGODB_URL'] ?? '';
const notes = collection('notes', Type.Object({ text: Type.String() }, { additionalProperties: false }), {
  describe: 'Notes of a test',
  key: ['text'],
  lists: { by_text: ['text'] },
  tenant: { none: 'a test' },
  shard: { unsharded: 'a test' },
  ends: 'never',
});
const serviceOf = (name: 'forecast' | 'file') =>
  defineService({
    name,
    calls: [],
    uses: [],
    collections: [notes],
    settings: () => ({}),
    open: () => Promise.reject(new Error('not of this test')),
  });
const services = [serviceOf('forecast'), serviceOf('file')];
const RESTORE = /To recover lost data, put it back, or restore a backup .* parcelctl restore --from <backup>$/;

let prefix: string;
let env: Record<string, string>;
let mongo: MongoDatabase;

beforeEach(async () => {
  prefix = `test-${randomBytes(6).toString('hex')}`;
  env = {
    RESOURCE_PREFIX: prefix,
    MONGODB_URL: url,
    KAFKA_BROKERS: '127.0.0.1:1',
    S3_ENDPOINT: 'http://none',
    S3_ACCESS_KEY: 'a',
    S3_SECRET_KEY: 'b',
    INTERNAL_SECRET: 's'.repeat(32),
    FILE_SECRET: 'f'.repeat(32),
    SERVICE_PORT: '0',
    ADMIN_PORT: '0',
  };
  mongo = new MongoDatabase({ url, name: `${prefix}-forecast`, logger: silentLogger });
  await mongo.connect();
});
afterEach(async () => {
  for (const name of ['forecast', 'file']) await databaseOf(name).dropDatabase();
  await mongo.close();
});

const databaseOf = (service: string) => mongo.connection.getClient().db(`${prefix}-${service}`);

/** The steps of the migration that are MongoDB's. */
async function migrate(changes: Record<string, string> = {}): Promise<void> {
  const isOfMongo = ({ what }: MigrateStep): boolean => what === MARKS || what.startsWith('collections');
  for (const step of migrateSteps({ ...env, ...changes }, services, silentLogger).filter(isOfMongo)) await step.run();
}

/** Starts a service as far as its stores. @returns 'started', or the failure */
async function start(index: 0 | 1, changes: Record<string, string> = {}): Promise<string> {
  const service = services[index] as (typeof services)[number];
  const { platform, close } = await openDistributedPlatform({ ...env, ...changes }, service, silentLogger, { markWaitMs: 0 });
  try {
    await platform.openStore(service.name, []);
    return 'started';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await close();
  }
}

test('neither a service nor the migration accepts a database that was dropped, and both do when it is put back', async () => {
  await migrate();
  await databaseOf('file').collection('notes').insertOne({ text: 'kept' });
  const kept = await Promise.all(['notes', 'installation'].map((name) => databaseOf('file').collection(name).find().toArray()));
  expect([await start(0), await start(1)]).toEqual(['started', 'started']);

  await databaseOf('file').dropDatabase();
  expect(await start(1)).toContain(`The database ${prefix}-file has no data of this installation.`);
  expect(await start(1)).toMatch(RESTORE);
  expect(await start(0)).toBe('started');
  const refused = await migrate().catch((error: Error) => error.message);
  expect(refused).toContain(`The migrate step found no data of this installation in ${prefix}-file.`);
  expect(refused).toMatch(RESTORE);
  expect(await databaseOf('file').collections()).toEqual([]);

  await databaseOf('file')
    .collection('notes')
    .insertMany(kept[0] ?? []);
  await databaseOf('file')
    .collection('installation')
    .insertMany(kept[1] ?? []);
  await migrate();
  expect(await start(1)).toBe('started');
});

test('a database that was emptied, with its collections in place, is lost too', async () => {
  await migrate();
  for (const collection of await databaseOf('forecast').collections()) await collection.deleteMany({});
  expect(await start(0)).toContain(`The database ${prefix}-forecast has no data of this installation.`);
  await expect(migrate()).rejects.toThrow(`in ${prefix}-forecast.`);
});

test('a service waits for its mark while the migration of a new installation has not begun', async () => {
  const service = services[0] as (typeof services)[number];
  const { platform, close } = await openDistributedPlatform(env, service, silentLogger);
  const started = platform.openStore(service.name, []);
  await migrate();
  await expect(started).resolves.toBeDefined();
  await close();
});

test('an interrupted migration marks the remaining databases, and parallel migrations all succeed', async () => {
  await databaseOf('forecast')
    .collection<{ _id: string }>('installation')
    .insertOne({ _id: 'mark', environment: 'sandbox', services: ['forecast'] } as { _id: string });
  await Promise.all([migrate(), migrate(), migrate()]);
  expect([await start(0), await start(1)]).toEqual(['started', 'started']);
});

test('a database of the other environment is refused', async () => {
  await migrate();
  const says = 'belongs to the sandbox environment; ENVIRONMENT is production.';
  // The databases are read side by side: the refusal names whichever responded first.
  await expect(migrate({ ENVIRONMENT: 'production' })).rejects.toThrow(says);
  expect(await start(0, { ENVIRONMENT: 'production' })).toContain(`The database ${prefix}-forecast ${says}`);
});

test('what is restored is marked, also where the migration has left marks, which hold no data', async () => {
  await migrate();
  await databaseOf('file').dropDatabase();
  const restorer = await MongoRestorer.open(url);
  expect(await restorer.filled(`${prefix}-forecast`)).toEqual([]);
  await restorer.close();
  const databases = services.map(({ name }) => ({ service: name, name: `${prefix}-${name}` }));
  await markDatabases({ mongoUrl: url, databases, environment: 'sandbox' }, silentLogger, { isRestored: true });
  await migrate();
  expect(await start(1)).toBe('started');
});

/** Above the time that a command of a service may take, 4 s. */
const BUILD_SECONDS = 5;

test('the build of a missing index has the time of long work, and what is there is no such work', async () => {
  const step = migrateSteps(env, services, silentLogger).find(({ what }) => what === 'collections and indexes of forecast');
  const granted: number[] = [];
  const longWork: LongWork = (ms, work) => {
    granted.push(ms);
    return work();
  };
  const stored = mongo.connection.collection('notes');
  await stored.insertOne({ text: 'before' });
  const admin = mongo.connection.getClient().db('admin');
  const session = await mongo.connection.startSession();
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
  expect(await mongo.missing(await mongoCollections([notes]))).toEqual([]);
  await step?.run(longWork);
  expect(granted).toHaveLength(1);
});
