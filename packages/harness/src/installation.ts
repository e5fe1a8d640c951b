import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** What a platform runs on, between its starts. */
export interface Installation {
  /** Program that runs all of it. */
  readonly main: string;
  /** Variables that name its servers. */
  readonly env: Readonly<Record<string, string>>;
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
  main: fromRoot('dist/all-in-one.js'),
  env: {},
  remove: async () => undefined,
};

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '')
    throw new Error(`${name} is not set: distributed mode needs real servers (npm run servers -- env)`);
  return value;
}

const run = promisify(execFile);

/** A new installation on the servers that the environment names. */
function distributed(): Installation {
  const name = `t-${randomBytes(5).toString('hex')}`;
  const env = {
    MONGODB_URL: required('MONGODB_URL'),
    KAFKA_BROKERS: required('KAFKA_BROKERS'),
    REDIS_URL: required('REDIS_URL'),
    S3_ENDPOINT: required('S3_ENDPOINT'),
    S3_ACCESS_KEY: required('S3_ACCESS_KEY'),
    S3_SECRET_KEY: required('S3_SECRET_KEY'),
    S3_REGION: required('S3_REGION'),
    RESOURCE_PREFIX: name,
    KAFKA_PREFIX: `${name}.`,
  };
  return {
    main: fromRoot('dist/distributed.js'),
    env,
    async remove() {
      const options = { env: { ...env, PATH: process.env['PATH'] }, timeout: 30_000 };
      await run(process.execPath, [fromRoot('tools/servers/dist/remove-installation.js')], options);
    },
  };
}

/** An installation for one platform, of the mode under test. */
export const newInstallation = (): Installation => (platformMode() === 'embedded' ? embedded : distributed());
