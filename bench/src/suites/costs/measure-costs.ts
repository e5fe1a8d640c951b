import { topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import { cpuPerOperation } from '../../capacity/replica-capacity.ts';
import { BATCH } from '../../capacity/works.ts';
import { steadily } from '../../closed-loop.ts';
import { type Parcel, submissionWriter, weighingOf } from '../../parcels.ts';
import { pause, type SuiteOptions } from '../../suite.ts';
import type { CostRig, CpuByProcess } from './cost-rig.ts';
import type { Costs } from './cost-table.ts';

const ARRIVE_WITHIN_MS = 60_000;
const DOCUMENTS_WITHIN_MS = 300_000;
/** Submissions a second. */
const SUBMISSIONS = 100;
/** Submissions whose documents are waited for, in a second. */
const DOCUMENTS = 40;
/** Calls a second with {@link BATCH} weighings each. */
const BATCHES = 2;
/** Weighings on Kafka a second. */
const ON_KAFKA = 100;

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

const allArrived = ({ stage }: CostRig, parcels: readonly Parcel[]): Promise<unknown> =>
  until(() => parcels.every(({ po_number }) => stage.receiver.arrivedAt.has(po_number)), {
    within: ARRIVE_WITHIN_MS,
    what: 'all webhooks',
  });

/** Waits until the product labels of all forecasts are generated, however long a slow machine takes. */
async function documentsOf({ stage: { log } }: CostRig): Promise<void> {
  const all = async (): Promise<boolean> => (await log.lag({ group: 'file', topic: topics.forecast })) === 0;
  await until(all, { within: DOCUMENTS_WITHIN_MS, what: 'file to read its orders', everyMs: 500 });
  let before = -1;
  const isQuiet = async (): Promise<boolean> => {
    const now = await log.appended(topics.file);
    const quiet = now === before;
    before = now;
    return quiet;
  };
  await until(isQuiet, { within: DOCUMENTS_WITHIN_MS, what: 'the product labels', everyMs: 2000 });
}

/** Measures each load once, one after the other. @param seconds of each */
export async function measureCosts(options: SuiteOptions, rig: CostRig, seconds: number): Promise<Costs> {
  const { stage, merchant, warehouse } = rig;
  const { log, warehouseCode } = stage;
  await documentsOf(rig);
  await log.settled();
  options.progress('idle');
  const idleUsage = await usageDuring(rig, () => pause(seconds * 1000));
  const idle = Object.fromEntries(Object.entries(idleUsage.cpu).map(([name, used]) => [name, used / idleUsage.seconds]));
  const costOf = async (operations: number, go: () => Promise<void>): Promise<CpuByProcess> => {
    const usage = await usageDuring(rig, go);
    return Object.fromEntries(
      Object.entries(usage.cpu).map(([name, cpuMicroseconds]) => [
        name,
        cpuPerOperation({ operations, cpuMicroseconds, seconds: usage.seconds, idleMicrosecondsPerSecond: idle[name] ?? 0 }),
      ]),
    );
  };
  const write = submissionWriter(warehouseCode, 1);
  const parcels: Parcel[] = [];
  const submit = async (): Promise<void> => void parcels.push(await merchant.post<Parcel>('/open/v1/forecasts', write()));

  options.progress('submissions with their documents');
  const rendered = await log.appended(topics.file);
  const withDocuments = await costOf(DOCUMENTS, async () => {
    await steadily(DOCUMENTS, DOCUMENTS, submit);
    await log.reaches(topics.file, rendered + DOCUMENTS);
    await log.settled();
  });
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of stage.pidsOf('file')) process.kill(pid, name);
  };
  // Rendering the product label and the packing slip costs more than all the rest, and is no part of what the stores and the log cost.
  signal('SIGSTOP');
  try {
    return { idle, withDocuments, ...(await costsWithoutDocuments()) };
  } finally {
    signal('SIGCONT');
  }

  async function costsWithoutDocuments(): Promise<Omit<Costs, 'idle' | 'withDocuments'>> {
    parcels.length = 0;
    const inBatches = Math.max(1, Math.round(BATCHES * seconds)) * BATCH;
    const onKafka = Math.round(ON_KAFKA * seconds);
    options.progress('submissions');
    const submission = await costOf(inBatches + onKafka, async () => {
      await steadily(SUBMISSIONS, inBatches + onKafka, submit);
      await log.settled();
    });

    options.progress('weighings in batches');
    const batched = parcels.slice(0, inBatches);
    const bodyOf = (index: number): string =>
      `{"events":[${batched.slice(index * BATCH, (index + 1) * BATCH).map((parcel) => weighingOf(warehouseCode, parcel))}]}`;
    const weighingInBatches = await costOf(inBatches, async () => {
      await steadily(BATCHES, inBatches / BATCH, (index) => warehouse.send('POST', '/warehouse/v1/events', bodyOf(index)));
      await allArrived(rig, batched);
      await log.settled();
    });

    options.progress('weighings on Kafka');
    const single = parcels.slice(inBatches);
    const weighingOnKafka = await costOf(single.length, async () => {
      await steadily(ON_KAFKA, single.length, (index) => {
        const parcel = single[index] as Parcel;
        return log.produce(topics.warehouseIntake, [{ key: parcel.forecast_no, value: weighingOf(warehouseCode, parcel) }]);
      });
      await allArrived(rig, single);
      await log.settled();
    });
    return { submission, weighingInBatches, weighingOnKafka };
  }
}
