import { until } from '@parcelway/kernel/testing/until';
import { steadily } from '../closed-loop.ts';
import { type Parcel, submissionWriter, weighingOf } from '../parcels.ts';
import { exactCpuMicrosecondsOf } from '../process-usage.ts';
import { onReceivingStage, type ReceivingStage } from '../receiving-stage.ts';
import type { Table } from '../report.ts';
import { median } from '../statistics.ts';
import { inCycles, pause, type Suite } from '../suite.ts';

const CONNECTIONS = 50;
const ARRIVE_WITHIN_MS = 120_000;
/** Submissions a second. */
const SUBMISSIONS = 200;
const SUBMISSIONS_BEFORE = 400;
/** Events in a call of a batch. */
const BATCH = 100;
/** Calls a second with {@link BATCH} weighings each. */
const BATCHES = 2;
/**
 * Nothing has happened for so long when the installation counts as idle: consumers ask less often from then on, and each process has collected what the
 * work before left behind, which V8 does once, some ten to forty seconds later.
 */
const REST_MS = 60_000;
/** So long an installation is watched that nobody uses: its jobs come every minute at the latest. */
const REST_SECONDS = 60;

/** CPU time by process, microseconds. */
type ByProcess = Readonly<Record<string, number>>;

/** What the costs are measured with. */
interface Rig {
  readonly stage: ReceivingStage;
  /** CPU time so far of every service and every server. */
  cpu(): ByProcess;
}

async function usageDuring({ cpu }: Rig, go: () => Promise<void>): Promise<{ readonly seconds: number; readonly used: ByProcess }> {
  const before = cpu();
  const started = performance.now();
  await go();
  const seconds = (performance.now() - started) / 1000;
  return { seconds, used: Object.fromEntries(Object.entries(cpu()).map(([name, now]) => [name, now - (before[name] ?? 0)])) };
}

/** What one of `operations` costs, beyond what the installation costs at rest; never below 0. */
async function costOf(rig: Rig, idle: ByProcess, operations: number, go: () => Promise<void>): Promise<ByProcess> {
  const { seconds, used } = await usageDuring(rig, go);
  const costs = Object.entries(used).map(([name, all]) => [name, Math.max(0, all - (idle[name] ?? 0) * seconds) / operations]);
  return Object.fromEntries(costs);
}

/** Submits at a steady rate until everything that follows is done. @returns what was accepted */
async function submit({ stage }: Rig, count: number): Promise<readonly Parcel[]> {
  const write = submissionWriter(stage.warehouseCode);
  const merchant = stage.client(stage.tenantKey, CONNECTIONS);
  const parcels: Parcel[] = [];
  await steadily(SUBMISSIONS, count, async () => void parcels.push(await merchant.post<Parcel>('/open/v1/forecasts', write())));
  await stage.settled();
  return parcels;
}

/** Reports weighings in batches until every webhook has arrived. */
async function weigh({ stage }: Rig, parcels: readonly Parcel[]): Promise<void> {
  const { receiver, warehouseCode } = stage;
  const warehouse = stage.client(stage.warehouseKey, CONNECTIONS);
  const bodyOf = (index: number): string =>
    `{"events":[${parcels.slice(index * BATCH, (index + 1) * BATCH).map((parcel) => weighingOf(warehouseCode, parcel))}]}`;
  await steadily(BATCHES, parcels.length / BATCH, (index) => warehouse.send('POST', '/warehouse/v1/events', bodyOf(index)));
  const arrived = (): boolean => parcels.every(({ po_number }) => receiver.arrivedAt.has(po_number));
  await until(arrived, { within: ARRIVE_WITHIN_MS, what: 'all webhooks' });
  await stage.settled();
}

/** Measures an installation at rest, after some submissions. @returns microseconds a second */
async function measureRest(rig: Rig, seconds: number): Promise<ByProcess> {
  await submit(rig, SUBMISSIONS_BEFORE);
  await pause(REST_MS);
  const atRest = await usageDuring(rig, () => pause(seconds * 1000));
  return Object.fromEntries(Object.entries(atRest.used).map(([name, used]) => [name, used / atRest.seconds]));
}

/** Costs of one operation. */
type Flow = Readonly<Record<'submission' | 'weighing', ByProcess>>;

/** Measures each load once, for so many seconds. */
async function measureFlow(rig: Rig, idle: ByProcess, seconds: number): Promise<Flow> {
  const count = Math.max(1, Math.round(BATCHES * seconds)) * BATCH;
  let parcels: readonly Parcel[] = [];
  const submission = await costOf(rig, idle, count, async () => {
    parcels = await submit(rig, count);
  });
  return { submission, weighing: await costOf(rig, idle, count, () => weigh(rig, parcels)) };
}

const sumOf = (cost: ByProcess): number => Object.values(cost).reduce((sum, used) => sum + used, 0);

/** What was measured by process, and the sum over all of them. @param flows of each cycle, whose medians are shown */
function costTable(idle: ByProcess, flows: readonly Flow[]): Table {
  const measures = [
    ['idle, ms/s', () => idle],
    ['submission, ms', ({ submission }: Flow) => submission],
    ['weighing in batches to webhook, ms', ({ weighing }: Flow) => weighing],
  ] as const;
  const medians = (of: (cost: ByProcess) => number): number[] =>
    measures.map(([, measure]) => median(flows.map((flow) => of(measure(flow)) / 1000)));
  return {
    title: 'CPU time by process',
    columns: [{ name: 'Process', numeric: false }, ...measures.map(([name]) => ({ name, numeric: true }))],
    lines: [...Object.keys(idle).map((name) => [name, ...medians((cost) => cost[name] ?? 0)]), ['all together', ...medians(sumOf)]],
  };
}

/**
 * What an operation costs over all processes and all servers together: a submission with everything that follows, a weighing through to its webhook, and
 * an installation that nobody uses. It gives a table, not rows: no reference does the same work.
 */
export const costs: Suite = (options) =>
  onReceivingStage(async (stage) => {
    const { quick, measureMs } = options.scale;
    const seconds = quick ? 3 : (4 * measureMs) / 1000;
    const pids = { ...stage.pids(), ...Object.fromEntries((await options.servers?.pids()) ?? []) };
    const rig: Rig = {
      stage,
      cpu: () => Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, exactCpuMicrosecondsOf(pid)])),
    };
    options.progress('an installation that nobody uses');
    const idle = await measureRest(rig, quick ? 3 : REST_SECONDS);
    // What a service runs often is compiled in the course of the first thousands.
    options.progress('warming up');
    await measureFlow(rig, idle, 2 * seconds);
    options.table(costTable(idle, await inCycles(options, 'costs', () => measureFlow(rig, idle, seconds))));
    return [];
  });
