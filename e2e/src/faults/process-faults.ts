import { setTimeout as pause } from 'node:timers/promises';
import type { PlatformProcess, ServiceProcess } from '@parcelway/harness/platform-process';
import { failpointNames } from '@parcelway/kernel/failpoint';
import { until } from '@parcelway/kernel/testing/until';
import { type Fault, type FaultStage, type Findings, LOSSLESS } from './fault.ts';
import { loadPoints } from './kill-points.ts';

/* What happens to the services themselves. */

/** Kill points must be reached under load within this time. */
const REACH_MS = 40_000;
/** A stop has to end within this time. */
const STOP_MS = 25_000;
const RECOVER_MS = 40_000;
/** Longer than a member of a group may be silent without losing its partitions. */
const FROZEN_MS = 14_000;

/** Waits until every service has a process again. */
async function allRun(platform: PlatformProcess): Promise<void> {
  await until(() => platform.services().every(({ pid }) => pid !== null), { within: RECOVER_MS, what: 'all services to run again' });
}

/** Sends a signal to a service. @returns false when it has no process */
function signal(platform: PlatformProcess, name: string, what: NodeJS.Signals): boolean {
  const pid = platform.services().find((service) => service.name === name)?.pid ?? null;
  try {
    return pid !== null && process.kill(pid, what);
  } catch (error) {
    // It ended by itself between the list and the signal.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Prefix of kill points → the service that alone passes them. */
const OWNERS: Readonly<Record<string, string>> = {
  forecast: 'forecast',
  intake: 'warehouse-intake',
  ...{ file: 'file', photo: 'file', documents: 'file' },
  webhook: 'webhook',
};
const ownerOf = (point: string): string | undefined => OWNERS[point.split('.')[0] as string];

/** Every service that passes one of the points dies there, once: at least the owner of each, or any where all pass it. */
async function diedAt({ platform }: FaultStage, points: readonly string[]): Promise<Findings> {
  const died = (): readonly ServiceProcess[] => platform.services().filter(({ starts, last_end }) => starts > 1 && last_end === 'SIGKILL');
  const isReached = (point: string): boolean => died().some(({ name }) => name.startsWith(`${ownerOf(point) ?? ''}`));
  await until(() => points.every(isReached), { within: REACH_MS, what: `services to die at ${points.join(', ')}` });
  await pause(3000);
  await allRun(platform);
  const names = died().map(({ name }) => name);
  return { observed: `${names.join(', ')} died there and came back`, violations: [] };
}

/** Ends one service after the other as an orchestrator does; each has to end cleanly. */
async function terminated({ platform }: FaultStage): Promise<Findings> {
  const violations: string[] = [];
  let slowest = 0;
  const services = platform.services();
  for (const { name, starts } of services) {
    const startedAt = performance.now();
    signal(platform, name, 'SIGTERM');
    const state = (): ServiceProcess | undefined => platform.services().find((service) => service.name === name);
    await until(() => (state()?.starts ?? 0) > starts, { within: STOP_MS, what: `${name} to end` });
    slowest = Math.max(slowest, performance.now() - startedAt);
    if (state()?.last_end !== '0') violations.push(`${name} ended with ${state()?.last_end}`);
    await allRun(platform);
    await pause(1500);
  }
  return { observed: `${services.length} services, the slowest took ${(slowest / 1000).toFixed(1)} s`, violations };
}

/** Ends the whole platform under load and starts it again. */
async function stoppedWhole({ platform, load }: FaultStage): Promise<Findings> {
  load.failures.clear();
  const startedAt = performance.now();
  const code = await platform.stop();
  const tookMs = performance.now() - startedAt;
  // A refused connection, a 503 and a 429 never became requests; any other failure is a dropped request.
  const dropped = [...load.failures].filter(([what]) => !/ECONNREFUSED|: (503|429)$/.test(what));
  await platform.start();
  return {
    observed: `stopped in ${(tookMs / 1000).toFixed(1)} s with exit code ${code}, started again`,
    violations: [
      ...(code === 0 ? [] : [`it ended with ${code}`]),
      ...(tookMs > STOP_MS ? [`the stop took ${tookMs.toFixed(0)} ms`] : []),
      ...dropped.map(([what, count]) => `${count} requests dropped: ${what}`),
    ],
  };
}

/** A power failure: everything ends at once and starts at once. */
async function everythingKilled({ platform, servers }: FaultStage): Promise<Findings> {
  const before = new Map(platform.services().map(({ name, starts }) => [name, starts]));
  await servers.act('kill', 'mongo-1', 'kafka-1', 'redis', 's3');
  for (const { name } of platform.services()) signal(platform, name, 'SIGKILL');
  await pause(4000);
  for (const server of ['s3', 'kafka-1', 'redis', 'mongo-1']) await servers.act('start', server);
  const client = platform.client();
  const isReady = async (): Promise<boolean> => (await client.call('/readyz').catch(() => undefined))?.status === 200;
  await until(isReady, { within: RECOVER_MS, everyMs: 200, what: 'the platform to be ready' });
  const most = Math.max(...platform.services().map(({ name, starts }) => starts - (before.get(name) ?? 0)));
  return {
    observed: `ready again; no service was started more than ${most} times`,
    violations: most > 3 ? [`a service was started ${most} times`] : [],
  };
}

/** Services that read the log, and whose second process is frozen. */
const READERS = ['forecast', 'tracking', 'warehouse-intake', 'webhook'];

/** Freezes the second process of each reader; the first ones serve merchants. */
async function frozen({ platform, receivers: [receiver] }: FaultStage): Promise<Findings> {
  const readers = platform.services().filter(({ name }) => READERS.some((reader) => name === `${reader}-2`));
  const missed = readers.filter(({ name }) => !signal(platform, name, 'SIGSTOP')).map(({ name }) => name);
  await pause(FROZEN_MS);
  for (const { name } of readers) signal(platform, name, 'SIGCONT');
  const from = Date.now();
  await pause(3000);
  const received = receiver.received.filter(({ receivedAt }) => receivedAt >= from).length;
  const restarted = platform
    .services()
    .filter(({ name, starts }) => readers.some((reader) => reader.name === name && starts > reader.starts));
  return {
    observed: `${readers.length} processes frozen and thawed; ${received} webhooks in the 3 s after that`,
    violations: [
      ...missed.map((name) => `${name} had no process to freeze`),
      ...(readers.length < READERS.length ? [`only ${readers.length} services have a second process`] : []),
      ...(received === 0 ? ['no webhook arrived after the processes resumed'] : []),
      ...restarted.map(({ name, last_end }) => `${name} ended with ${last_end}`),
    ],
  };
}

/** Kills a service picked at random every two seconds or so. */
async function soaked({ platform }: FaultStage, seconds: number): Promise<Findings> {
  const end = performance.now() + seconds * 1000;
  const kills = new Map<string, number>();
  while (performance.now() < end) {
    const services = platform.services();
    const { name } = services[Math.floor(Math.random() * services.length)] as ServiceProcess;
    if (signal(platform, name, 'SIGKILL')) kills.set(name, (kills.get(name) ?? 0) + 1);
    await pause(1000 + Math.random() * 2000);
  }
  await allRun(platform);
  const total = [...kills.values()].reduce((sum, count) => sum + count, 0);
  const each = [...kills].map(([name, count]) => `${name} ${count}`).join(', ');
  return { observed: `${total} kills in ${seconds} s: ${each}`, violations: total < seconds / 6 ? [`only ${total} kills`] : [] };
}

const shared = { group: 'Processes', expected: LOSSLESS, servers: 'single' } as const;
/** Points that no service passes here: only the embedded log appends by itself, and no parcel of these rows is too large for an event. */
const NEVER_PASSED = ['log.appended', 'intake.before-items'];
/** Points that services pass under load. */
const passedPoints = failpointNames.filter(
  (point) => (loadPoints.includes(point) || point.startsWith('outbox.')) && !NEVER_PASSED.includes(point),
);

/** Points to try together. Each service has at most one of them, so the service that dies shows which point it reached. */
function rounds(): readonly (readonly string[])[] {
  const ofEach = [...new Set(Object.values(OWNERS))].map((owner) => passedPoints.filter((point) => ownerOf(point) === owner));
  const longest = Math.max(...ofEach.map(({ length }) => length));
  const together = Array.from({ length: longest }, (_, index) => ofEach.flatMap((points) => points.slice(index, index + 1)));
  return [...together, ...passedPoints.filter((point) => ownerOf(point) === undefined).map((point) => [point])];
}

/** @param soakSeconds how long services are killed at random */
export const processFaults = (soakSeconds: number): readonly Fault[] => [
  {
    ...shared,
    group: 'Consumers',
    name: `one of two processes of each service frozen for ${FROZEN_MS / 1000} s, beyond its session`,
    expected: 'the other process takes over; every effect happens once',
    env: { REPLICAS: '2' },
    strike: frozen,
  },
  {
    ...shared,
    name: 'SIGTERM to one service after the other',
    expected: 'each drains, commits and exits 0 within 25 s',
    strike: terminated,
  },
  { ...shared, name: 'SIGTERM to all at once', expected: 'exits 0 within 25 s; no request is dropped', strike: stoppedWhole },
  {
    ...shared,
    name: 'all servers and all services killed; started again in another order',
    expected: 'services wait for the servers; no crash loop',
    strike: everythingKilled,
  },
  ...rounds().map(
    (points): Fault => ({
      ...shared,
      name: `SIGKILL at ${points.map((point) => `\`${point}\``).join(', ')}, in every service that passes it`,
      env: { FAILPOINT: points.map((point) => `${point}@5:kill`).join(',') },
      strike: (stage) => diedAt(stage, points),
    }),
  ),
  { ...shared, name: 'a service picked at random killed again and again', strike: (stage) => soaked(stage, soakSeconds) },
];
