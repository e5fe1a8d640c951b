import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { portsOf } from './ports.ts';

/** First port of a set, unless PARCELWAY_SERVERS_PORT_BASE says otherwise; below the range that the kernel gives to clients. */
const DEFAULT_PORT_BASE = 27_000;

/** What a set consists of. */
export interface SetConfig {
  /** First of its 200 ports. */
  readonly base: number;
  /** Three MongoDB and three Kafka nodes instead of one. */
  readonly cluster: boolean;
  /** Cache of a MongoDB member, GiB; default the least that it takes. */
  readonly mongoCache?: number;
}

/**
 * Where programs and the set are, from the environment. Data is apart for each port base, so that the base alone makes another set.
 * @throws Error when the base is no port with 200 behind it
 */
export function placesOf(env: NodeJS.ProcessEnv): { readonly cache: string; readonly run: string; readonly base: number } {
  const base = Number(env.PARCELWAY_SERVERS_PORT_BASE || DEFAULT_PORT_BASE);
  if (!Number.isInteger(base) || base < 1024 || base > 65_336)
    throw new Error(`PARCELWAY_SERVERS_PORT_BASE must be a whole number from 1024 to 65336, not "${env.PARCELWAY_SERVERS_PORT_BASE}"`);
  const cache = resolve(env.PARCELWAY_SERVERS_CACHE || join(homedir(), '.cache', 'parcelway', 'servers'));
  return { cache, run: resolve(env.PARCELWAY_SERVERS_DIR || join(cache, 'run', String(base))), base };
}

const fileOf = (run: string) => join(run, 'set.json');

/** The set that a folder holds; undefined when there is none. */
export function readSet(run: string): SetConfig | undefined {
  return existsSync(fileOf(run)) ? (JSON.parse(readFileSync(fileOf(run), 'utf8')) as SetConfig) : undefined;
}

/** Makes a folder the home of a set. @throws Error when the folder holds something else: `down` deletes in it */
export function writeSet(run: string, config: SetConfig) {
  mkdirSync(run, { recursive: true });
  if (readSet(run) === undefined && readdirSync(run).length > 0)
    throw new Error(`${run} is not empty and holds no set of servers; name another folder in PARCELWAY_SERVERS_DIR`);
  writeFileSync(fileOf(run), JSON.stringify(config));
}

/** The keys of the S3 server; it listens on loopback only and holds test data. */
export const S3_ACCESS_KEY = 'parcelway';
export const S3_SECRET_KEY = 'parcelway-secret';
export const S3_REGION = 'us-east-1';

const HOST = '127.0.0.1';
const list = (ports: readonly number[]) => ports.map((port) => `${HOST}:${port}`).join(',');

/** The variables by which programs find a set. */
export function environmentOf({ base, cluster }: SetConfig): Record<string, string> {
  const ports = portsOf(base, cluster);
  return {
    MONGODB_URL: `mongodb://${list(ports.mongo.map((node) => node.port))}/?replicaSet=rs0`,
    // A replica set gives its members' own addresses, so a driver that discovers them would leave the proxy behind.
    MONGODB_URL_PROXIED: `mongodb://${HOST}:${ports.mongo[0].proxy}/?directConnection=true`,
    KAFKA_BROKERS: list(ports.kafka.map((node) => node.port)),
    KAFKA_BROKERS_PROXIED: list(ports.kafka.map((node) => node.proxy)),
    REDIS_URL: `redis://${HOST}:${ports.redis.port}`,
    REDIS_URL_PROXIED: `redis://${HOST}:${ports.redis.proxy}`,
    S3_ENDPOINT: `http://${HOST}:${ports.s3.port}`,
    S3_ENDPOINT_PROXIED: `http://${HOST}:${ports.s3.proxy}`,
    S3_ACCESS_KEY,
    S3_SECRET_KEY,
    S3_REGION,
    TOXIPROXY_URL: `http://${HOST}:${ports.toxiproxy}`,
    PARCELWAY_SERVERS_PORT_BASE: String(base),
  };
}
