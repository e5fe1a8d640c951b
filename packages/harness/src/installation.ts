import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fillDisk } from './full-disk.ts';
import { type Target, TcpLink } from './tcp-link.ts';

/** What is stored where: documents and photos, or everything else. On a disk of one's own they break together. */
export type Storage = 'objects' | 'records';

/** What a platform runs on, between its starts. */
export interface Installation {
  /** Program that runs all of it. */
  readonly main: string;
  /** Variables that name its servers. */
  readonly env: Readonly<Record<string, string>>;
  /** Lets nothing be stored any more. @param pid of the platform @returns a function that heals it */
  breakStorage(pid: number, what: Storage): () => void;
  /** Removes what the servers hold of it. */
  remove(): Promise<void>;
}

/** How platforms under test run: `embedded` unless PARCELWAY_MODE says `distributed`. */
export function platformMode(): 'embedded' | 'distributed' {
  const mode = process.env['PARCELWAY_MODE'] ?? 'embedded';
  if (mode !== 'embedded' && mode !== 'distributed') throw new Error('PARCELWAY_MODE must be embedded or distributed');
  return mode;
}

/** A path of this checkout. @param path relative to its root */
export const fromRoot = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const embedded: Installation = {
  main: fromRoot('services/all-in-one/dist/main.js'),
  env: {},
  breakStorage: (pid) => fillDisk(pid),
  remove: async () => undefined,
};

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '')
    throw new Error(`${name} is not set: distributed mode needs real servers (npm run servers -- env)`);
  return value;
}

/** The host behind which a MongoDB connection string begins, and the string with another in its place. */
function mongoTarget(url: string): Target {
  const [, host = '', port = '27017'] = /^mongodb:\/\/(?:[^@/]*@)?([^:,/]+)(?::(\d+))?/.exec(url) ?? [];
  return { host, port: Number(port) };
}

const run = promisify(execFile);

/** The way of an installation to MongoDB and to the object store. */
interface StorageWay {
  readonly env: Readonly<Record<'MONGODB_URL' | 'S3_ENDPOINT', string>>;
  /** @returns a function that heals it */
  cut(what: Storage): () => void;
  close(): Promise<void>;
}

/** Links in between, which can be cut. */
async function openLinks(): Promise<StorageWay> {
  const s3 = new URL(required('S3_ENDPOINT'));
  const [toMongo, toStore] = [mongoTarget(required('MONGODB_URL')), { host: s3.hostname, port: Number(s3.port) }];
  const [mongo, store] = await Promise.all([TcpLink.open(() => toMongo), TcpLink.open(() => toStore)]);
  return {
    env: {
      // The driver would go around the link if it knew the members of the replica set.
      MONGODB_URL: `mongodb://127.0.0.1:${mongo.port}/?directConnection=true`,
      S3_ENDPOINT: `http://127.0.0.1:${store.port}`,
    },
    cut: (what) => (what === 'objects' ? store : mongo).cut(),
    async close() {
      await Promise.all([mongo.close(), store.close()]);
    },
  };
}

/** The servers themselves, as the environment names them: for tests that break the servers. */
function direct(): StorageWay {
  return {
    env: { MONGODB_URL: required('MONGODB_URL'), S3_ENDPOINT: required('S3_ENDPOINT') },
    cut: () => {
      throw new Error('This installation has no links that could be cut');
    },
    close: async () => undefined,
  };
}

/** Opens a new installation on the servers that the environment names. */
async function openDistributed(links: boolean): Promise<Installation> {
  const name = `t-${randomBytes(5).toString('hex')}`;
  const way = links ? await openLinks() : direct();
  const storage = { MONGODB_URL: required('MONGODB_URL'), S3_ENDPOINT: required('S3_ENDPOINT') };
  const servers = {
    KAFKA_BROKERS: required('KAFKA_BROKERS'),
    REDIS_URL: required('REDIS_URL'),
    S3_ACCESS_KEY: required('S3_ACCESS_KEY'),
    S3_SECRET_KEY: required('S3_SECRET_KEY'),
    S3_REGION: required('S3_REGION'),
    RESOURCE_PREFIX: name,
    KAFKA_PREFIX: `${name}.`,
  };
  return {
    main: fromRoot('services/all-in-one/dist/distributed-main.js'),
    env: { ...servers, ...way.env },
    breakStorage: (_pid, what) => way.cut(what),
    async remove() {
      await way.close();
      const env = { ...servers, ...storage, PATH: process.env['PATH'] };
      await run(process.execPath, [fromRoot('tools/servers/dist/remove-installation.js')], { env, timeout: 30_000 });
    },
  };
}

/**
 * An installation for one platform, of the mode under test.
 * @param links distributed: whether links are between the platform and what it stores on, so that its storage can be
 * broken. Without them the platform gets the addresses as the environment has them, with all members of a replica set
 */
export function openInstallation(links: boolean): Promise<Installation> {
  return platformMode() === 'embedded' ? Promise.resolve(embedded) : openDistributed(links);
}
