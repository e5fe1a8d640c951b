import type { Fault, FaultStage, Findings } from './fault.ts';
import { PROXIED } from './fault-servers.ts';
import { type SubmissionSummary, summarize } from './latency.ts';

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const DOWN_MS = 12_000;
/** How much slower a submission may be while the log is away, at its 99th percentile. */
const MAX_SLOWDOWN = 1.5;
/** Of fewer submissions the 99th percentile is but the slowest, and says nothing. */
const ENOUGH_FOR_P99 = 100;

const described = ({ count, p50, p99 }: SubmissionSummary): string =>
  `${count} submissions, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;

/** Breaks the log, and compares submissions during it with those before: publishing is not on their way. */
async function withoutLog({ load }: FaultStage, breakLog: () => Promise<() => Promise<void>>, forMs = DOWN_MS): Promise<Findings> {
  const from = performance.now();
  await pause(forMs);
  const struck = performance.now();
  const heal = await breakLog();
  await pause(forMs);
  const healed = performance.now();
  await heal();
  const before = summarize(load.submissions, from, struck);
  const during = summarize(load.submissions, struck, healed);
  const violations: string[] = [];
  if (before.count === 0) violations.push('no submission before the fault: nothing to compare with');
  if (during.count < before.count / 2) violations.push(`only ${during.count} submissions during the fault, ${before.count} before`);
  if (during.refused > 0) violations.push(`${during.refused} submissions were refused while the log was away`);
  if (before.count >= ENOUGH_FOR_P99 && during.p99 > MAX_SLOWDOWN * before.p99)
    violations.push(`p99 of submissions rose from ${before.p99.toFixed(0)} to ${during.p99.toFixed(0)} ms`);
  return { observed: `before: ${described(before)}; during: ${described(during)}, ${during.refused} refused`, violations };
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
];
