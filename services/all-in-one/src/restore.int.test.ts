import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createBucket, openMinioBlobs } from '@parcelway/blobs/minio-driver';
import { openKafkaBus } from '@parcelway/bus/kafka-driver';
import { KafkaInspector } from '@parcelway/bus/kafka-inspection';
import { createKafkaTopics } from '@parcelway/bus/kafka-topics';
import { runParcelctl } from '@parcelway/cli/run-parcelctl';
import { serviceNames } from '@parcelway/contracts/service-name';
import { PARTITIONS, topics } from '@parcelway/contracts/topics';
import { silentLogger } from '@parcelway/kernel/logger';
import { serverVariable } from '@parcelway/kernel/testing/server-variable';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { writeHashed } from '@parcelway/platform/backup/hashed-file';
import { fingerprintOf, writeManifest } from '@parcelway/platform/backup/manifest';
import { backServices, gateway } from './services.ts';

jest.setTimeout(60_000);

const names = ['MONGODB_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_REGION'];
const servers = Object.fromEntries(names.map((name) => [name, serverVariable(name)]));
const FILE_SECRET = randomBytes(24).toString('hex');

/** BSON of the document with nothing but this `_id`, of one character. */
const bsonOf = (id: string): Buffer =>
  Buffer.from(`1000000002${Buffer.from('_id').toString('hex')}0002000000${Buffer.from(id).toString('hex')}0000`, 'hex');

/** Makes a backup of one database with two documents, a former mark of another, and one message. */
async function writeBackup(folder: string): Promise<void> {
  const message = { topic: topics.forecast, key: 'k', value: Buffer.from('{}').toString('base64'), headers: {} };
  const files = [];
  for (const [path, bytes] of [
    ['kafka/records.jsonl', Buffer.from(`${JSON.stringify(message)}\n`)],
    ['mongodb/forecast/things.bson', Buffer.concat([bsonOf('a'), bsonOf('b')])],
    ['mongodb/file/installation.bson', bsonOf('x')],
  ] as const)
    files.push({ path, ...(await writeHashed(join(folder, path), Readable.from([bytes]))) });
  const at = '2026-11-22T00:00:00.000Z';
  const of = { mode: 'distributed', environment: 'sandbox', file_secret: fingerprintOf(FILE_SECRET) } as const;
  writeManifest(folder, { format: 1, ...of, began_at: at, ended_at: at, files });
}

describe('parcelctl restore, distributed', () => {
  let folder: string;
  let prefix: string;
  let env: Record<string, string>;
  let databases: MongoDatabase[];

  const bucket = () => ({
    url: serverVariable('S3_ENDPOINT'),
    region: serverVariable('S3_REGION'),
    accessKey: serverVariable('S3_ACCESS_KEY'),
    secretKey: serverVariable('S3_SECRET_KEY'),
    bucket: prefix,
  });
  const kafka = () => ({ brokers: serverVariable('KAFKA_BROKERS').split(','), clientId: 'restore-test', prefix: `${prefix}.` });
  const mongo = async (service: string) => {
    const database = new MongoDatabase({ url: serverVariable('MONGODB_URL'), name: `${prefix}-${service}`, logger: silentLogger });
    databases.push(database);
    await database.connect();
    if (database.connection.db === undefined) throw new Error('MongoDB is not connected');
    return database.connection.db;
  };

  beforeAll(async () => {
    folder = join(mkdtempSync(join(tmpdir(), 'restore-')), 'backup');
    await writeBackup(folder);
  });
  afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }));
  beforeEach(() => {
    prefix = `restore-${randomBytes(4).toString('hex')}`;
    databases = [];
    const names = { RESOURCE_PREFIX: prefix, KAFKA_PREFIX: `${prefix}.` };
    env = { ...servers, ...names, ENVIRONMENT: 'sandbox', INTERNAL_SECRET: randomBytes(24).toString('hex'), FILE_SECRET };
  });
  afterEach(async () => {
    await Promise.all(databases.map((database) => database.close()));
    const script = fileURLToPath(new URL('../../../tools/servers/dist/remove-installation.js', import.meta.url));
    await promisify(execFile)(process.execPath, [script], { env: { ...env, PATH: process.env['PATH'] }, timeout: 60_000 });
  });

  async function restore(): Promise<{ readonly code: number; readonly err: string }> {
    let err = '';
    const stores = async () => [gateway, ...backServices];
    const write = (text: string): void => {
      err += text;
    };
    return { code: await runParcelctl(['restore', '--from', folder], { env, out: () => undefined, err: write, stores }), err };
  }

  /** What the servers have under this installation's names: collections, topics, the bucket. */
  async function target() {
    const names = serviceNames.map(
      async (service) => (await (await mongo(service)).listCollections({}, { nameOnly: true }).toArray()).length,
    );
    const inspector = await KafkaInspector.connect(kafka());
    const made = (await inspector.topics(Object.values(topics))).flatMap(({ topic, partitions }) => (partitions > 0 ? [topic] : []));
    inspector.close();
    const blobs = openMinioBlobs({ ...bucket(), prefix: '' });
    const hasBucket = await blobs.check().then(
      () => true,
      () => false,
    );
    await blobs.close();
    return { collections: await Promise.all(names), topics: made, hasBucket };
  }

  const uses: [string, RegExp, () => Promise<unknown>][] = [
    [
      'a database of another version',
      /database restore-\w+-forecast holds forecasts\./,
      async () => (await mongo('forecast')).collection<{ _id: string }>('forecasts').insertOne({ _id: 'old' }),
    ],
    [
      'an object',
      /bucket restore-\w+ holds photos\/1\./,
      async () => {
        await createBucket(bucket());
        const blobs = openMinioBlobs({ ...bucket(), prefix: 'photos/' });
        await blobs.put('1', Readable.from([Buffer.from('bytes')]), 'image/png');
        await blobs.close();
      },
    ],
    [
      'a used topic',
      /topics have been used: tracking\.events\.v1\./,
      async () => {
        const settings = { replicationFactor: 1, minInsyncReplicas: 1, partitions: PARTITIONS, logger: silentLogger };
        await createKafkaTopics({ connection: kafka(), topics: [topics.tracking], ...settings });
        const log = await openKafkaBus({ connection: kafka(), logger: silentLogger });
        await log.publish([{ topic: topics.tracking, key: 'k', value: 'v' }]);
        await log.close();
      },
    ],
  ];

  test.each(uses)('is refused by %s, and changes nothing', async (_what, says, use) => {
    await use();
    const before = await target();
    const { code, err } = await restore();
    expect([code, err]).toEqual([1, expect.stringMatching(says)]);
    expect(await target()).toEqual(before);
  });
});
