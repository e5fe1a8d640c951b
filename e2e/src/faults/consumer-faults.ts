import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { PARTITIONS, topics } from '@parcelway/contracts/topics';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import { KafkaOutsider, type RawRecord } from '../distributed/kafka-outsider.ts';
import type { Fault, FaultStage, Findings } from './fault.ts';

/** Who reads which topic. */
export const readersOf = {
  [topics.forecast]: ['file', 'warehouse-intake', 'tracking', 'webhook'],
  [topics.warehouse]: ['forecast'],
  [topics.tracking]: ['forecast', 'webhook'],
  [topics.warehouseIntake]: ['warehouse-intake'],
} as const;
type ReadTopic = keyof typeof readersOf;
const readTopics = Object.keys(readersOf) as ReadTopic[];

const FINISHED_WITHIN_MS = 60_000;
const PARCELS = 6;
const ROUNDS = 3;

/** In another order than before. */
function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((element) => ({ element, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ element }) => element);
}

/** Parcels that a merchant now knows something else of than before. */
function changed(before: readonly ParcelView[], after: readonly ParcelView[]): string[] {
  return before.flatMap((view, index) => {
    const now = after[index] as ParcelView;
    if (isDeepStrictEqual(view, now)) return [];
    return [`a repeat changed ${view.forecast.po_number} from ${JSON.stringify(view)} to ${JSON.stringify(now)}`];
  });
}

/** Delivers what the topics hold once more, in any order and on any partition. @returns how many records */
async function again(outsider: KafkaOutsider): Promise<number> {
  let total = 0;
  for (const topic of readTopics) {
    const records: readonly RawRecord[] = await outsider.read(topic);
    const messages = shuffled(records).map(({ key, value, partition }, index) => ({
      key,
      value,
      // Half of them where they were, half where nothing keeps them behind the others of their key.
      partition: index % 2 === 0 ? partition : Math.floor(Math.random() * PARTITIONS),
    }));
    await outsider.produce(topic, ...messages);
    total += messages.length;
  }
  return total;
}

async function repeat(stage: FaultStage, outsider: KafkaOutsider): Promise<Findings> {
  const parcels = await Promise.all(Array.from({ length: PARCELS }, () => travel(stage)));
  const views = (): Promise<ParcelView[]> => Promise.all(parcels.map((poNumber) => viewOf(stage, poNumber)));
  const before = await views();
  let total = 0;
  for (let round = 0; round < ROUNDS; round += 1) total += await again(outsider);
  for (const topic of readTopics) for (const reader of readersOf[topic]) await outsider.untilFinished(reader, topic, FINISHED_WITHIN_MS);
  await pause(2000);
  const violations = changed(before, await views());
  return {
    observed: `${total} records came again, half of them on another partition; ${PARCELS} finished parcels stayed as they were`,
    violations,
  };
}

/** Reports the steps of parcels from the last to the first, each on a partition of its own. */
async function backwards({ merchant, clerk, receivers }: FaultStage, outsider: KafkaOutsider): Promise<Findings> {
  const accepted = await Promise.all(Array.from({ length: PARCELS }, () => merchant.submit()));
  const start = Date.now() - 60_000;
  for (const [step, details] of [
    { type: 'dispatch', carrier_code: 'simulated', tracking_number: '' },
    { type: 'processing' },
    { type: 'weighing', length_cm: 30, width_cm: 20, height_cm: 10, weight_kg: 1 },
    { type: 'arrival' },
  ].entries()) {
    const occurred_at = new Date(start - step * 60_000).toISOString();
    const events = accepted.map(({ forecast_no }) => ({
      ...details,
      ...(step === 0 ? { tracking_number: `BACK${forecast_no}` } : {}),
      forecast_no,
      occurred_at,
    }));
    await outsider.produce(
      topics.warehouseIntake,
      ...events.map((event, index) => ({ value: JSON.stringify(clerk.event(event)), partition: (step * PARCELS + index) % PARTITIONS })),
    );
    await pause(700);
  }
  const violations: string[] = [];
  for (const { po_number } of accepted) {
    const { status } = await merchant.untilStatus(po_number, 5, 20_000).catch(() => merchant.forecast(po_number));
    await merchant
      .untilWeighing(po_number, ({ weight_kg }) => weight_kg === 1, 20_000)
      .catch((error: unknown) => violations.push(String(error)));
    const { history, measurements } = await merchant.forecast(po_number);
    const statuses = history.map((change) => change.status);
    if (status !== 5 || statuses.some((value, index) => value < (statuses[index - 1] ?? 0)))
      violations.push(`${po_number} went ${statuses.join(', ')}`);
    if (measurements.length !== 1) violations.push(`${po_number} has ${measurements.length} measurements`);
    await receivers[0].waitForEvent('parcel.weighed', po_number).catch((error: unknown) => violations.push(String(error)));
  }
  return {
    observed: `${PARCELS} parcels dispatched, processed, weighed, arrived, in this order: all are SHIPPED, with one measurement`,
    violations,
  };
}

/** With a plain Kafka client, closed afterwards. */
export async function withOutsider<T>(stage: Pick<FaultStage, 'platform'>, work: (outsider: KafkaOutsider) => Promise<T>): Promise<T> {
  const outsider = await KafkaOutsider.connect(stage.platform.servers);
  return work(outsider).finally(() => outsider.close());
}

const shared = { group: 'Consumers', servers: 'single', env: { REPLICAS: '2' } } as const;

/** What consumers of the log meet. */
export const consumerFaults: readonly Fault[] = [
  {
    ...shared,
    name: `the whole log delivered again, ${ROUNDS} times, shuffled`,
    expected: 'every effect once; no status goes back; nothing is published twice under another id',
    strike: (stage) => withOutsider(stage, (outsider) => repeat(stage, outsider)),
  },
  {
    ...shared,
    name: 'the steps of a parcel reported in the wrong order',
    expected: 'the status never goes back; the late weighing is accepted and published',
    strike: (stage) => withOutsider(stage, (outsider) => backwards(stage, outsider)),
  },
];

/** Status of a parcel whose way has ended. */
const COMPLETED = 6;
const WITHIN_MS = 30_000;

/** What a merchant knows of a parcel. */
export interface ParcelView {
  readonly forecast: ForecastDetail;
  readonly tracking: TrackingResult;
  /** `webhook-id`s that the first receiver got. */
  readonly received: readonly string[];
}

type Stage = Pick<FaultStage, 'merchant' | 'receivers'>;

/** What the merchant knows of a parcel now. */
export async function viewOf({ merchant, receivers }: Stage, poNumber: string): Promise<ParcelView> {
  const ids = receivers[0].received.filter(({ body }) => body.data.po_number === poNumber).map(({ id }) => id);
  return { forecast: await merchant.forecast(poNumber), tracking: await merchant.tracking(poNumber), received: [...new Set(ids)].sort() };
}

/** Takes a parcel through every step, from the submission to the signature. @returns its po_number */
export async function travel(stage: Stage): Promise<string> {
  const { merchant, receivers } = stage;
  const po_number = newPoNumber('WAY');
  await merchant.submit({ poNumber: po_number, trackingNumber: po_number });
  await merchant.simulate({ po_number, step: 'arrive' });
  await merchant.simulate({ po_number, step: 'weigh', photos: 2 });
  await merchant.simulate({ po_number, step: 'process' });
  await merchant.simulate({ po_number, step: 'dispatch' });
  await merchant.untilShipped(po_number, WITHIN_MS);
  for (const admin_status of ['In Transit', 'Delivery Success'] as const) {
    await merchant.simulate({ po_number, step: 'track', admin_status });
    const isIt = ({ body }: { readonly body: { readonly data: Record<string, unknown> } }): boolean =>
      body.data.po_number === po_number && body.data.admin_status === admin_status;
    await until(() => receivers[0].received.some(isIt), { within: WITHIN_MS, what: `${admin_status} of ${po_number} in a webhook` });
  }
  await merchant.untilStatus(po_number, COMPLETED, WITHIN_MS);
  return po_number;
}
