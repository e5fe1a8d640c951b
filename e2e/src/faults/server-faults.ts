import { setTimeout as pause } from 'node:timers/promises';
import { topics } from '@parcelway/contracts/topics';
import { withOutsider } from '@parcelway/harness/kafka-outsider';
import { until } from '@parcelway/kernel/testing/until';
import * as breaks from './breaks.ts';
import type { Fault, FaultStage, Findings } from './fault.ts';
import { PROXIED } from './fault-servers.ts';
import { type Probing, probeThrough } from './probe.ts';

/* What happens to the servers, and what clients may notice of it. */

/** A kind of server. */
interface Kind extends Probing {
  readonly group: string;
  readonly expected: string;
  readonly env?: Readonly<Record<string, string>>;
}

const ANY_READ = '/open/v1/forecasts?limit=1';
const LIMIT = { per_second: 2, burst: 20 };
const CALLS = 60;
/** A revoked key is refused everywhere within this time. */
const REFUSED_WITHIN_MS = 5000;

/** Calls more often than a key may, and counts the calls that pass. */
async function limited({ platform, operator, merchant }: FaultStage): Promise<string[]> {
  const issued = await operator.issueKey({ tenant_id: merchant.identity.tenantId }, { rate_limit: LIMIT });
  const client = platform.client(issued.key);
  const from = performance.now();
  const codes: string[] = [];
  for (let call = 0; call < CALLS; call += 1) codes.push((await client.call(ANY_READ)).code);
  const most = LIMIT.burst + Math.ceil((LIMIT.per_second * (performance.now() - from)) / 1000);
  const taken = codes.filter((code) => code === '0').length;
  const wrong = codes.filter((code) => code !== '0' && code !== '42901').map((code) => `a call within the limits got ${code}`);
  // The bucket of Redis and the one of the process may both be drawn from, when Redis goes away or comes back in between.
  const isWithin = taken >= LIMIT.burst && taken <= most + LIMIT.burst;
  return [...wrong, ...(isWithin ? [] : [`${taken} calls passed, the limit is ${LIMIT.burst} to ${most}`])];
}

/** Issues a key, uses it at every gateway, revokes it at one, and waits until all refuse it. */
async function revoked({ platform, operator, merchant }: FaultStage): Promise<string[]> {
  const issued = await operator.issueKey({ tenant_id: merchant.identity.tenantId });
  const gateways = platform.services().filter(({ name }) => name.startsWith('gateway-'));
  const clients = gateways.map(({ url }) => platform.client(issued.key, url));
  // Calls for a while, so that every cache of keys has it.
  for (let time = 0; time < 4; time += 1) {
    for (const client of clients) await client.expectOk(ANY_READ);
    await pause(250);
  }
  await operator.revokeKey(issued.key_id);
  const options = { within: REFUSED_WITHIN_MS, everyMs: 50, what: 'a revoked key to be refused by every gateway' };
  const refused = clients.map((client) => until(async () => (await client.call(ANY_READ)).code === '40003', options));
  return (await Promise.allSettled(refused)).flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
}

const kafka: Kind = {
  group: 'Kafka',
  expected: 'submissions return 200; everything is published after recovery',
  isSpared: true,
};

const mongodb: Kind = {
  group: 'MongoDB',
  expected:
    'submissions respond with 200, or 50301 with Retry-After, within 8 s; sent again they get the number of the first response; nothing acknowledged is lost',
};

const redis: Kind = {
  group: 'Redis',
  expected: 'submissions respond with 200; each gateway limits rates by itself; a revoked key is refused within 5 s',
  isSpared: true,
  env: { REPLICAS: '2' },
  meanwhile: async (stage) => [...(await limited(stage)), ...(await revoked(stage))],
};

const objectStore: Kind = {
  group: 'Object store',
  expected: 'uploads get 42207 within 3 s and leave no half-made record; sent again they are stored; forecasts without files are accepted',
  isSpared: true,
  refusesUploads: true,
};

/** Makes a row of the table. @param seconds how long the server stays broken @param over fields that replace those of the kind */
function row(kind: Kind, name: string, seconds: number, strike: breaks.Break, over: Partial<Fault> = {}): Fault {
  const { group, expected, env } = kind;
  const own = { group, expected, name, servers: 'single', ...(env && { env }) } as const;
  return { ...own, strike: (stage) => probeThrough(stage, strike, seconds * 1000, kind), ...over };
}

const proxied = { proxied: PROXIED };
const cluster = { servers: 'cluster', env: { KAFKA_REPLICATION: '3', KAFKA_MIN_IN_SYNC: '2' } } as const;
/** WriteConcernFailed: the write was made but may be rolled back. */
const writeConcernError = { code: 64, codeName: 'WriteConcernFailed', errmsg: 'waiting for replication timed out' };
const failCommands = ['insert', 'update', 'findAndModify', 'delete'];

/** A group must read again within this time after it gets another coordinator. */
const BACK_WITHIN_MS = 3000;

/** Kills the broker that coordinates the webhook group. */
async function coordinatorKilled(stage: FaultStage): Promise<Findings> {
  return withOutsider(stage, async (outsider) => {
    const coordinator = (): Promise<number> => outsider.coordinatorOf('webhook', topics.forecast);
    const lost = await coordinator();
    const heal = await breaks.killed(`kafka-${lost}`)(stage);
    try {
      await until(async () => (await coordinator().catch(() => lost)) !== lost, { within: 30_000, what: 'another coordinator' });
      const from = Date.now();
      const isNew = ({ receivedAt }: { readonly receivedAt: number }): boolean => receivedAt >= from;
      const { receivedAt } = await until(() => stage.receivers[0].received.find(isNew), { within: 30_000, what: 'a webhook' });
      const ms = receivedAt - from;
      const violations = ms > BACK_WITHIN_MS ? [`the first webhook came after ${ms} ms`] : [];
      return { observed: `kafka-${lost} killed; the first webhook ${ms} ms after another broker coordinated the group`, violations };
    } finally {
      await heal();
    }
  });
}

/** All of them, in the order of the table. */
export const serverFaults: readonly Fault[] = [
  row(kafka, 'stopped for 10 s', 10, breaks.stopped('kafka-1')),
  row(kafka, 'silent for 12 s (SIGSTOP)', 12, breaks.silent('kafka-1')),
  row(kafka, 'killed and started again', 2, breaks.restarted('kafka-1')),
  row(kafka, 'acknowledgements lost for 6 s', 6, breaks.disturbed('kafka', 'timeout', { timeout: 0 }), {
    ...proxied,
    expected: 'what was written without an acknowledgement is published again; every effect happens once',
  }),
  {
    name: 'one of three brokers killed, the coordinator of the webhook group',
    group: 'Kafka',
    expected: `leaders move; webhooks continue within ${BACK_WITHIN_MS / 1000} s of another broker coordinating the group; nothing is lost`,
    ...cluster,
    strike: coordinatorKilled,
  },
  row(mongodb, 'stopped for 10 s', 10, breaks.stopped('mongo-1')),
  row(mongodb, 'killed and started again', 2, breaks.restarted('mongo-1')),
  row(mongodb, 'silent for 8 s (SIGSTOP)', 8, breaks.silent('mongo-1')),
  row(mongodb, 'responses lost: connections cut after the write, five times for 1 s', 0, breaks.cutAfterWrites(5), proxied),
  row(
    mongodb,
    'three in ten writes done and reported as failed for 10 s',
    10,
    breaks.failingCommands(0.3, { failCommands, writeConcernError }),
  ),
  row(mongodb, 'the primary of three killed for 15 s', 15, breaks.killed('mongo-1'), cluster),
  row(redis, 'stopped for 10 s', 10, breaks.stopped('redis')),
  row(redis, 'silent for 10 s, and Kafka with it', 10, breaks.silent('redis', 'kafka-1'), {
    expected: `${redis.expected}, though the other gateways cannot be notified`,
  }),
  row(redis, 'full for 10 s', 10, breaks.redis('CONFIG SET maxmemory 1', 'CONFIG SET maxmemory 0')),
  row(redis, 'emptied, and emptied again 10 s later', 10, breaks.redis('FLUSHALL', 'FLUSHALL')),
  row(objectStore, 'killed for 8 s', 8, breaks.killed('s3')),
  row(objectStore, 'silent for 8 s (SIGSTOP)', 8, breaks.silent('s3')),
  row(objectStore, 'out of disk for 8 s', 8, breaks.outOfDisk('s3')),
  row(objectStore, 'responses lost for 8 s', 8, breaks.disturbed('s3', 'timeout', { timeout: 0 }), proxied),
];
