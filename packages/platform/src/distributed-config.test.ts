import { describe, expect, test } from '@jest/globals';
import { ConfigError, type Environ, loadSections } from './config.ts';
import * as read from './distributed-config.ts';

const complete = {
  MONGODB_URL: 'mongodb://user:hunter2@a:27017,b:27017/?replicaSet=rs0',
  KAFKA_BROKERS: 'a:9092, b:9092',
  REDIS_URL: 'redis://:hunter2@a:6379',
  S3_ENDPOINT: 'https://s3.example.com/',
  S3_ACCESS_KEY: 'access',
  S3_SECRET_KEY: 'hunter2-hunter2',
  INTERNAL_SECRET: 'i'.repeat(32),
  FILE_SECRET: 'f'.repeat(32),
  PUBLIC_BASE_URL: 'https://api.example.com',
  GATEWAY_URL: 'http://gateway:8080',
  WAREHOUSE_INTAKE_URL: 'http://warehouse-intake:8080/',
} satisfies Environ;

const load = (env: Environ) =>
  loadSections(env, {
    installation: read.readInstallation,
    mongo: read.readMongo,
    kafka: read.readKafka,
    redis: read.readRedis,
    objectStore: read.readObjectStore,
    secrets: read.readSecrets,
    publicAddress: read.readPublicAddress,
    origins: (given) => read.readOrigins(given, ['gateway', 'warehouse-intake']),
  });

function problemsOf(env: Environ): readonly string[] {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('the configuration of a distributed installation', () => {
  test('is read with its defaults', () => {
    const settings = load(complete);
    expect(settings.installation).toEqual({ environment: 'sandbox', dataDirectory: './.data', resourcePrefix: 'parcelway-sandbox' });
    expect(settings.kafka).toEqual({ brokers: ['a:9092', 'b:9092'], prefix: '', ssl: false, sasl: undefined });
    expect(settings.objectStore).toMatchObject({ url: 'https://s3.example.com', region: 'us-east-1', bucket: undefined });
    expect([...settings.origins]).toEqual([
      ['gateway', 'http://gateway:8080'],
      ['warehouse-intake', 'http://warehouse-intake:8080'],
    ]);
  });

  test('keeps the environments apart by name', () => {
    expect(load({ ...complete, ENVIRONMENT: 'production' }).installation.resourcePrefix).toBe('parcelway-production');
    expect(load({ ...complete, RESOURCE_PREFIX: 'acme-eu' }).installation.resourcePrefix).toBe('acme-eu');
  });

  test.each([
    ['MONGODB_URL', 'must be the connection string of a MongoDB replica set, such as mongodb://host:27017/?replicaSet=rs0'],
    ['KAFKA_BROKERS', 'must list brokers of Kafka as host:port, separated by commas'],
    ['REDIS_URL', 'must be the address of Redis, such as redis://host:6379'],
    ['S3_ENDPOINT', 'must be the address of the object store, such as https://s3.example.com'],
    ['S3_ACCESS_KEY', 'must be the access key of a user of the object store'],
    ['S3_SECRET_KEY', 'must be the secret key of that user of the object store'],
    ['INTERNAL_SECRET', 'signs principals between services and must have at least 32 random characters, the same for every service'],
    ['FILE_SECRET', 'signs file URLs and photo ids and must have at least 32 random characters, the same for every service'],
    ['PUBLIC_BASE_URL', 'must be the https:// address under which merchants reach the gateway'],
    ['GATEWAY_URL', 'must be the address of the service gateway, such as http://gateway:8080'],
    ['WAREHOUSE_INTAKE_URL', 'must be the address of the service warehouse-intake, such as http://warehouse-intake:8080'],
  ] satisfies [keyof typeof complete, string][])('says of %s that it is missing, and what it is for', (name, duty) => {
    expect(problemsOf({ ...complete, [name]: undefined })).toEqual([`${name} is not set: it ${duty}`]);
    expect(problemsOf({ ...complete, [name]: '' })).toEqual([`${name} is not set: it ${duty}`]);
  });

  test('names all that are missing at once', () => {
    const named = problemsOf({}).map((problem) => problem.replace(/ is not set: it .*$/, ''));
    expect(named.sort()).toEqual(Object.keys(complete).sort());
  });

  test.each([
    ['MONGODB_URL', 'hunter2@a:27017'],
    ['KAFKA_BROKERS', 'kafka://hunter2:9092'],
    ['REDIS_URL', 'http://:hunter2@a'],
    ['S3_ENDPOINT', 'hunter2'],
    ['INTERNAL_SECRET', 'hunter2'],
    ['FILE_SECRET', 'hunter2'],
    ['PUBLIC_BASE_URL', 'http://hunter2'],
    ['RESOURCE_PREFIX', 'Hunter2!'],
    ['KAFKA_PREFIX', 'hunter2/'],
    ['GATEWAY_URL', 'https://hunter2'],
    ['GATEWAY_URL', 'http://user:hunter2@gateway:8080'],
    ['GATEWAY_URL', 'http://gateway:8080/hunter2'],
    ['KAFKA_SSL', 'hunter2'],
    ['KAFKA_PASSWORD', 'hunter2'],
  ])('refuses a wrong %s and does not show it', (name, value) => {
    const problems = problemsOf({ ...complete, [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`${name}.* must `));
    expect(problems[0]).not.toMatch(/hunter2/i);
  });

  test('does not ask for more replicas in sync than there are', () => {
    expect(() => read.readTopicSettings({ KAFKA_REPLICATION: '2', KAFKA_MIN_IN_SYNC: '3' })).toThrow('KAFKA_MIN_IN_SYNC');
    expect(read.readTopicSettings({ KAFKA_REPLICATION: '3', KAFKA_MIN_IN_SYNC: '2' })).toEqual({
      replicationFactor: 3,
      minInsyncReplicas: 2,
    });
  });
});

test('a second file secret needs the first one of all, which numbers are computed from', () => {
  const [old, next] = ['f'.repeat(40), 'n'.repeat(40)];
  const secrets = { INTERNAL_SECRET: 'i'.repeat(40), FILE_SECRET: next, FILE_SECRET_PREVIOUS: old };
  expect(() => read.readSecrets(secrets)).toThrow(/NUMBER_SECRET is not set/);
  expect(read.readSecrets({ ...secrets, NUMBER_SECRET: old })).toMatchObject({
    file: { fileSecret: next, fileSecrets: [next, old], numberSecret: old },
  });
});
