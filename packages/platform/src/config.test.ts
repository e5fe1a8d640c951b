import { describe, expect, test } from '@jest/globals';
import {
  ConfigError,
  choice,
  duration,
  type Environ,
  httpsBaseUrl,
  integer,
  list,
  loadConfig,
  loadSections,
  optionalText,
  port,
  text,
} from './config.ts';
import * as read from './distributed-config.ts';
import { readAdminAddress, readTraces } from './telemetry-config.ts';

describe('loadConfig', () => {
  test('fills in what is absent or empty', () => {
    const readers = {
      PORT: port(8443),
      WAIT: duration('5s'),
      MODE: choice(['a', 'b'], 'a'),
      NAME: text('x'),
      ITEMS: list,
      MORE: optionalText,
    };
    const expected = { PORT: 8443, WAIT: 5000, MODE: 'a', NAME: 'x', ITEMS: [], MORE: undefined };
    expect(loadConfig({}, readers)).toEqual(expected);
    expect(loadConfig({ PORT: '', WAIT: '', MODE: '', NAME: '', ITEMS: '', MORE: '' }, readers)).toEqual(expected);
  });

  test('reads what is given', () => {
    const env = { PORT: '0', WAIT: '30m', MODE: 'b', ITEMS: ' a, b ,,c' };
    expect(loadConfig(env, { PORT: port(8443), WAIT: duration('5s'), MODE: choice(['a', 'b'], 'a'), ITEMS: list })).toEqual({
      PORT: 0,
      WAIT: 1_800_000,
      MODE: 'b',
      ITEMS: ['a', 'b', 'c'],
    });
  });

  test('names every wrong variable at once and shows no value', () => {
    const env = { PORT: '70000', WAIT: 'soon', MODE: 'secret-c', COUNT: '1e3' };
    let message = '';
    try {
      loadConfig(env, { PORT: port(1), WAIT: duration('5s'), MODE: choice(['a', 'b'], 'a'), COUNT: integer(1, 0, 9) });
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      message = (error as Error).message;
    }
    expect(message).toContain('PORT must be an integer from 0 to 65535');
    expect(message).toContain('WAIT must be a duration such as 500ms');
    expect(message).toContain('MODE must be one of a, b');
    expect(message).toContain('COUNT must be an integer from 0 to 9');
    expect(message).not.toMatch(/70000|soon|secret-c|1e3/);
  });

  test.each(['https://api.example.com', 'https://api.example.com/', 'https://localhost:8443/parcels/'])('takes the address %s', (value) => {
    expect(loadConfig({ BASE: value }, { BASE: httpsBaseUrl }).BASE).toBe(value.replace(/\/$/, ''));
  });

  test.each(['foo', 'http://api.example.com', 'https://a/?b=c', 'https://user@a', 'https://a/#b'])('refuses the address %s', (value) => {
    expect(() => loadConfig({ BASE: value }, { BASE: httpsBaseUrl })).toThrow('BASE must be an https:// address');
  });
});

describe('where traces go', () => {
  test('is nowhere unless a collector is named', () => {
    expect(readTraces({})).toBeUndefined();
    expect(readTraces({ OTEL_TRACES_SAMPLER_ARG: '0.5' })).toBeUndefined();
  });

  test('is the collector, with its headers decoded', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%3Db, x-team = parcels',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    expect(readTraces(env)).toEqual({
      endpoint: 'https://collector:4318',
      headers: { 'api-key': 'a=b', 'x-team': 'parcels' },
      ratio: 0.25,
    });
  });

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%hunter2'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_TRACES_SAMPLER_ARG', 'hunter2'],
  ])('a wrong %s is named and not shown', (name, value) => {
    const read = () => readTraces({ [name]: value });
    expect(read).toThrow(name);
    expect(read).not.toThrow('hunter2');
  });
});

test('the admin server listens on loopback unless configured otherwise', () => {
  expect(readAdminAddress({})).toEqual({ host: '127.0.0.1', port: 0, allowedHosts: [] });
  expect(readAdminAddress({ ADMIN_HOST: '0.0.0.0', ADMIN_PORT: '8444', ADMIN_ALLOWED_HOSTS: 'a.internal, b' })).toEqual({
    host: '0.0.0.0',
    port: 8444,
    allowedHosts: ['a.internal', 'b'],
  });
  for (const wrong of ['a:8444', 'https://a', '*', 'a b']) {
    expect(() => readAdminAddress({ ADMIN_ALLOWED_HOSTS: wrong })).toThrow('ADMIN_ALLOWED_HOSTS must list host names without port');
  }
});

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
