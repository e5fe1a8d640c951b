import type { ServiceProcess } from '@parcelway/harness/platform';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import { type FailpointName, failpointNames } from '@parcelway/kernel/failpoint';
import { until } from '@parcelway/kernel/testing/until';
import type { Fault, Findings } from './fault.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const group = 'Processes';
const lossless = 'nothing lost, nothing duplicated';
/** A kill point has to be met under load within this time. */
const REACH_MS = 25_000;
/** A stop has to end within this time. */
const STOP_MS = 25_000;
const RECOVER_MS = 40_000;

const restarted = (platform: PlatformProcess): readonly ServiceProcess[] => platform.services().filter(({ starts }) => starts > 1);

/** Waits until every service has a process again. */
async function allRun(platform: PlatformProcess): Promise<void> {
  await until(() => platform.services().every(({ pid }) => pid !== null), { within: RECOVER_MS, what: 'all services to run again' });
}

function kill(platform: PlatformProcess, name: string, signal: NodeJS.Signals): boolean {
  const pid = platform.services().find((service) => service.name === name)?.pid;
  if (pid === null || pid === undefined) return false;
  try {
    return process.kill(pid, signal);
  } catch (error) {
    // It ended by itself between the list and the signal.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/**
 * Points that no parcel of this run passes: none is too large for an event. `npm run test:kills` ends the platform
 * there. None is deleted or erased either; e2e/src/scenarios/retention.test.ts and e2e/src/erasure end it there.
 * Parcels are not imported either: e2e/src/kill/import-kills.test.ts.
 */
const notPassed: readonly FailpointName[] = [
  'intake.before-items',
  'retention.archived',
  'retention.deleted',
  'erasure.after-step',
  'import.file-stored',
  'import.rows-stored',
  'import.before-settle',
];
const passedPoints = failpointNames.filter((point) => !notPassed.includes(point));

/** Every service that passes the point dies there, once. */
const killPoints = passedPoints.map(
  (point): Fault => ({
    name: `SIGKILL at \`${point}\`, in every service that passes it`,
    group,
    expected: lossless,
    servers: 'single',
    env: { FAILPOINT: `${point}@5:kill` },
    async strike({ platform }) {
      const died = (): readonly ServiceProcess[] => restarted(platform).filter(({ last_end }) => last_end === 'SIGKILL');
      await until(() => died().length > 0, { within: REACH_MS, what: `a service to die at ${point}` });
      await pause(3000);
      await allRun(platform);
      return {
        observed: `${died()
          .map(({ name }) => name)
          .join(', ')} died there and came back`,
        violations: [],
      };
    },
  }),
);

/** Ends one service after the other as an orchestrator does; each has to end cleanly. */
const terminations: Fault = {
  name: 'SIGTERM to one service after the other',
  group,
  expected: 'each drains, commits and exits 0 within 25 s',
  servers: 'single',
  async strike({ platform }): Promise<Findings> {
    const violations: string[] = [];
    let slowest = 0;
    for (const { name, starts } of platform.services()) {
      const startedAt = performance.now();
      kill(platform, name, 'SIGTERM');
      const state = (): ServiceProcess | undefined => platform.services().find((service) => service.name === name);
      await until(() => (state()?.starts ?? 0) > starts, { within: STOP_MS, what: `${name} to end` });
      slowest = Math.max(slowest, performance.now() - startedAt);
      if (state()?.last_end !== '0') violations.push(`${name} ended with ${state()?.last_end}`);
      await allRun(platform);
      await pause(1500);
    }
    return { observed: `6 services, the slowest took ${(slowest / 1000).toFixed(1)} s`, violations };
  },
};

/** Ends the whole platform under load and starts it again. */
const wholeStop: Fault = {
  name: 'SIGTERM to all at once',
  group,
  expected: 'exits 0 within 25 s; no request is dropped',
  servers: 'single',
  async strike({ platform, load }): Promise<Findings> {
    const violations: string[] = [];
    load.failures.clear();
    const startedAt = performance.now();
    const code = await platform.stop();
    const tookMs = performance.now() - startedAt;
    if (code !== 0) violations.push(`it ended with ${code}`);
    if (tookMs > STOP_MS) violations.push(`the stop took ${tookMs.toFixed(0)} ms`);
    // A connection that is refused, or a response that says so, was no request yet; anything else was dropped on the way.
    const dropped = [...load.failures].filter(([what]) => !/ECONNREFUSED|: (503|429)$/.test(what));
    for (const [what, count] of dropped) violations.push(`${count} requests dropped: ${what}`);
    await platform.start();
    return { observed: `stopped in ${(tookMs / 1000).toFixed(1)} s with exit code ${code}, started again`, violations };
  },
};

const allServers = ['mongo-1', 'kafka-1', 'redis', 's3'] as const;

/** The worst morning: power comes back, and everything starts at once. */
const everything: Fault = {
  name: 'all servers and all services killed; started again in another order',
  group,
  expected: 'services wait for the servers; no crash loop',
  servers: 'single',
  async strike({ platform, servers }): Promise<Findings> {
    const before = new Map(platform.services().map(({ name, starts }) => [name, starts]));
    await servers.act('kill', ...allServers);
    for (const { name } of platform.services()) kill(platform, name, 'SIGKILL');
    await pause(4000);
    for (const server of ['s3', 'kafka-1', 'redis', 'mongo-1']) await servers.act('start', server);
    const client = platform.client();
    const responses = async (): Promise<boolean> => (await client.call('/readyz').catch(() => undefined))?.status === 200;
    await until(responses, { within: RECOVER_MS, everyMs: 200, what: 'the platform to be ready' });
    const most = Math.max(...platform.services().map(({ name, starts }) => starts - (before.get(name) ?? 0)));
    const violations = most > 3 ? [`a service was started ${most} times`] : [];
    return { observed: `ready again; no service was started more than ${most} times`, violations };
  },
};

/** Kills a service picked at random every two seconds or so. */
export function soak(seconds: number): Fault {
  return {
    name: 'a service picked at random killed again and again',
    group,
    expected: lossless,
    servers: 'single',
    async strike({ platform }): Promise<Findings> {
      const end = performance.now() + seconds * 1000;
      const kills = new Map<string, number>();
      while (performance.now() < end) {
        const services = platform.services();
        const { name } = services[Math.floor(Math.random() * services.length)] as ServiceProcess;
        if (kill(platform, name, 'SIGKILL')) kills.set(name, (kills.get(name) ?? 0) + 1);
        await pause(1000 + Math.random() * 2000);
      }
      await allRun(platform);
      const total = [...kills.values()].reduce((sum, count) => sum + count, 0);
      const each = [...kills].map(([name, count]) => `${name} ${count}`).join(', ');
      return { observed: `${total} kills in ${seconds} s: ${each}`, violations: total < seconds / 6 ? [`only ${total} kills`] : [] };
    },
  };
}

/** What happens to the services themselves. */
export const processFaults: readonly Fault[] = [terminations, wholeStop, everything, ...killPoints];
