import { start17TrackServer } from '@parcelway/harness/sources/17track-server';
import type { SourceServer } from '@parcelway/harness/sources/source-server';
import { until } from '@parcelway/kernel/testing/until';
import { cpuPerOperation } from '../../capacity/replica-capacity.ts';
import { steadily } from '../../closed-loop.ts';
import { type DistributedStage, onDistributedStage } from '../../distributed-stage.ts';
import { formatNumber, type Table } from '../../report/table.ts';
import { BenchServers } from '../../servers.ts';
import { median } from '../../statistics.ts';
import { inCycles, pause, type Suite, type SuiteOptions } from '../../suite.ts';
import { fillMongo } from '../../tracking/mongo-shipments.ts';
import { CONNECTION_ID, poNumberOf, trackingNumberOf } from '../../tracking/numbers.ts';
import { rowsAt } from '../../tracking/vendor-rows.ts';
import { type CostRig, type CpuByProcess, onCostRig } from '../costs/cost-rig.ts';
import { PUSH_COLUMNS, PUSH_TITLE } from './input-tables.ts';

const CONNECTIONS = 50;
const PATH = `/carriers/v1/17track/${CONNECTION_ID}`;
/** Pushes a second. */
const PUSHES = 100;
const IDLE_MS = 4_000;
const ARRIVE_WITHIN_MS = 60_000;
const MINUTE_MS = 60_000;

/** Costs of a push by process, microseconds of CPU. */
interface PushCosts {
  /** With a new status, to its webhook. */
  readonly changed: CpuByProcess;
  /** With a further node of the same status. */
  readonly same: CpuByProcess;
}

/** What the pushes of a run have brought so far. */
interface Progress {
  /** Rows that the vendor has of each parcel. */
  rows: number;
}

async function usedDuring(rig: CostRig, go: () => Promise<void>): Promise<{ readonly seconds: number; readonly cpu: CpuByProcess }> {
  const before = rig.cpu();
  const startedAt = performance.now();
  await go();
  const after = rig.cpu();
  const seconds = (performance.now() - startedAt) / 1000;
  return { seconds, cpu: Object.fromEntries(Object.entries(after).map(([name, now]) => [name, now - (before[name] ?? 0)])) };
}

/** Measures one cycle: a push for each parcel with a new status, then one with a further node. */
async function measureCycle(rig: CostRig, vendor: SourceServer, parcels: number, progress: Progress): Promise<PushCosts> {
  const { stage } = rig;
  const { platform, receiver, log } = stage;
  await log.settled();
  const idle = await usedDuring(rig, () => pause(IDLE_MS));
  const client = stage.referenceClient(platform.quickstart.base_url, CONNECTIONS);
  const costOf = async (rows: ReturnType<typeof rowsAt>, settle: () => Promise<void>): Promise<CpuByProcess> => {
    const pushes = Array.from({ length: parcels }, (_, index) => vendor.signPush(trackingNumberOf(index + 1), { rows }));
    const { seconds, cpu } = await usedDuring(rig, async () => {
      await steadily(PUSHES, parcels, (index) => {
        const push = pushes[index] as (typeof pushes)[number];
        return client.push(PATH, push.body, push.headers);
      });
      await settle();
    });
    return Object.fromEntries(
      Object.entries(cpu).map(([name, cpuMicroseconds]) => {
        const idleMicrosecondsPerSecond = (idle.cpu[name] ?? 0) / idle.seconds;
        return [name, cpuPerOperation({ operations: parcels, cpuMicroseconds, seconds, idleMicrosecondsPerSecond })];
      }),
    );
  };
  const numbers = Array.from({ length: parcels }, (_, index) => poNumberOf(index + 1));
  progress.rows += 1;
  const rows = rowsAt(Date.now(), progress.rows);
  const last = rows.at(-1) as (typeof rows)[number];
  const changed = await costOf(rows, async () => {
    // The receiver notes the first webhook of each parcel: later cycles find it noted, and wait for the log.
    const arrived = (): boolean => numbers.every((poNumber) => receiver.arrivedAt.has(poNumber));
    await until(arrived, { within: ARRIVE_WITHIN_MS, what: 'all webhooks' });
    await log.settled();
  });
  const further = { ...last, at: new Date(Date.parse(last.at as string) + MINUTE_MS).toISOString(), text: 'Seen again' };
  const same = await costOf([...rows, further], () => log.settled());
  await client.close();
  return { changed, same };
}

/** The medians of the cycles by process, milliseconds. */
function pushTable(cycles: readonly PushCosts[]): Table {
  const names = Object.keys((cycles[0] as PushCosts).changed);
  const cell = (of: (cycle: PushCosts) => number): string => formatNumber(median(cycles.map(of)) / 1000);
  return {
    title: PUSH_TITLE,
    columns: PUSH_COLUMNS.map((name, index) => ({ name, numeric: index > 0 })),
    lines: names.map((name) => [name, cell(({ changed }) => changed[name] ?? 0), cell(({ same }) => same[name] ?? 0)]),
  };
}

async function measure(options: SuiteOptions, stage: DistributedStage, servers: BenchServers, vendor: SourceServer): Promise<void> {
  const parcels = options.scale.quick ? 100 : 800;
  const { quickstart, servers: variables } = stage.platform;
  options.progress(`putting ${parcels} parcels under watch`);
  await fillMongo(`${variables['RESOURCE_PREFIX']}-tracking`, quickstart.tenant.id, parcels, 0);
  const endpoint = { url: `${stage.receiver.origin}/webhooks`, event_types: ['tracking.changed'] };
  await stage.platform.client(stage.tenantKey).expectOk('/open/v1/webhook-endpoints', { body: endpoint });
  await onCostRig(stage, servers, async (rig) => {
    const progress = { rows: 0 };
    options.progress('warming up');
    await measureCycle(rig, vendor, parcels, progress);
    const cycles = await inCycles(options, 'pushes', () => measureCycle(rig, vendor, parcels, progress));
    options.table(pushTable(cycles));
  });
}

/** What a push of 17TRACK costs over all processes and servers: one that changes the status of a parcel, through to its webhook, and one that does not. */
export const pushCosts: Suite = async (options) => {
  const servers = await BenchServers.open();
  const vendor = await start17TrackServer();
  const connection = { id: CONNECTION_ID, source: '17track', base_url: vendor.baseUrl, carriers: ['*'], credentials: vendor.credentials };
  try {
    const env = { TRACKING_SOURCES: JSON.stringify([connection]) };
    await onDistributedStage(1, (stage) => measure(options, stage, servers, vendor), env);
  } finally {
    await vendor.close();
  }
  return [];
};
