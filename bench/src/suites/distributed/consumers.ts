import { availableParallelism } from 'node:os';
import { PARTITIONS, type Topic, topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import { runScript } from '../../child-server.ts';
import type { DistributedStage } from '../../distributed-stage.ts';
import { type Parcel, submitParcels, weighingOf } from '../../parcels.ts';
import { busyMicroseconds, cpuMicrosecondsOf } from '../../process-usage.ts';
import { type Row, rowOf } from '../../report/row.ts';
import { inCycles, type SuiteOptions } from '../../suite.ts';
import { type Consumer, consumers, type KafkaLog } from '../kafka-log.ts';

const CONNECTIONS = 50;
const PROCESSED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 20;
/** Services that consume. */
const consuming = ['tracking', 'warehouse-intake', 'forecast', 'webhook'] as const;
type Consuming = (typeof consuming)[number];

/** What processing a backlog took. */
interface BareProcessing {
  readonly perSecond: number;
  /** Of one event. */
  readonly cpuMicroseconds: number;
}

/** The same, and what was busy meanwhile. */
export interface Processing extends BareProcessing {
  /** Share of one core that the process used, 0 to 1. */
  readonly processShare: number;
  /** Share of all processors of the machine that was busy, 0 to 1. */
  readonly machineShare: number;
}

/** Begins to watch a service and the machine. @returns gives what they used since then */
function watch(stage: DistributedStage, service: Consuming): () => Pick<Processing, 'processShare' | 'machineShare'> & { used: number } {
  const cpu = (): number => stage.pidsOf(service).reduce((sum, pid) => sum + cpuMicrosecondsOf(pid), 0);
  const before = { at: performance.now(), cpu: cpu(), busy: busyMicroseconds() };
  return () => {
    const elapsed = (performance.now() - before.at) * 1000;
    const used = cpu() - before.cpu;
    return { used, processShare: used / elapsed, machineShare: (busyMicroseconds() - before.busy) / (elapsed * availableParallelism()) };
  };
}

/** Lets only one of the consuming services run. */
function hold(stage: DistributedStage, but: readonly Consuming[]): void {
  for (const service of consuming) {
    for (const pid of stage.pidsOf(service)) process.kill(pid, but.includes(service) ? 'SIGCONT' : 'SIGSTOP');
  }
}

/**
 * Lets one service alone process what waits for it. The clock runs from the last look at which nothing was finished
 * yet, because a service that was stopped for some time first has to join its group again.
 * @throws Error when fewer than `count` events wait
 */
async function processBacklog(stage: DistributedStage, service: Consuming, consumer: Consumer, count: number): Promise<Processing> {
  const { log } = stage;
  const waiting = await log.lag(consumer);
  if (waiting < count) throw new Error(`Only ${waiting} of ${count} events wait for ${service} in ${consumer.topic}`);
  const sinceBefore = watch(stage, service);
  let sinceBegun = sinceBefore;
  let started = performance.now();
  hold(stage, [service]);
  await until(
    async () => {
      const at = performance.now();
      const lag = await log.lag(consumer);
      if (lag >= waiting) {
        started = at;
        sinceBegun = watch(stage, service);
      }
      return lag === 0;
    },
    { within: PROCESSED_WITHIN_MS, what: `${service} to process ${waiting} events`, everyMs: LOOK_EVERY_MS },
  );
  const { processShare, machineShare } = sinceBegun();
  const perSecond = (waiting * 1000) / (performance.now() - started);
  return { perSecond, cpuMicroseconds: sinceBefore().used / waiting, processShare, machineShare };
}

/** Waits until as many messages more are in a topic as before `act`. */
async function appends(log: KafkaLog, topic: Topic, count: number, act: () => Promise<void>): Promise<void> {
  const before = await log.appended(topic);
  await act();
  await log.reaches(topic, before + count);
}

/** What one cycle gives, by the name of the measure. */
export type ConsumerCycle = Readonly<Record<string, Processing>>;

/** Sends `count` parcels through the services, one service at a time. Lets all of them run at the end, also when it fails. */
export async function oneByOne(stage: DistributedStage, count: number): Promise<ConsumerCycle> {
  try {
    return await sendThrough(stage, count);
  } finally {
    hold(stage, consuming);
  }
}

async function sendThrough(stage: DistributedStage, count: number): Promise<ConsumerCycle> {
  const { log, receiver, warehouseCode } = stage;
  const merchant = stage.client(stage.tenantKey, CONNECTIONS);
  const cycle: Record<string, Processing> = {};
  let parcels: readonly Parcel[] = [];
  hold(stage, ['forecast']);
  await appends(log, topics.forecast, count, async () => {
    parcels = await submitParcels(merchant, warehouseCode, count);
  });
  cycle['tracking, forecasts accepted'] = await processBacklog(stage, 'tracking', consumers.tracking, count);
  cycle['warehouse-intake, forecasts accepted'] = await processBacklog(stage, 'warehouse-intake', consumers.intakeOfForecasts, count);
  hold(stage, []);
  const weighings = parcels.map((parcel) => ({ key: parcel.forecast_no, value: weighingOf(warehouseCode, parcel) }));
  await log.produce(topics.warehouseIntake, weighings);
  await appends(log, topics.warehouse, count, async () => {
    cycle['warehouse-intake, weighings'] = await processBacklog(stage, 'warehouse-intake', consumers.intakeOfEvents, count);
  });
  await appends(log, topics.forecast, count, async () => {
    cycle['forecast, weighings'] = await processBacklog(stage, 'forecast', consumers.forecast, count);
  });
  const since = watch(stage, 'webhook');
  cycle['webhook, parcels weighed'] = await processBacklog(stage, 'webhook', consumers.webhook, count);
  await until(() => parcels.every(({ po_number }) => receiver.arrivedAt.has(po_number)), {
    within: PROCESSED_WITHIN_MS,
    what: 'all webhooks',
  });
  const arrivals = parcels.map(({ po_number }) => receiver.arrivedAt.get(po_number) as number);
  const tookMs =
    arrivals.reduce((last, at) => Math.max(last, at), 0) - arrivals.reduce((first, at) => Math.min(first, at), Number.MAX_VALUE);
  const { used, processShare, machineShare } = since();
  const perSecond = ((count - 1) * 1000) / tookMs;
  cycle['webhook, sent and responded'] = { perSecond, cpuMicroseconds: used / count, processShare, machineShare };
  return cycle;
}

/** What a bare consumer makes of as many messages as large. */
export async function bareConsumer(log: KafkaLog, topic: string, count: number): Promise<BareProcessing> {
  await log.makeTopic(topic);
  const value = JSON.stringify({ event: 'e'.repeat(600) });
  await log.produce(
    topic,
    Array.from({ length: count }, (_, index) => ({ key: `key-${index}`, value })),
  );
  return runScript<BareProcessing>('processes/kafka-consume-loop.js', [log.nameOf(topic), String(count), String(PARTITIONS)]);
}

function rowsOf(cycles: readonly { readonly ours: ConsumerCycle; readonly bare: BareProcessing }[]): Row[] {
  const names = Object.keys(cycles[0]?.ours ?? {});
  const figures = [
    { figure: 'perSecond', what: 'Events processed', unit: '/s', better: 'higher' },
    { figure: 'cpuMicroseconds', what: 'CPU an event', unit: 'µs', better: 'lower' },
  ] as const;
  return figures.flatMap(({ figure, what, unit, better }) =>
    names.map((name) => {
      const samples = cycles.map(({ ours, bare }) => ({ ours: (ours[name] as Processing)[figure], reference: bare[figure] }));
      return rowOf({ suite: 'consumers', name: `${what} by ${name}`, unit, reference: 'kafkajs eachMessage, insertOne', better }, samples);
    }),
  );
}

/**
 * How fast each service processes a backlog while the other consuming ones are stopped, next to a bare consumer that
 * inserts each message into the same MongoDB.
 */
export async function consumerThroughput(options: SuiteOptions, stage: DistributedStage): Promise<readonly Row[]> {
  const count = options.scale.quick ? 200 : 2000;
  await stage.log.settled();
  const cycles = await inCycles(options, `consumers, ${count} events each`, async (index) => {
    const ours = await oneByOne(stage, count);
    await stage.log.settled();
    return { ours, bare: await bareConsumer(stage.log, `bench.consume-${index}`, count) };
  });
  return rowsOf(cycles);
}
