import { setTimeout as pause } from 'node:timers/promises';
import { topics } from '@parcelway/contracts/topics';
import { withOutsider } from '@parcelway/harness/kafka-outsider';
import { until } from '@parcelway/kernel/testing/until';
import * as breaks from './breaks.ts';
import type { Fault, FaultStage, Findings } from './fault.ts';
import { PROXIED } from './fault-servers.ts';
import { type Verdict, withoutLog, withoutObjects, withoutRedis, withoutStore } from './server-verdicts.ts';

/* What happens to the servers. */

/** What breaks one kind of server, and what must hold meanwhile. */
interface Table {
  readonly shared: Pick<Fault, 'group' | 'expected'> & Partial<Fault>;
  /** How long it stays broken, unless a row says otherwise. */
  readonly forMs: number;
  readonly judge: Verdict;
  readonly rows: Readonly<Record<string, breaks.Break | BrokenRow>>;
}

/** A row that differs in more than what breaks. */
interface BrokenRow extends Partial<Fault> {
  readonly breaks: breaks.Break;
  readonly forMs?: number;
}

function faultsOf({ shared, forMs, judge, rows }: Table): Fault[] {
  return Object.entries(rows).map(([name, row]) => {
    const { breaks: strike, forMs: ownMs = forMs, ...own } = typeof row === 'function' ? { breaks: row } : row;
    return { servers: 'single', ...shared, ...own, name, strike: (stage) => judge(stage, strike, ownMs) };
  });
}

const proxied = { proxied: PROXIED };
const cluster = { servers: 'cluster', env: { KAFKA_REPLICATION: '3', KAFKA_MIN_IN_SYNC: '2' } } as const;

const kafka: Table = {
  shared: { group: 'Kafka', expected: 'submissions keep their latency and return 200; everything is published after recovery' },
  forMs: 12_000,
  judge: withoutLog,
  rows: {
    'stopped for 12 s': breaks.stopped('kafka-1'),
    'silent for 12 s (SIGSTOP)': breaks.silent('kafka-1'),
    'responses delayed by 300 ms': { ...proxied, breaks: breaks.disturbed('kafka', 'latency', { latency: 300 }) },
    'acknowledgements lost for 6 s': {
      ...proxied,
      expected: 'what was written without an acknowledgement is published again; every effect happens once',
      forMs: 6000,
      breaks: breaks.disturbed('kafka', 'timeout', { timeout: 0 }),
    },
    'a broker of three killed for 12 s': { ...cluster, expected: 'leaders move; nothing is lost', breaks: breaks.killed('kafka-2') },
  },
};

const WRITES = ['insert', 'update', 'findAndModify', 'delete'];
/** WriteConcernFailed: the write was made but may be rolled back. */
const writeConcernError = { code: 64, codeName: 'WriteConcernFailed', errmsg: 'waiting for replication timed out' };

const mongodb: Table = {
  shared: {
    group: 'MongoDB',
    expected:
      'submissions respond with 200, or 50301 with Retry-After, within 8 s; sent again they get the number of the first response; nothing acknowledged is lost',
  },
  forMs: 10_000,
  judge: withoutStore,
  rows: {
    'stopped for 10 s': breaks.stopped('mongo-1'),
    'killed and started again': { forMs: 2000, breaks: breaks.restarted('mongo-1') },
    'silent for 8 s (SIGSTOP)': { forMs: 8000, breaks: breaks.silent('mongo-1') },
    'responds 150 ms late for 10 s': { ...proxied, breaks: breaks.disturbed('mongo', 'latency', { latency: 150 }) },
    'responses lost: connections cut after the write, five times for 1 s': { ...proxied, forMs: 0, breaks: breaks.cutAfterWrites(5) },
    'three in ten writes done and reported as failed for 10 s': breaks.failingCommands(0.3, { failCommands: WRITES, writeConcernError }),
    'connections closed on three in ten commands for 10 s': breaks.failingCommands(0.3, {
      failCommands: ['find', 'aggregate', ...WRITES],
      closeConnection: true,
    }),
    'the primary steps down': { ...cluster, forMs: 15_000, breaks: breaks.steppedDown(8) },
    'the primary of three killed for 15 s': { ...cluster, forMs: 15_000, breaks: breaks.killed('mongo-1') },
  },
};

const ofRedis =
  'submissions respond with 200 as quickly as before; each gateway limits rates by itself; a revoked key is refused within 5 s';

const redis: Table = {
  shared: { group: 'Redis', expected: ofRedis, env: { REPLICAS: '2' } },
  forMs: 10_000,
  judge: withoutRedis,
  rows: {
    'stopped for 10 s': breaks.stopped('redis'),
    'silent for 10 s (SIGSTOP)': breaks.silent('redis'),
    'silent for 10 s, and Kafka with it': {
      expected: `${ofRedis}, though the other gateways cannot be notified`,
      breaks: breaks.silent('redis', 'kafka-1'),
    },
    'full for 10 s': breaks.redis('CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0'),
    'emptied, and emptied again 10 s later': breaks.redis('FLUSHALL', 'FLUSHALL'),
  },
};

const objectStore: Table = {
  shared: {
    group: 'Object store',
    expected:
      'uploads get 42207 within 3 s and leave no half-made record; sent again they are stored; forecasts without files are accepted',
  },
  forMs: 8000,
  judge: withoutObjects(true),
  rows: {
    'stopped for 8 s': breaks.stopped('s3'),
    'silent for 8 s (SIGSTOP)': breaks.silent('s3'),
    'out of disk for 8 s': breaks.outOfDisk('s3'),
    'takes 5 kB a second for 8 s': { ...proxied, breaks: breaks.disturbed('s3', 'bandwidth', { rate: 5 }, 'upstream') },
    'responses lost for 8 s': { ...proxied, breaks: breaks.disturbed('s3', 'timeout', { timeout: 0 }) },
  },
};

const slowObjectStore: Table = {
  ...objectStore,
  shared: {
    ...objectStore.shared,
    ...proxied,
    expected: 'uploads are stored or get 42207 within 3 s; forecasts without files are accepted',
  },
  judge: withoutObjects(false),
  rows: { 'slowed by 400 ms for 8 s': breaks.disturbed('s3', 'latency', { latency: 400 }) },
};

/** A group must read again within this time after it gets another coordinator. */
const BACK_WITHIN_MS = 3000;
/** Longest pause before a failed consumer starts again. */
const LONGEST_PAUSE_MS = 5000;

/** Waits for the next webhook. @returns the milliseconds until it came, and violations */
async function firstWebhook({ receivers: [receiver] }: FaultStage, maxMs: number): Promise<{ ms: number; violations: string[] }> {
  const from = Date.now();
  const first = await until(() => receiver.received.find(({ receivedAt }) => receivedAt >= from), { within: 30_000, what: 'a webhook' });
  const ms = first.receivedAt - from;
  return { ms, violations: ms > maxMs ? [`the first webhook came after ${ms} ms`] : [] };
}

async function coordinatorKilled(stage: FaultStage): Promise<Findings> {
  return withOutsider(stage, async (outsider) => {
    const coordinator = (): Promise<number> => outsider.coordinatorOf('webhook', topics.forecast);
    const lost = await coordinator();
    const heal = await breaks.killed(`kafka-${lost}`)(stage);
    try {
      await until(async () => (await coordinator().catch(() => lost)) !== lost, { within: 30_000, what: 'another coordinator' });
      const { ms, violations } = await firstWebhook(stage, BACK_WITHIN_MS);
      return { observed: `kafka-${lost} killed; the first webhook ${ms} ms after another broker coordinated the group`, violations };
    } finally {
      await heal();
    }
  });
}

/** All consumers of a single process fail, and their group has no other member. */
async function consumersFailed(stage: FaultStage): Promise<Findings> {
  const heal = await stage.servers.disturb('kafka', { type: 'timeout', attributes: { timeout: 0 } });
  await pause(kafka.forMs).finally(heal);
  const { ms, violations } = await firstWebhook(stage, BACK_WITHIN_MS + LONGEST_PAUSE_MS);
  return { observed: `no response for ${kafka.forMs / 1000} s; the first webhook ${ms} ms after that`, violations };
}

const kafkaGroups: readonly Fault[] = [
  {
    name: 'killed and started again',
    ...kafka.shared,
    servers: 'single',
    async strike(stage) {
      await breaks.restarted('kafka-1')(stage);
      return { observed: 'SIGKILL and start', violations: [] };
    },
  },
  {
    name: 'one of three brokers killed, the coordinator of the webhook group',
    group: 'Kafka',
    expected: `webhooks continue within ${BACK_WITHIN_MS / 1000} s of another broker coordinating the group; nothing is lost`,
    ...cluster,
    strike: coordinatorKilled,
  },
  {
    name: `silent for ${kafka.forMs / 1000} s, with default timeouts for groups`,
    group: 'Kafka',
    expected: `consumers start again, and webhooks continue within ${(BACK_WITHIN_MS + LONGEST_PAUSE_MS) / 1000} s`,
    servers: 'defaults',
    ...proxied,
    strike: consumersFailed,
  },
];

/** All of them, in the order of the table. */
export const serverFaults: readonly Fault[] = [
  ...faultsOf(kafka),
  ...kafkaGroups,
  ...[mongodb, redis, objectStore, slowObjectStore].flatMap(faultsOf),
];
