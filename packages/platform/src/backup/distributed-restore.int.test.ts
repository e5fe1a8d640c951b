import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createBucket } from '@parcelway/blobs/minio-driver';
import { createKafkaTopics } from '@parcelway/bus/kafka-topics';
import { PARTITIONS, topics } from '@parcelway/contracts/topics';
import { silentLogger } from '@parcelway/kernel/logger';
import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { Kafka, logLevel } from 'kafkajs';
import { Client } from 'minio';
import { mongo, Schema } from 'mongoose';
import type { ServiceStore } from '../service-store.ts';
import { restoreDistributed } from './distributed-restore.ts';
import { DOCUMENTS, RECORDS } from './distributed-settings.ts';
import { writeHashed } from './hashed-file.ts';
import { BackupError, fingerprintOf, writeManifest } from './manifest.ts';

jest.setTimeout(60_000);

const given = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: this test needs real servers`);
  return value;
};

const FILE_SECRET = randomBytes(24).toString('hex');
const servers = Object.fromEntries(
  ['MONGODB_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_REGION'].map((name) => [
    name,
    given(name),
  ]),
);
const brokers = given('KAFKA_BROKERS').split(',');
const kafka = new Kafka({ brokers, logLevel: logLevel.NOTHING });
const keys = { accessKey: given('S3_ACCESS_KEY'), secretKey: given('S3_SECRET_KEY') };
const endpoint = new URL(given('S3_ENDPOINT'));
const objects = new Client({
  endPoint: endpoint.hostname,
  port: Number(endpoint.port),
  useSSL: endpoint.protocol === 'https:',
  region: given('S3_REGION'),
  ...keys,
});

/** What this version keeps: it has an index that an older one did not have. */
const schema = new Schema({ _id: { type: String, required: true }, state: Number });
schema.index({ state: 1 }, { name: 'by_state' });
const stores: readonly ServiceStore[] = [{ name: 'forecast', collections: async () => [defineCollection('things', schema)] }];

describe('a distributed restore', () => {
  let folder: string;
  let backup: string;
  let prefix: string;
  let env: Record<string, string>;
  let client: InstanceType<typeof mongo.MongoClient>;
  let said: string[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'restore-'));
    backup = join(folder, 'backup');
    client = await mongo.MongoClient.connect(given('MONGODB_URL'));
    const line = { topic: topics.forecast, key: 'k', value: Buffer.from('{}').toString('base64'), headers: {} };
    const documents = [mongo.BSON.serialize({ _id: 'a', state: 1 }), mongo.BSON.serialize({ _id: 'b', state: 2 })];
    const contents: [string, Buffer][] = [
      [RECORDS, Buffer.from(`${JSON.stringify(line)}\n`)],
      [`${DOCUMENTS}/forecast/things.bson`, Buffer.concat(documents)],
    ];
    const files = await Promise.all(
      contents.map(async ([path, bytes]) => ({
        path,
        ...(await writeHashed(
          join(backup, path),
          (async function* () {
            yield bytes;
          })(),
        )),
      })),
    );
    const at = '2026-11-22T00:00:00.000Z';
    const of = { mode: 'distributed', environment: 'sandbox', file_secret: fingerprintOf(FILE_SECRET) } as const;
    writeManifest(backup, { format: 1, ...of, began_at: at, ended_at: at, files });
  });
  afterAll(async () => {
    await client.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    prefix = `restore-${randomBytes(4).toString('hex')}`;
    env = {
      ...servers,
      ENVIRONMENT: 'sandbox',
      RESOURCE_PREFIX: prefix,
      KAFKA_PREFIX: `${prefix}.`,
      KAFKA_REPLICATION: '1',
      KAFKA_MIN_IN_SYNC: '1',
      INTERNAL_SECRET: randomBytes(24).toString('hex'),
      FILE_SECRET,
    };
    said = [];
  });
  afterEach(async () => {
    const script = fileURLToPath(new URL('../../../../scripts/servers/remove-installation.mjs', import.meta.url));
    await promisify(execFile)(process.execPath, [script], { env: { ...env, PATH: process.env['PATH'] }, timeout: 60_000 });
  });

  const restore = () => restoreDistributed(env, stores, backup, (line) => said.push(line));
  const things = () => client.db(`${prefix}-forecast`).collection<{ _id: string }>('things');

  /** Everything that servers have under this installation's names. */
  async function target() {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    const names = databases.map(({ name }) => name).filter((name) => name.startsWith(prefix));
    const indexes = names.length === 0 ? [] : (await things().indexes()).map(({ name }) => name);
    const admin = kafka.admin();
    await admin.connect();
    const named = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    await admin.disconnect();
    return { databases: names, indexes, topics: named, bucket: await objects.bucketExists(prefix) };
  }

  test('into names that nobody has used makes what lacks', async () => {
    expect(await target()).toEqual({ databases: [], indexes: [], topics: [], bucket: false });
    await restore();
    expect(await things().countDocuments()).toBe(2);
    const made = await target();
    expect(made).toMatchObject({ indexes: ['_id_', 'by_state'], bucket: true });
    expect(made.topics).toHaveLength(2 * Object.keys(topics).length);
    expect(said).toContain('1 messages of the log');
    // What has been restored is in use.
    await expect(restore()).rejects.toThrow(/database restore-.* holds things; topics have been used: forecast\.events\.v1\. Stop/);
  });

  const uses: [string, RegExp, () => Promise<unknown>][] = [
    ['an older database', /database restore-\w+-forecast holds things/, () => things().insertOne({ _id: 'old' })],
    [
      'an object',
      /bucket restore-\w+ holds photos\/1/,
      async () => {
        await createBucket({ url: endpoint.origin, region: given('S3_REGION'), ...keys, bucket: prefix });
        await objects.putObject(prefix, 'photos/1', 'bytes');
      },
    ],
    [
      'a used topic',
      /topics have been used: tracking\.events\.v1/,
      async () => {
        const connection = { brokers, clientId: 'restore-test', prefix: `${prefix}.` };
        const settings = { replicationFactor: 1, minInsyncReplicas: 1, partitions: PARTITIONS, logger: silentLogger };
        await createKafkaTopics({ connection, topics: [topics.tracking], ...settings });
        const producer = kafka.producer({ allowAutoTopicCreation: false });
        await producer.connect();
        await producer.send({ topic: `${prefix}.${topics.tracking}`, messages: [{ key: 'k', value: 'v' }] });
        await producer.disconnect();
      },
    ],
  ];

  test.each(uses)('is refused by %s, and changes nothing', async (_what, says, use) => {
    await use();
    const before = await target();
    const refusal = await restore().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(BackupError);
    expect((refusal as Error).message).toMatch(says);
    expect(await target()).toEqual(before);
    expect(said).toEqual(['2 files are as they were written']);
  });
});
