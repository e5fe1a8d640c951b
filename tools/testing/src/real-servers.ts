import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { localServers, stopLocalServers } from '@parcelway/tools-servers/local-servers';

/** Variables that name the servers; all of them, or none. */
const NAMES = ['MONGODB_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_REGION'];

/** Servers to test on: the variables that name them, and how to end them. */
export interface RealServers {
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => void;
}

/**
 * Servers to test on: those that the environment names, else those of `npm run servers`, which are taken down again unless the set was there before, running
 * or not: it may hold data. Says which it took.
 * @throws Error when none can be had, or the environment names only some of them
 */
export function openRealServers(): RealServers {
  const missing = NAMES.filter((name) => !process.env[name]);
  if (missing.length === 0) {
    console.log('servers: those that the environment names');
    return { env: {}, close: () => undefined };
  }
  if (missing.length < NAMES.length)
    throw new Error(`The environment names some of the servers and not all: ${missing.join(', ')} missing`);
  const main = fileURLToPath(new URL('../../servers/dist/main.js', import.meta.url));
  const wasThere = spawnSync(process.execPath, [main, 'env'], { stdio: 'ignore' }).status === 0;
  const env = localServers();
  console.log('servers: local ones, from package registries (npm run servers)');
  return { env, close: () => void (wasThere || stopLocalServers()) };
}
