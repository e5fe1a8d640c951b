import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { localServers, stopLocalServers } from './local-servers.mjs';

/** Variables that name the servers; all of them, or none. */
const NAMES = ['MONGODB_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_REGION'];

/** Servers to test on. @typedef {{ what: string, env: Record<string, string>, close: () => Promise<void> }} RealServers */

/** The servers that the environment names. */
function fromEnvironment() {
  const missing = NAMES.filter((name) => !process.env[name]);
  if (missing.length === NAMES.length) return undefined;
  if (missing.length > 0) throw new Error(`The environment names some of the servers and not all: ${missing.join(', ')} missing`);
  return { what: 'those that the environment names', env: {}, close: async () => undefined };
}

/** Servers in containers, when an engine answers. */
async function fromContainers() {
  const { containerEngine, openContainerServers } = await import('./container-servers.mjs');
  const engine = await containerEngine();
  return engine && openContainerServers(engine);
}

/** The servers of `npm run servers`; taken down again unless the set was there before, running or not: it may hold data. */
function fromHere() {
  const main = fileURLToPath(new URL('servers/main.mjs', import.meta.url));
  const wasThere = spawnSync(process.execPath, [main, 'env'], { stdio: 'ignore' }).status === 0;
  const env = localServers();
  return {
    what: 'local ones, from package registries (npm run servers)',
    env,
    close: async () => {
      if (!wasThere) stopLocalServers();
    },
  };
}

const ways = { environment: fromEnvironment, containers: fromContainers, local: fromHere };

/**
 * Servers to test on: those that the environment names, else containers, else local ones; REAL_SERVERS insists on one way.
 * @returns {Promise<RealServers>}
 * @throws Error when none can be had
 */
export async function openRealServers() {
  const asked = process.env.REAL_SERVERS;
  if (asked && !(asked in ways)) throw new Error(`REAL_SERVERS must be one of ${Object.keys(ways).join(', ')}`);
  for (const way of asked ? [asked] : Object.keys(ways)) {
    try {
      const servers = await ways[way]();
      if (servers) return servers;
      console.log(`servers: none from ${way}`);
    } catch (error) {
      // An engine without the images, say: the next way may do, unless this one was insisted on.
      if (asked || way === 'environment') throw error;
      console.log(`servers: none from ${way}: ${error.message}`);
    }
  }
  throw new Error('No real servers can be had. Name them in the environment (see docs/servers.md), or start a container engine.');
}
