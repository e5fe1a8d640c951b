import type { Fault, FaultStage, Findings } from './fault.ts';
import { revokedAfter } from './key-revocation.ts';
import { probeThrough } from './probe-through.ts';
import { limited } from './rate-limit.ts';
import { redisCommand } from './redis-command.ts';

const BROKEN_MS = 10_000;

/** Breaks Redis, and sees whether anybody notices. */
async function withoutRedis(stage: FaultStage, breakRedis: () => Promise<() => Promise<void>>): Promise<Findings> {
  const seen: string[] = [];
  const { before, during, codes, violations } = await probeThrough(stage, {
    forMs: BROKEN_MS,
    strike: breakRedis,
    async meanwhile() {
      const limit = await limited(stage);
      const revoked = await revokedAfter(stage);
      seen.push(limit.observed, `a revoked key refused by both gateways after ${(revoked.ms / 1000).toFixed(1)} s`);
      return [...limit.violations, ...revoked.violations];
    },
  });
  const slower = `p99 of submissions from ${before.p99.toFixed(0)} to ${during.p99.toFixed(0)} ms`;
  return {
    observed: `${codes}; ${slower}; ${seen.join('; ')}`,
    violations: [
      ...violations,
      ...(during.refused > 0 ? [`${during.refused} submissions were refused while Redis was away`] : []),
      ...(during.p99 > 1.5 * before.p99 + 300 ? [`the ${slower}`] : []),
    ],
  };
}

const shared = {
  group: 'Redis',
  expected: 'submissions respond with 200 as quickly as before; each gateway limits rates by itself; a revoked key is refused within 5 s',
  servers: 'single',
  env: { REPLICAS: '2' },
} as const;

/** What happens to the shared memory of the gateways. */
export const redisFaults: readonly Fault[] = [
  {
    ...shared,
    name: `stopped for ${BROKEN_MS / 1000} s`,
    strike: (stage) =>
      withoutRedis(stage, async () => {
        await stage.servers.act('stop', 'redis');
        return () => stage.servers.act('start', 'redis');
      }),
  },
  {
    ...shared,
    name: `silent for ${BROKEN_MS / 1000} s (SIGSTOP)`,
    strike: (stage) =>
      withoutRedis(stage, async () => {
        await stage.servers.act('pause', 'redis');
        return () => stage.servers.act('resume', 'redis');
      }),
  },
  {
    ...shared,
    name: `silent for ${BROKEN_MS / 1000} s, and Kafka with it`,
    expected: `${shared.expected}, though the other gateways cannot be notified`,
    strike: (stage) =>
      withoutRedis(stage, async () => {
        await stage.servers.act('pause', 'redis', 'kafka-1');
        return () => stage.servers.act('resume', 'redis', 'kafka-1');
      }),
  },
  {
    ...shared,
    name: `full for ${BROKEN_MS / 1000} s`,
    strike: (stage) =>
      withoutRedis(stage, async () => {
        const url = stage.platform.servers['REDIS_URL'] as string;
        await redisCommand(url, 'CONFIG SET maxmemory 1');
        return async () => {
          await redisCommand(url, 'CONFIG SET maxmemory 0');
        };
      }),
  },
  {
    ...shared,
    name: 'emptied, and emptied again 10 s later',
    strike: (stage) =>
      withoutRedis(stage, async () => {
        const empty = (): Promise<string> => redisCommand(stage.platform.servers['REDIS_URL'] as string, 'FLUSHALL');
        await empty();
        return async () => {
          await empty();
        };
      }),
  },
];
