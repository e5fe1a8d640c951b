import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { messageOf } from '@parcelway/tools-servers/caught-error';
import { localServers, stopLocalServers } from '@parcelway/tools-servers/local-servers';

/** Variables that name the servers; all of them, or none. */
const NAMES = ['MONGODB_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_REGION'];

/** Servers to test on: what they are, the variables that name them, and how to end them. */
export interface RealServers {
  readonly what: string;
  readonly env: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/** The servers that the environment names. */
function fromEnvironment(): RealServers | undefined {
  const missing = NAMES.filter((name) => !process.env[name]);
  if (missing.length === NAMES.length) return undefined;
  if (missing.length > 0) throw new Error(`The environment names some of the servers and not all: ${missing.join(', ')} missing`);
  return { what: 'those that the environment names', env: {}, close: async () => undefined };
}

/** Servers in containers, when an engine responds. */
async function fromContainers(): Promise<RealServers | undefined> {
  const { containerEngine, openContainerServers } = await import('@parcelway/tools-containers/container-servers');
  const engine = await containerEngine();
  return engine && openContainerServers(engine);
}

/** The servers of `npm run servers`; taken down again unless the set was there before, running or not: it may hold data. */
function fromHere(): RealServers {
  const main = fileURLToPath(new URL('../../servers/dist/main.js', import.meta.url));
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

const ways: Readonly<Record<string, () => RealServers | undefined | Promise<RealServers | undefined>>> = {
  environment: fromEnvironment,
  containers: fromContainers,
  local: fromHere,
};

/**
 * Servers to test on: those that the environment names, else containers, else local ones; REAL_SERVERS insists on one way.
 * @throws Error when none can be had
 */
export async function openRealServers(): Promise<RealServers> {
  const asked = process.env.REAL_SERVERS;
  if (asked && !(asked in ways)) throw new Error(`REAL_SERVERS must be one of ${Object.keys(ways).join(', ')}`);
  for (const way of asked ? [asked] : Object.keys(ways)) {
    try {
      const servers = await ways[way]?.();
      if (servers) return servers;
      console.log(`servers: none from ${way}`);
    } catch (error) {
      // An engine without the images, say: the next way may do, unless this one was insisted on.
      if (asked || way === 'environment') throw error;
      console.log(`servers: none from ${way}: ${messageOf(error)}`);
    }
  }
  throw new Error('No real servers can be had. Name them in the environment (see tools/servers/README.md), or start a container engine.');
}
