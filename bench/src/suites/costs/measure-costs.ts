import { topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import { steadily } from '../../closed-loop.ts';
import { type Parcel, submissionWriter, weighingOf } from '../../parcels.ts';
import { pause } from '../../suite.ts';
import type { CostRig, CpuByProcess } from './cost-rig.ts';
import type { FlowCosts } from './cost-table.ts';
import { cpuPerOperation } from './cpu-per-operation.ts';

const ARRIVE_WITHIN_MS = 120_000;
/** Submissions a second. */
const SUBMISSIONS = 200;
const SUBMISSIONS_BEFORE = 400;
/** Events in a call of a batch. */
const BATCH = 100;
/** Calls a second with {@link BATCH} weighings each. */
const BATCHES = 2;
/** Weighings on Kafka a second. */
const ON_KAFKA = 200;
/**
 * Nothing has happened for so long when the installation counts as idle: consumers ask less often from then on, and each process has collected what the
 * work before left behind, which V8 does once, some ten to forty seconds later.
 */
const REST_MS = 60_000;

interface Usage {
  readonly seconds: number;
  readonly cpu: CpuByProcess;
}

async function usageDuring(rig: CostRig, go: () => Promise<void>): Promise<Usage> {
  const before = rig.cpu();
  const started = performance.now();
  await go();
  const seconds = (performance.now() - started) / 1000;
  const after = rig.cpu();
  return { seconds, cpu: Object.fromEntries(Object.entries(after).map(([name, now]) => [name, now - (before[name] ?? 0)])) };
}

/** What one of `operations` costs, beyond what the installation costs at rest. */
async function costOf(rig: CostRig, idle: CpuByProcess, operations: number, go: () => Promise<void>): Promise<CpuByProcess> {
  const { seconds, cpu } = await usageDuring(rig, go);
  return Object.fromEntries(
    Object.entries(cpu).map(([name, cpuMicroseconds]) => [
      name,
      cpuPerOperation({ operations, cpuMicroseconds, seconds, idleMicrosecondsPerSecond: idle[name] ?? 0 }),
    ]),
  );
}

/** Measures an installation at rest, after some submissions. @param seconds of the rest @returns microseconds a second, by process */
export async function measureRest(rig: CostRig, seconds: number): Promise<CpuByProcess> {
  const { log, warehouseCode } = rig.stage;
  const write = submissionWriter(warehouseCode, 1);
  await steadily(SUBMISSIONS, SUBMISSIONS_BEFORE, async () => void (await rig.merchant.post<Parcel>('/open/v1/forecasts', write())));
  await log.settled();
  await pause(REST_MS);
  const atRest = await usageDuring(rig, () => pause(seconds * 1000));
  return Object.fromEntries(Object.entries(atRest.cpu).map(([name, used]) => [name, used / atRest.seconds]));
}

/** Measures each load once, one after the other. @param seconds of each; of the submissions, twice that */
export async function measureFlow(rig: CostRig, idle: CpuByProcess, seconds: number): Promise<FlowCosts> {
  const { log, warehouseCode, receiver } = rig.stage;
  const inBatches = Math.max(1, Math.round(BATCHES * seconds)) * BATCH;
  const onKafka = Math.round(ON_KAFKA * seconds);
  const write = submissionWriter(warehouseCode, 1);
  const parcels: Parcel[] = [];
  const submission = await costOf(rig, idle, inBatches + onKafka, async () => {
    await steadily(SUBMISSIONS, inBatches + onKafka, async () => {
      parcels.push(await rig.merchant.post<Parcel>('/open/v1/forecasts', write()));
    });
    await log.settled();
  });
  const arrived = (weighed: readonly Parcel[]): Promise<unknown> =>
    until(() => weighed.every(({ po_number }) => receiver.arrivedAt.has(po_number)), { within: ARRIVE_WITHIN_MS, what: 'all webhooks' });

  const batched = parcels.slice(0, inBatches);
  const bodyOf = (index: number): string =>
    `{"events":[${batched.slice(index * BATCH, (index + 1) * BATCH).map((parcel) => weighingOf(warehouseCode, parcel))}]}`;
  const weighingInBatches = await costOf(rig, idle, inBatches, async () => {
    await steadily(BATCHES, inBatches / BATCH, (index) => rig.warehouse.send('POST', '/warehouse/v1/events', bodyOf(index)));
    await arrived(batched);
    await log.settled();
  });

  const single = parcels.slice(inBatches);
  const weighingOnKafka = await costOf(rig, idle, single.length, async () => {
    await steadily(ON_KAFKA, single.length, (index) => {
      const parcel = single[index] as Parcel;
      return log.produce(topics.warehouseIntake, [{ key: parcel.forecast_no, value: weighingOf(warehouseCode, parcel) }]);
    });
    await arrived(single);
    await log.settled();
  });
  return { submission, weighingInBatches, weighingOnKafka };
}
