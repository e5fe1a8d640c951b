import { messageOf } from '@parcelway/tools-servers/caught-error';
import { kafkaProperties, kafkaServer } from '@parcelway/tools-servers/kafka';
import { formReplicaSet, mongoServer } from '@parcelway/tools-servers/mongodb';
import { environmentOf, S3_ACCESS_KEY, S3_REGION, S3_SECRET_KEY, type SetConfig } from '@parcelway/tools-servers/places';
import { type Ports, portsOf } from '@parcelway/tools-servers/ports';
import { redisServer } from '@parcelway/tools-servers/redis';
import { s3Server } from '@parcelway/tools-servers/s3';
import { isFree } from '@parcelway/tools-servers/server';
import { restoreProxies, toxiproxyServer } from '@parcelway/tools-servers/toxiproxy';
import { waitUntil } from '@parcelway/tools-servers/wait-until';
import type { ContainerRuntimeClient, StartedTestContainer } from 'testcontainers';

/** Images by the variables that replace them, the same as in docker-compose.yml. */
export const defaultImages = {
  MONGO_IMAGE: 'mongo:7.0.28',
  KAFKA_IMAGE: 'apache/kafka:4.1.1',
  REDIS_IMAGE: 'redis:7.4.7-alpine',
  S3_IMAGE: 'versity/versitygw:v1.7.0',
  TOXIPROXY_IMAGE: 'ghcr.io/shopify/toxiproxy:2.12.0',
};

const imageOf = (variable: keyof typeof defaultImages) => process.env[variable] || defaultImages[variable];

/** An engine on this machine responds at once; one that hangs must not hold up the run. */
const ENGINE_DEADLINE_MS = 2500;
/** From the start of a container, its image being there, until its server responds; on a busy machine. */
const READY_DEADLINE_MS = 120_000;
/** Their data is thrown away: none needs long for its goodbye. */
const STOP_MS = 5000;

/** Port bases that are tried: beside the default of `npm run servers`, below the ports that the kernel gives to clients. */
const BASES = Array.from({ length: 16 }, (_, index) => 29_000 + index * 200);

/**
 * The container engine that testcontainers finds: DOCKER_HOST, a context of the docker client, the usual sockets.
 * @returns undefined when none responds within 2.5 s
 */
export async function containerEngine(): Promise<ContainerRuntimeClient | undefined> {
  const { getContainerRuntimeClient } = await import('testcontainers');
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ENGINE_DEADLINE_MS).unref());
  // It tries one way after the other and rejects when none works, which is a response here and no failure.
  return Promise.race([getContainerRuntimeClient().catch(() => undefined), late]);
}

/** A server on the machine's own network, bound to loopback. */
interface ContainerSpec {
  readonly image: string;
  readonly command?: string[];
  readonly env?: Record<string, string>;
  /** Made in the container, in memory. */
  readonly folders?: readonly string[];
  /** Throws while it does not respond. */
  readonly check: () => Promise<void>;
}

function mongo({ mongo: [node] }: Ports): ContainerSpec {
  const { port } = node;
  const command = ['mongod', '--replSet', 'rs0', '--bind_ip', '127.0.0.1', '--port', String(port), '--wiredTigerCacheSizeGB'];
  command.push('0.25', '--setParameter', 'enableTestCommands=1');
  return { image: imageOf('MONGO_IMAGE'), command, check: mongoServer(node, 1).check };
}

function kafka({ kafka: nodes }: Ports): ContainerSpec {
  const settings = Object.entries(kafkaProperties(nodes, 1, '/var/lib/kafka/data'));
  const env = {
    ...Object.fromEntries(settings.map(([name, value]) => [`KAFKA_${name.toUpperCase().replaceAll('.', '_')}`, String(value)])),
    KAFKA_HEAP_OPTS: '-Xms64m -Xmx384m',
  };
  return { image: imageOf('KAFKA_IMAGE'), env, check: kafkaServer(nodes, 1).check };
}

function redis({ redis: { port } }: Ports): ContainerSpec {
  const command = ['redis-server', '--bind', '127.0.0.1', '--port', String(port), '--save', '', '--maxmemory-policy', 'noeviction'];
  return { image: imageOf('REDIS_IMAGE'), command, check: redisServer({ port }).check };
}

function s3({ s3: { port } }: Ports): ContainerSpec {
  const flags = ['--port', `127.0.0.1:${port}`, '--region', S3_REGION, '--health', '/health', '--keep-alive', '--quiet'];
  // With accounts, be there none, it distinguishes an unknown key from one that may not do this.
  const command = [...flags, '--iam-dir', '/iam', 'posix', '/tmp'];
  const env = { ROOT_ACCESS_KEY: S3_ACCESS_KEY, ROOT_SECRET_KEY: S3_SECRET_KEY };
  return { image: imageOf('S3_IMAGE'), command, env, folders: ['/iam'], check: s3Server({ port }).check };
}

function toxiproxy({ toxiproxy: port }: Ports, set: SetConfig): ContainerSpec {
  const command = ['-host', '127.0.0.1', '-port', String(port)];
  return { image: imageOf('TOXIPROXY_IMAGE'), command, check: toxiproxyServer(set).check };
}

/** A set whose ports are all free. */
async function freeSet() {
  for (const base of BASES) {
    const set = { base, cluster: false };
    const { mongo, kafka, redis, s3, toxiproxy } = portsOf(base, false);
    const ports = [...mongo, ...kafka, redis, s3].flatMap((server) => Object.values(server));
    const free = await Promise.all([...ports, toxiproxy].map(isFree));
    if (free.every(Boolean)) return set;
  }
  throw new Error(`No ports are free for servers in containers: tried 200 from ${BASES[0]} to ${BASES.at(-1)} each`);
}

async function lastLog(container: StartedTestContainer) {
  const lines = [];
  const stream = await container.logs({ tail: 25 });
  for await (const line of stream) lines.push(String(line).trimEnd());
  return lines.map((line) => `    ${line}`).join('\n');
}

/** Starts a server and waits until it responds on loopback of this machine. */
async function start({ image, command, env = {}, folders = [], check }: ContainerSpec, started: StartedTestContainer[]) {
  const { GenericContainer } = await import('testcontainers');
  const inMemory = Object.fromEntries(folders.map((folder) => [folder, 'rw']));
  const wanted = new GenericContainer(image).withNetworkMode('host').withEnvironment(env).withTmpFs(inMemory);
  const container = await (command === undefined ? wanted : wanted.withCommand(command)).start();
  started.push(container);
  try {
    await waitUntil(check, { deadlineMs: READY_DEADLINE_MS });
  } catch (error) {
    const why = `${image} does not respond on 127.0.0.1: ${messageOf(error)}`;
    throw new Error(`${why}\nIt must share this machine's network (docs/containers.md). Its last lines:\n${await lastLog(container)}`);
  }
}

/**
 * Starts MongoDB, Kafka, Redis, an S3 store, and Toxiproxy with a proxy before each of them, as containers on the
 * machine's own network: servers give clients their addresses, and tests make proxies of their own, so that a port means
 * the same inside and outside.
 * @throws Error when an image cannot be had or a server does not respond; what was started is ended then
 */
export async function openContainerServers(
  engine: ContainerRuntimeClient,
): Promise<{ what: string; env: Record<string, string>; close: () => Promise<void> }> {
  const set = await freeSet();
  const ports = portsOf(set.base, set.cluster);
  const containers: StartedTestContainer[] = [];
  const close = async () => {
    await Promise.all(containers.map((container) => container.stop({ timeout: STOP_MS })));
  };
  try {
    // All are given time to fail before any is ended: one that starts later would be left running.
    const outcomes = await Promise.allSettled([mongo, kafka, redis, s3, toxiproxy].map((spec) => start(spec(ports, set), containers)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
    await formReplicaSet([ports.mongo[0].port]);
    await restoreProxies(set);
  } catch (error) {
    await close();
    throw error;
  }
  const { PARCELWAY_SERVERS_PORT_BASE: _base, ...env } = environmentOf(set);
  const { serverVersion, operatingSystem } = engine.info.containerRuntime;
  return { what: `containers (engine ${serverVersion} on ${operatingSystem})`, env, close };
}
