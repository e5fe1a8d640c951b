import { topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import { type DistributedStage, onDistributedStage } from '../../distributed-stage.ts';
import { submitParcels, weighingOf } from '../../parcels.ts';
import type { Row } from '../../report/row.ts';
import type { Table } from '../../report/table.ts';
import { BenchServers } from '../../servers.ts';
import { percentile } from '../../statistics.ts';
import { pause, type SuiteOptions } from '../../suite.ts';
import { arrivalTimes } from '../latency.ts';
import { onCostRig } from './cost-rig.ts';
import type { FlowCosts } from './cost-table.ts';
import { documentsOf, measureFlow, measureRest, withoutDocuments } from './measure-costs.ts';

const REPLICAS = 3;
/** Weighings a second while a group rebalances. */
const PER_SECOND = 50;
/** The load goes on for so long before a replica leaves, and behind that; milliseconds. It comes back within this time. */
const CALM_MS = 3000;
const AFTER_MS = 15_000;
/** How often it is looked whether it is back, milliseconds: seldom enough to cost nothing beside the load. */
const LOOK_EVERY_MS = 500;

const MEASURES = [
  ['submission', 'Submission'],
  ['weighingInBatches', 'Weighing in batches to webhook'],
  ['weighingOnKafka', 'Weighing on Kafka to webhook'],
] as const;

const sumOf = (cost: Readonly<Record<string, number>>): number => Object.values(cost).reduce((sum, used) => sum + used, 0);

/** What the same costs with one process of each service and with three, milliseconds of CPU over all processes and servers. */
export function replicaCostTable(one: FlowCosts, several: FlowCosts): Table {
  return {
    title: `CPU time with one and with ${REPLICAS} of each service`,
    columns: [{ name: 'Operation', numeric: false }, ...['One, ms', `${REPLICAS}, ms`, 'Ratio'].map((name) => ({ name, numeric: true }))],
    lines: MEASURES.map(([measure, name]) => {
      const [ofOne, ofSeveral] = [sumOf(one[measure]) / 1000, sumOf(several[measure]) / 1000];
      return [name, ofOne, ofSeveral, ofSeveral / ofOne];
    }),
  };
}

/** The same by process, the replicas of a service together: milliseconds with one and with three, by operation. */
export function replicaPartsTable(one: FlowCosts, several: FlowCosts): Table {
  const names = MEASURES.map(([, name]) => name);
  return {
    title: `CPU time by process with one and with ${REPLICAS} of each service`,
    columns: [
      { name: 'Process', numeric: false },
      ...names.flatMap((name) => [`${name}: one, ms`, `${name}: ${REPLICAS}, ms`]).map((name) => ({ name, numeric: true })),
    ],
    lines: Object.keys(one.submission).map((name) => [
      name,
      ...MEASURES.flatMap(([measure]) => [one, several].map((costs) => (costs[measure][name] ?? 0) / 1000)),
    ]),
  };
}

/**
 * The process that came in the place of one that was ended.
 * @param before process ids of all replicas while that one ran
 * @param now their process ids now
 * @throws Error that says what is missing
 */
export function replacementOf(ended: number, before: readonly number[], now: readonly number[]): number {
  if (now.includes(ended)) throw new Error(`Process ${ended} has not ended`);
  const [fresh, ...others] = now.filter((pid) => !before.includes(pid));
  if (fresh === undefined || now.length !== before.length) throw new Error(`No process has come in the place of ${ended}`);
  if (others.length > 0) throw new Error(`Beside ${ended} other processes have ended: ${others.length}`);
  return fresh;
}

/** How long weighings take to their webhooks while a replica of `service` ends and comes back: the group rebalances twice. @throws Error when it does not do both */
async function rebalanceTable(stage: DistributedStage, service: string): Promise<Table> {
  const { log, receiver, warehouseCode } = stage;
  const count = (PER_SECOND * (CALM_MS + AFTER_MS)) / 1000;
  const merchant = stage.client(stage.tenantKey, 20);
  const parcels = await submitParcels(merchant, warehouseCode, count);
  await log.settled();
  const times = arrivalTimes(
    PER_SECOND,
    parcels.map(({ po_number }) => po_number),
    receiver.arrivedAt,
    (index) => {
      const parcel = parcels[index] as (typeof parcels)[number];
      return log.produce(topics.warehouseIntake, [{ key: parcel.forecast_no, value: weighingOf(warehouseCode, parcel) }]);
    },
  );
  await pause(CALM_MS);
  const pids = stage.pidsOf(service);
  const ended = pids[0] as number;
  process.kill(ended, 'SIGTERM');
  const back = until(() => replacementOf(ended, pids, stage.pidsOf(service)), {
    within: AFTER_MS,
    everyMs: LOOK_EVERY_MS,
    what: `one of ${REPLICAS} of ${service} to end and come back`,
  });
  const [all] = await Promise.all([times, back]);
  const before = all.slice(0, (PER_SECOND * CALM_MS * 0.9) / 1000);
  const during = all.slice(before.length);
  return {
    title: `Weighing on Kafka to webhook while one of ${REPLICAS} of ${service} ends and comes back`,
    columns: [{ name: 'Milliseconds', numeric: false }, ...['p50', 'p95', 'Slowest'].map((name) => ({ name, numeric: true }))],
    lines: [
      ['before', ...[50, 95, 100].map((percent) => percentile(before, percent))],
      ['during', ...[50, 95, 100].map((percent) => percentile(during, percent))],
    ],
  };
}

/** What an event costs with three of each service, against one of each, and how long processing pauses while a group rebalances. */
export async function replicaCosts(options: SuiteOptions): Promise<readonly Row[]> {
  const seconds = options.scale.quick ? 3 : (4 * options.scale.measureMs) / 1000;
  const servers = await BenchServers.open();
  const costsWith = async (replicas: number, behind: (stage: DistributedStage) => Promise<void>): Promise<FlowCosts> => {
    let costs: FlowCosts | undefined;
    await onDistributedStage(replicas, async (stage) => {
      await onCostRig(stage, servers, async (rig) => {
        options.progress(`${replicas} of each service: at rest`);
        const { idle } = await measureRest(rig, seconds);
        costs = await withoutDocuments(rig, async () => {
          options.progress(`${replicas} of each service: warming up`);
          // Each process gets its part of the load, and compiles what it runs often.
          await measureFlow(rig, idle, seconds * (replicas + 1));
          options.progress(`${replicas} of each service`);
          return measureFlow(rig, idle, seconds);
        });
        options.progress(`${replicas} of each service: generating the documents`);
        await documentsOf(rig);
      });
      await behind(stage);
    });
    return costs as FlowCosts;
  };
  try {
    const one = await costsWith(1, async () => undefined);
    const several = await costsWith(REPLICAS, async (stage) => {
      for (const service of ['forecast', 'webhook']) {
        options.progress(`one of ${REPLICAS} of ${service} ends and comes back`);
        options.table(await rebalanceTable(stage, service));
      }
    });
    options.table(replicaCostTable(one, several));
    options.table(replicaPartsTable(one, several));
    return [];
  } finally {
    await servers.close();
  }
}
