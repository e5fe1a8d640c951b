import { environments } from '@parcelway/contracts/environment';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { parseUrl } from '@parcelway/kernel/parse-url';
import {
  ConfigError,
  choice,
  type Environ,
  httpsBaseUrl,
  integer,
  list,
  loadConfig,
  optionalText,
  port,
  type Reader,
  text,
} from './config.ts';
import { fileSecretsOf } from './installation.ts';

/* What the processes of a distributed installation read from their environment, one function per dependency. */

/** A variable that must be set. @param duty says, after "it", what it is for and what it must be */
function required<T>(duty: string, read: (value: string) => T): Reader<T> {
  return (value) => {
    if (value === undefined) throw new Error(`is not set: it ${duty}`);
    return read(value);
  };
}

/**
 * A URL of one of some schemes. No message shows the value: it may hold a password.
 * @param owner whose address it is, named in the error when it is not set
 */
const url = (owner: string, schemes: readonly string[], example: string): Reader<string> =>
  required(`must be the address of ${owner}, such as ${example}`, (value) => {
    const parsed = parseUrl(value);
    if (parsed === undefined || !schemes.includes(parsed.protocol)) throw new Error(`must be an address such as ${example}`);
    return value.replace(/\/+$/, '');
  });

/** The origin of a service: http, a host, perhaps a port, and nothing else. */
const serviceOrigin =
  (service: ServiceName): Reader<string> =>
  (value) => {
    const address = url(`the service ${service}`, ['http:'], `http://${service}:8080`)(value);
    const { pathname, search, hash, username, password } = new URL(address);
    if (pathname !== '/' || `${search}${hash}${username}${password}` !== '')
      throw new Error('must be http://host:port, without path or query');
    return address;
  };

const MONGO_EXAMPLE = 'mongodb://host:27017/?replicaSet=rs0';

/** A MongoDB connection string; several hosts make it no URL in the sense of the standard. */
const mongoUrl = required(`must be the connection string of a MongoDB replica set, such as ${MONGO_EXAMPLE}`, (value) => {
  if (!/^mongodb(\+srv)?:\/\/.+/.test(value)) throw new Error(`must be a connection string such as ${MONGO_EXAMPLE}`);
  return value;
});

const brokers = required('must list brokers of Kafka as host:port, separated by commas', (value) => {
  const found = list(value);
  if (found.length === 0 || !found.every((broker) => /^[^\s:/]+:\d{1,5}$/.test(broker))) {
    throw new Error('must list brokers as host:port, separated by commas');
  }
  return found;
});

const SECRET_RULE = 'must have at least 32 random characters, the same for every service';

function strongSecret(value: string): string {
  if (value.length < 32) throw new Error(SECRET_RULE);
  return value;
}

/** @param use completes "it signs …" */
const secret = (use: string): Reader<string> => required(`signs ${use} and ${SECRET_RULE}`, strongSecret);

/** @param what completes "it must be …" */
const credential = (what: string): Reader<string> => required(`must be ${what}`, (value) => value);

/** A name that MongoDB, S3 and Redis all take as the beginning of one. */
const resourceName: Reader<string | undefined> = (value) => {
  if (value !== undefined && !/^[a-z0-9][a-z0-9-]{1,38}[a-z0-9]$/.test(value)) {
    throw new Error('must have 3 to 40 characters out of a-z, 0-9 and -, and neither begin nor end with -');
  }
  return value;
};

const topicPrefix: Reader<string> = (value) => {
  if (value !== undefined && !/^[A-Za-z0-9._-]{1,60}$/.test(value)) {
    throw new Error('must have 1 to 60 characters out of letters, digits and . _ -');
  }
  return value ?? '';
};

const publicAddress: Reader<string> = (value) => {
  const address = httpsBaseUrl(value);
  if (address === undefined) throw new Error('is not set: it must be the https:// address under which merchants reach the gateway');
  return address;
};

/**
 * What every process shares: ENVIRONMENT, DATA_DIR, and RESOURCE_PREFIX, with which the names of databases, buckets and
 * Redis keys begin (`parcelway-<environment>`), so that environments that share servers never share data.
 */
export function readInstallation(env: Environ) {
  const config = loadConfig(env, {
    ENVIRONMENT: choice(environments, 'sandbox'),
    DATA_DIR: text('./.data'),
    RESOURCE_PREFIX: resourceName,
  });
  const environment = config.ENVIRONMENT;
  return { environment, dataDirectory: config.DATA_DIR, resourcePrefix: config.RESOURCE_PREFIX ?? `parcelway-${environment}` };
}

/** MONGODB_URL */
export function readMongo(env: Environ) {
  return { url: loadConfig(env, { MONGODB_URL: mongoUrl }).MONGODB_URL };
}

/**
 * KAFKA_BROKERS, KAFKA_SSL, KAFKA_USERNAME, KAFKA_PASSWORD, KAFKA_SASL_MECHANISM, and KAFKA_PREFIX, with which the
 * names of topics and consumer groups begin (empty by default).
 */
export function readKafka(env: Environ) {
  const config = loadConfig(env, {
    KAFKA_BROKERS: brokers,
    KAFKA_PREFIX: topicPrefix,
    KAFKA_SSL: choice(['on', 'off'], 'off'),
    KAFKA_SASL_MECHANISM: choice(['plain', 'scram-sha-256', 'scram-sha-512'], 'scram-sha-512'),
    KAFKA_USERNAME: optionalText,
    KAFKA_PASSWORD: optionalText,
  });
  const { KAFKA_USERNAME: username, KAFKA_PASSWORD: password, KAFKA_SASL_MECHANISM: mechanism } = config;
  if ((username === undefined) !== (password === undefined))
    throw new ConfigError(['KAFKA_USERNAME and KAFKA_PASSWORD must be set together']);
  const sasl = username === undefined || password === undefined ? undefined : { mechanism, username, password };
  return { brokers: config.KAFKA_BROKERS, prefix: config.KAFKA_PREFIX, ssl: config.KAFKA_SSL === 'on', sasl };
}

/** KAFKA_REPLICATION and KAFKA_MIN_IN_SYNC, for topics that are made. */
export function readTopicSettings(env: Environ) {
  const config = loadConfig(env, { KAFKA_REPLICATION: integer(1, 1, 9), KAFKA_MIN_IN_SYNC: integer(1, 1, 9) });
  if (config.KAFKA_MIN_IN_SYNC > config.KAFKA_REPLICATION) throw new ConfigError(['KAFKA_MIN_IN_SYNC must not exceed KAFKA_REPLICATION']);
  return { replicationFactor: config.KAFKA_REPLICATION, minInsyncReplicas: config.KAFKA_MIN_IN_SYNC };
}

/** OUTBOX_RELAY: `off` keeps messages in the outboxes while partitions are added. */
export function readOutboxRelay(env: Environ) {
  return { isOn: loadConfig(env, { OUTBOX_RELAY: choice(['on', 'off'], 'on') }).OUTBOX_RELAY === 'on' };
}

/** REDIS_URL */
export function readRedis(env: Environ) {
  return { url: loadConfig(env, { REDIS_URL: url('Redis', ['redis:', 'rediss:'], 'redis://host:6379') }).REDIS_URL };
}

/** S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY, S3_SECRET_KEY, S3_BUCKET */
export function readObjectStore(env: Environ) {
  const config = loadConfig(env, {
    S3_ENDPOINT: url('the object store', ['http:', 'https:'], 'https://s3.example.com'),
    S3_REGION: text('us-east-1'),
    S3_ACCESS_KEY: credential('the access key of a user of the object store'),
    S3_SECRET_KEY: credential('the secret key of that user of the object store'),
    S3_BUCKET: resourceName,
  });
  return {
    url: config.S3_ENDPOINT,
    region: config.S3_REGION,
    accessKey: config.S3_ACCESS_KEY,
    secretKey: config.S3_SECRET_KEY,
    bucket: config.S3_BUCKET,
  };
}

const optionalSecret: Reader<string | undefined> = (value) => (value === undefined ? undefined : strongSecret(value));

/**
 * INTERNAL_SECRET, by which a process signs principals between services, and FILE_SECRET, which signs file URLs; each with a `_PREVIOUS`, which is accepted beside it
 * while one takes the place of the other. NUMBER_SECRET, the first FILE_SECRET: what is computed from it must never change.
 */
export function readSecrets(env: Environ) {
  const config = loadConfig(env, {
    INTERNAL_SECRET: secret('principals between services'),
    INTERNAL_SECRET_PREVIOUS: optionalSecret,
    FILE_SECRET: secret('file URLs and photo ids'),
    FILE_SECRET_PREVIOUS: optionalSecret,
    NUMBER_SECRET: optionalSecret,
  });
  if (config.FILE_SECRET_PREVIOUS !== undefined && config.NUMBER_SECRET === undefined)
    throw new ConfigError(['NUMBER_SECRET is not set: with FILE_SECRET_PREVIOUS it must be the first FILE_SECRET of the installation']);
  const { INTERNAL_SECRET: internal, INTERNAL_SECRET_PREVIOUS: otherInternal } = config;
  return {
    /** Signatures by any of them are accepted, the first one signs. So every process accepts a new one before any signs with it (docs/operate.md). */
    internalSecrets: [internal, ...(otherInternal === undefined ? [] : [otherInternal])] as readonly [string, ...string[]],
    file: fileSecretsOf({
      fileSecret: config.FILE_SECRET,
      previousFileSecret: config.FILE_SECRET_PREVIOUS,
      numberSecret: config.NUMBER_SECRET,
    }),
  };
}

/** PUBLIC_BASE_URL */
export function readPublicAddress(env: Environ): string {
  return loadConfig(env, { PUBLIC_BASE_URL: publicAddress }).PUBLIC_BASE_URL;
}

/** SERVICE_HOST and SERVICE_PORT: where a service listens for the others. */
export function readServiceAddress(env: Environ) {
  const config = loadConfig(env, { SERVICE_HOST: text('0.0.0.0'), SERVICE_PORT: port(8080) });
  return { host: config.SERVICE_HOST, port: config.SERVICE_PORT };
}

/** Name of the variable that says where a service listens, such as `WAREHOUSE_INTAKE_URL`. */
export function originVariable(service: ServiceName): string {
  return `${service.toUpperCase().replaceAll('-', '_')}_URL`;
}

/** The origins of the services that are called, from their {@link originVariable}. */
export function readOrigins(env: Environ, calls: readonly ServiceName[]): ReadonlyMap<ServiceName, string> {
  const config = loadConfig<Record<string, string>>(
    env,
    Object.fromEntries(calls.map((service) => [originVariable(service), serviceOrigin(service)])),
  );
  return new Map(calls.map((service) => [service, config[originVariable(service)] as string]));
}
