import { setTimeout as pause } from 'node:timers/promises';
import { topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import { withOutsider } from './consumer-faults.ts';
import type { Fault, FaultStage, Findings } from './fault.ts';
import { PROXIED } from './fault-servers.ts';
import type { SubmissionSummary } from './latency.ts';
import { probeThrough } from './probe-through.ts';

const DOWN_MS = 12_000;
/** At the pace of the probe these are {@link ENOUGH_FOR_P99} submissions to compare with. */
const BEFORE_MS = 13_000;
/** How much slower a submission may be while the log is away, at its 99th percentile. */
const MAX_SLOWDOWN = 1.5;
/** A group whose coordinator was lost reads again so soon after it has another one. */
const BACK_WITHIN_MS = 3000;
/** A consumer that has failed several times starts again at the latest after this. */
const LONGEST_PAUSE_MS = 5000;
/** Of fewer submissions the 99th percentile is but the slowest, and says nothing. */
const ENOUGH_FOR_P99 = 90;

const described = ({ count, p50, p99 }: SubmissionSummary): string =>
  `${count} submissions, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;

/**
 * Breaks the log, and compares submissions during it with those before: publishing is not on their way. Those of the load would not show it: its
 * parcels go on only when the warehouse knows their forecasts, and it learns of them from the log.
 */
async function withoutLog(stage: FaultStage, strike: () => Promise<() => Promise<void>>, forMs = DOWN_MS): Promise<Findings> {
  const { before, during, violations: found } = await probeThrough(stage, { forMs, beforeMs: BEFORE_MS, strike });
  const violations = [...found];
  if (during.refused > 0) violations.push(`${during.refused} submissions were refused while the log was away`);
  const enough = Math.min(before.count, during.count) >= ENOUGH_FOR_P99;
  if (enough && during.p99 > MAX_SLOWDOWN * before.p99)
    violations.push(`p99 of submissions rose from ${before.p99.toFixed(0)} to ${during.p99.toFixed(0)} ms`);
  return { observed: `before: ${described(before)}; during: ${described(during)}, ${during.refused} refused`, violations };
}

/** Waits for the first webhook from now on. @returns after how many milliseconds it came, and what is wrong with that */
async function firstWebhook(
  { receivers: [receiver] }: FaultStage,
  maxMs: number,
): Promise<{ readonly ms: number; readonly violations: string[] }> {
  const from = Date.now();
  const first = await until(() => receiver.received.find(({ receivedAt }) => receivedAt >= from), { within: 30_000, what: 'a webhook' });
  const ms = first.receivedAt - from;
  return { ms, violations: ms > maxMs ? [`the first webhook came after ${ms} ms`] : [] };
}

async function coordinatorKilled(stage: FaultStage): Promise<Findings> {
  return withOutsider(stage, async (outsider) => {
    const coordinator = (): Promise<number> => outsider.coordinatorOf('webhook', topics.forecast);
    const lost = await coordinator();
    await stage.servers.act('kill', `kafka-${lost}`);
    try {
      await until(async () => (await coordinator().catch(() => lost)) !== lost, { within: 30_000, what: 'another coordinator' });
      const { ms, violations } = await firstWebhook(stage, BACK_WITHIN_MS);
      return { observed: `kafka-${lost} killed; the first webhook ${ms} ms after another broker coordinated the group`, violations };
    } finally {
      await stage.servers.act('start', `kafka-${lost}`);
    }
  });
}

/** All consumers of a single process fail, and their group has no other member. */
async function consumersFailed(stage: FaultStage): Promise<Findings> {
  const heal = await stage.servers.disturb('kafka', { type: 'timeout', attributes: { timeout: 0 } });
  await pause(DOWN_MS).finally(heal);
  const { ms, violations } = await firstWebhook(stage, BACK_WITHIN_MS + LONGEST_PAUSE_MS);
  return { observed: `no response for ${DOWN_MS / 1000} s; the first webhook ${ms} ms after that`, violations };
}

const group = 'Kafka';
const expected = 'submissions keep their latency and return 200; everything is published after recovery';

/** What happens to the log. */
export const kafkaFaults: readonly Fault[] = [
  {
    name: `stopped for ${DOWN_MS / 1000} s`,
    group,
    expected,
    servers: 'single',
    strike: (stage) =>
      withoutLog(stage, async () => {
        await stage.servers.act('stop', 'kafka-1');
        return () => stage.servers.act('start', 'kafka-1');
      }),
  },
  {
    name: 'killed and started again',
    group,
    expected,
    servers: 'single',
    async strike({ servers }) {
      await servers.act('kill', 'kafka-1');
      await servers.act('start', 'kafka-1');
      return { observed: 'SIGKILL and start', violations: [] };
    },
  },
  {
    name: `silent for ${DOWN_MS / 1000} s (SIGSTOP)`,
    group,
    expected,
    servers: 'single',
    strike: (stage) =>
      withoutLog(stage, async () => {
        await stage.servers.act('pause', 'kafka-1');
        return () => stage.servers.act('resume', 'kafka-1');
      }),
  },
  {
    name: 'responses delayed by 300 ms',
    group,
    expected,
    servers: 'single',
    proxied: PROXIED,
    strike: (stage) => withoutLog(stage, () => stage.servers.disturb('kafka', { type: 'latency', attributes: { latency: 300 } })),
  },
  {
    name: 'acknowledgements lost for 6 s',
    group,
    expected: 'what was written without an acknowledgement is published again; every effect happens once',
    servers: 'single',
    proxied: PROXIED,
    strike: (stage) => withoutLog(stage, () => stage.servers.disturb('kafka', { type: 'timeout', attributes: { timeout: 0 } }), 6000),
  },
  {
    name: 'a broker of three killed for 12 s',
    group,
    expected: 'leaders move; nothing is lost',
    servers: 'cluster',
    env: { KAFKA_REPLICATION: '3', KAFKA_MIN_IN_SYNC: '2' },
    strike: (stage) =>
      withoutLog(stage, async () => {
        await stage.servers.act('kill', 'kafka-2');
        return () => stage.servers.act('start', 'kafka-2');
      }),
  },
  {
    name: 'the broker of three killed that coordinates the group of webhooks',
    group,
    expected: `webhooks go on within ${BACK_WITHIN_MS / 1000} s of another broker coordinating the group; nothing is lost`,
    servers: 'cluster',
    env: { KAFKA_REPLICATION: '3', KAFKA_MIN_IN_SYNC: '2' },
    strike: coordinatorKilled,
  },
  {
    name: `silent for ${DOWN_MS / 1000} s, with its own times for groups`,
    group,
    expected: `consumers start again, and webhooks go on within ${(BACK_WITHIN_MS + LONGEST_PAUSE_MS) / 1000} s`,
    servers: 'defaults',
    proxied: PROXIED,
    strike: consumersFailed,
  },
];
