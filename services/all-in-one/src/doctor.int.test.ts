import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createKafkaTopics } from '@parcelway/bus/kafka-topics';
import { createTopics, removeTopics, setTopicSetting } from '@parcelway/bus/testing/kafka-test-cluster';
import { runParcelctl } from '@parcelway/cli/run-parcelctl';
import { topicConsumers } from '@parcelway/contracts/topic-consumers';
import { PARTITIONS, topics } from '@parcelway/contracts/topics';
import { silentLogger } from '@parcelway/kernel/logger';
import { serverVariable } from '@parcelway/kernel/testing/server-variable';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { migrateSteps } from '@parcelway/platform/migrate';
import { backServices, gateway } from './services.ts';

jest.setTimeout(120_000);

/** Part of every secret; must not appear in a report. */
const CANARY = `canary${randomBytes(6).toString('hex')}`;
const secret = (): string => `${CANARY}-${randomBytes(24).toString('base64url')}`;

type Env = Readonly<Record<string, string>>;
interface Line {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly next?: string;
}

describe('parcelctl doctor, distributed', () => {
  const prefix = `doctor-${randomBytes(4).toString('hex')}`;
  let empty: string;
  let env: Env;
  let ready: Server;
  let notReady: Server;
  let dead: string;

  const listen = async (status: number, body: object): Promise<Server> => {
    const server = createServer(
      (_req, res) => void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  };
  const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** What the doctor finds. It shows no secret. */
  const doctor = async (changes: Env = {}): Promise<readonly Line[]> => {
    let text = '';
    const stores = async () => [gateway, ...backServices];
    const write = (part: string): void => {
      text += part;
    };
    const code = await runParcelctl(['doctor', '--json'], { env: { ...env, ...changes }, out: write, err: write, stores });
    const { findings } = JSON.parse(text) as { findings: Line[] };
    expect(code).toBe(findings.some(({ status }) => status === 'wrong') ? 1 : 0);
    expect(text).not.toContain(CANARY);
    return findings;
  };
  const lineOf = (findings: readonly Line[], check: string): Line | undefined => findings.find((line) => line.check === check);
  /** Consumers of services that do not run here. */
  const ofConsumers = (check: string): boolean => check.startsWith('consumer ');

  beforeAll(async () => {
    empty = mkdtempSync(join(tmpdir(), 'doctor-'));
    ready = await listen(200, { code: '0', message: 'success', data: { ready: true } });
    notReady = await listen(503, { code: '50301', message: 'The service is not ready', data: null });
    const closed = await listen(200, {});
    dead = originOf(closed);
    await new Promise((resolve) => closed.close(resolve));
    const names = ['MONGODB_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_REGION'];
    env = {
      ...Object.fromEntries(names.map((name) => [name, serverVariable(name)])),
      DATA_DIR: empty,
      RESOURCE_PREFIX: prefix,
      KAFKA_PREFIX: `${prefix}.`,
      INTERNAL_SECRET: secret(),
      FILE_SECRET: secret(),
      ADMIN_TOKEN: secret(),
      ...Object.fromEntries(
        ['GATEWAY', 'FORECAST', 'FILE', 'WAREHOUSE_INTAKE', 'TRACKING', 'WEBHOOK'].map((name) => [`${name}_URL`, originOf(ready)]),
      ),
    };
    for (const step of migrateSteps(env, [gateway, ...backServices], silentLogger)) await step.run();
  });
  afterAll(async () => {
    ready.close();
    notReady.close();
    rmSync(empty, { recursive: true, force: true });
    const script = fileURLToPath(new URL('../../../tools/servers/dist/remove-installation.js', import.meta.url));
    await promisify(execFile)(process.execPath, [script], { env: { ...env, PATH: process.env['PATH'] }, timeout: 60_000 });
  });

  test('a migrated installation without services lacks nothing but its consumers', async () => {
    const report = await doctor();
    const wrong = report.flatMap(({ check, status }) => (status === 'wrong' ? check : []));
    expect(wrong.filter((check) => !ofConsumers(check))).toEqual([]);
    expect(wrong).toHaveLength(Object.values(topicConsumers).flat().length);
    const sound = ['mongodb write', 'database webhook', 'outbox forecast', 'topics', 'kafka offsets retention', 'redis memory', 'secrets'];
    for (const check of [...sound, 'kafka rebalance delay', 'object store probe'])
      expect(lineOf(report, check) ?? { check }).toMatchObject({ check, status: 'ok' });
  });

  test('wrong credentials and dead ports are reported differently, each with what to do, and no secret is shown', async () => {
    const mongo = serverVariable('MONGODB_URL').replace('mongodb://', `mongodb://user:${CANARY}@`);
    const redis = serverVariable('REDIS_URL').replace('redis://', `redis://user:${CANARY}@`);
    const kafka = { KAFKA_USERNAME: 'user', KAFKA_PASSWORD: `${CANARY}-kafka` };
    const report = await doctor({ MONGODB_URL: mongo, REDIS_URL: redis, S3_SECRET_KEY: secret(), ...kafka });
    expect(lineOf(report, 'mongodb')).toMatchObject({
      status: 'wrong',
      message: expect.stringContaining('refuses the user or the password'),
    });
    expect(lineOf(report, 'redis')).toMatchObject({ status: 'wrong', next: expect.stringMatching(/REDIS_URL.*works without Redis/) });
    expect(lineOf(report, 'object store bucket')).toMatchObject({ status: 'wrong', next: expect.stringContaining('S3_SECRET_KEY') });
    expect(lineOf(report, 'kafka')).toMatchObject({ status: 'wrong' });
  });

  test('with every server away it still ends, in seconds, and says of each what to do', async () => {
    const { host } = new URL(dead);
    const startedAt = performance.now();
    const report = await doctor({
      MONGODB_URL: `mongodb://${host}/?replicaSet=rs0`,
      KAFKA_BROKERS: host,
      REDIS_URL: `redis://${host}`,
      S3_ENDPOINT: dead,
      FORECAST_URL: dead,
      FILE_URL: originOf(notReady),
      PARCEL_ADMIN_URL: dead,
      PARCEL_ADMIN_TOKEN: secret(),
    });
    expect(performance.now() - startedAt).toBeLessThan(40_000);
    for (const check of ['mongodb', 'kafka', 'redis', 'object store', 'service forecast', 'service file', 'admin API']) {
      expect(lineOf(report, check)).toMatchObject({ check, status: 'wrong', next: expect.stringMatching(/\w/) });
    }
    expect(lineOf(report, 'service tracking')).toMatchObject({ status: 'ok' });
    expect(lineOf(report, 'service file')).toMatchObject({ message: expect.stringContaining('The service is not ready') });
  });

  test('a document that does not fit its schema is named, with its field', async () => {
    const database = new MongoDatabase({ url: serverVariable('MONGODB_URL'), name: `${prefix}-tracking`, logger: silentLogger });
    await database.connect();
    const lease = { _v: 1, owner: '', dueAt: 0, place: '' };
    const documents = [
      { ...lease, _id: 'polls', name: 'polls' },
      { ...lease, _id: 'retention', name: 'retention', dueAt: 'soon' },
    ];
    await database.connection.collection<{ _id: string }>('work_leases').insertMany(documents);
    await database.close();
    const report = await doctor();
    expect(lineOf(report, 'documents tracking')).toMatchObject({
      status: 'wrong',
      message: 'work_leases retention: dueAt must be an integer',
    });
    expect(lineOf(report, 'documents forecast')).toMatchObject({ status: 'ok', message: '0 documents checked' });
  });

  test('what the migrate step would make is named', async () => {
    const database = new MongoDatabase({ url: serverVariable('MONGODB_URL'), name: `${prefix}-webhook`, logger: silentLogger });
    await database.connect();
    await database.connection.collection('deliveries').dropIndexes();
    await database.close();
    const fewer = { brokers: [serverVariable('KAFKA_BROKERS')], clientId: 'test', prefix: `${prefix}.fewer.` };
    const others = Object.values(topics).filter((topic) => topic !== topics.tracking);
    const settings = { partitions: PARTITIONS, replicationFactor: 1, minInsyncReplicas: 1, logger: silentLogger };
    await createKafkaTopics({ connection: fewer, topics: others, ...settings });
    const report = await doctor({ S3_BUCKET: `${prefix}-none`, KAFKA_PREFIX: fewer.prefix, KAFKA_REPLICATION: '2' });
    expect(lineOf(report, 'database webhook')).toMatchObject({ status: 'wrong', message: expect.stringMatching(/lacks deliveries\.\w+/) });
    expect(lineOf(report, 'topics')).toMatchObject({
      status: 'wrong',
      message: `2 topics missing: ${fewer.prefix}${topics.tracking}, ${fewer.prefix}${topics.tracking}.dlq`,
      next: expect.stringContaining('migrate'),
    });
    expect(lineOf(report, 'object store bucket')).toMatchObject({ status: 'wrong', next: expect.stringContaining('migrate') });
    expect(lineOf(report, `topic ${topics.forecast}`)).toMatchObject({ status: 'warning', message: '1 copy, KAFKA_REPLICATION says 2' });
  });

  test('a topic that forgets what it is to keep is named', async () => {
    const other = { brokers: [serverVariable('KAFKA_BROKERS')], clientId: 'test', prefix: `${prefix}.other.` };
    await createTopics(other, Object.values(topics));
    const policyOf = async () => lineOf(await doctor({ KAFKA_PREFIX: other.prefix }), `topic ${topics.warehouseExpected}`);
    expect(await policyOf()).toBeUndefined();
    await setTopicSetting(other, topics.warehouseExpected, 'cleanup.policy', 'delete');
    expect(await policyOf()).toMatchObject({ status: 'warning', message: 'cleanup.policy is delete instead of compact,delete' });
    await removeTopics(other);
  });
});
