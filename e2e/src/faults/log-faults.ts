import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { DeadLetterView } from '@parcelway/contracts/admin-api';
import { topicConsumers } from '@parcelway/contracts/topic-consumers';
import { deadLetterTopic, PARTITIONS, type Topic, topics } from '@parcelway/contracts/topics';
import { type KafkaOutsider, withOutsider } from '@parcelway/harness/kafka-outsider';
import { newPoNumber } from '@parcelway/harness/merchant';
import { parcelctlJson } from '@parcelway/harness/parcelctl';
import type { ReceivedWebhook } from '@parcelway/harness/webhook-receiver';
import { until } from '@parcelway/kernel/testing/until';
import { PLANTED } from '../ledger/check-ledger.ts';
import type { Fault, FaultStage, Findings } from './fault.ts';

/* Faults of messages on the log. */

/** The topics of parcels, and a known type on each. */
const types: Readonly<Partial<Record<Topic, string>>> = {
  [topics.forecast]: 'forecast.accepted',
  [topics.warehouse]: 'warehouse.weighed',
  [topics.tracking]: 'tracking.changed',
  [topics.warehouseIntake]: 'weighing',
};
const ofParcels = Object.keys(types) as Topic[];

const ROUNDS = 3;
const FINISHED_WITHIN_MS = 60_000;
/** Parcels that are completed before the log is delivered again. */
const PARCELS = 6;
const TRAVELLED_WITHIN_MS = 30_000;
const SENT_WITHIN_MS = 2000;

/** The elements in random order. */
export function shuffled<T>(list: readonly T[]): T[] {
  return list
    .map((element) => ({ element, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ element }) => element);
}

const COMPLETED = 6;

/** Takes a parcel through every step, from the submission to the signature. Its weighing comes by the topic of the warehouses. @returns its po_number */
async function travel({ merchant, clerk, receivers: [receiver] }: FaultStage, outsider: KafkaOutsider): Promise<string> {
  const po_number = newPoNumber('WAY');
  const { forecast_no } = await merchant.submit({ poNumber: po_number, trackingNumber: po_number });
  await merchant.simulate({ po_number, step: 'arrive' });
  await outsider.produce(topics.warehouseIntake, { key: forecast_no, value: JSON.stringify(clerk.weighing({ forecast_no })) });
  await merchant.untilWeighing(po_number, ({ weight_kg }) => weight_kg === 1.25, TRAVELLED_WITHIN_MS);
  await merchant.simulate({ po_number, step: 'process' });
  await merchant.simulate({ po_number, step: 'dispatch' });
  await merchant.untilShipped(po_number, TRAVELLED_WITHIN_MS);
  for (const admin_status of ['In Transit', 'Delivery Success'] as const) {
    await merchant.simulate({ po_number, step: 'track', admin_status });
    const isIt = ({ body: { data } }: ReceivedWebhook): boolean => data.po_number === po_number && data.admin_status === admin_status;
    await until(() => receiver.received.some(isIt), { within: TRAVELLED_WITHIN_MS, what: `${admin_status} of ${po_number} in a webhook` });
  }
  await merchant.untilStatus(po_number, COMPLETED, TRAVELLED_WITHIN_MS);
  return po_number;
}

/** A merchant's view of a parcel, with the webhook-ids received for it. */
async function viewOf({ merchant, receivers: [receiver] }: FaultStage, poNumber: string): Promise<object> {
  const ids = receiver.received.filter(({ body }) => body.data.po_number === poNumber).map(({ id }) => id);
  return { forecast: await merchant.forecast(poNumber), tracking: await merchant.tracking(poNumber), received: [...new Set(ids)].sort() };
}

/** Delivers the whole log several times, shuffled and partly on other partitions. Completed parcels must not change. */
async function repeat(stage: FaultStage, outsider: KafkaOutsider): Promise<Findings> {
  const parcels = await Promise.all(Array.from({ length: PARCELS }, () => travel(stage, outsider)));
  await outsider.untilQuiet(FINISHED_WITHIN_MS, ofParcels);
  // A webhook is sent a moment after its event was read.
  await pause(SENT_WITHIN_MS);
  const views = (): Promise<object[]> => Promise.all(parcels.map((poNumber) => viewOf(stage, poNumber)));
  const before = await views();
  const violations: string[] = [];
  let total = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const topic of ofParcels) {
      const messages = shuffled(await outsider.read(topic)).map(({ key, value, partition }, index) => ({
        key,
        value,
        // Half stay on their partition; the others lose the order within their key.
        partition: index % 2 === 0 ? partition : Math.floor(Math.random() * PARTITIONS),
      }));
      if (messages.length > 0) await outsider.produce(topic, ...messages);
      else violations.push(`${topic} was empty: nothing was delivered again`);
      total += messages.length;
    }
  }
  await outsider.untilQuiet(FINISHED_WITHIN_MS, ofParcels);
  await pause(SENT_WITHIN_MS);
  const after = await views();
  const changed = parcels.flatMap((poNumber, index) => {
    const [then, now] = [before[index], after[index]];
    if (isDeepStrictEqual(then, now)) return [];
    return [`a repeat changed ${poNumber} from ${JSON.stringify(then)} to ${JSON.stringify(now)}`];
  });
  return {
    observed: `${total} records delivered again, half of them on another partition; ${parcels.length} completed parcels compared before and after`,
    violations: [...violations, ...changed],
  };
}

/** A message that no consumer can handle. */
interface Poison {
  /** Begins with {@link PLANTED}, so that its dead letters differ from others. */
  readonly key: string;
  readonly value: Buffer | null;
  /** Code at the beginning of the reason of its dead letters. */
  readonly code: string;
}

/** An event in the form of the domain events; the intake takes it for a report, as it has a `type`. */
function event(over: Readonly<Record<string, unknown>>): Buffer {
  const cloud = {
    specversion: '1.0',
    id: 'evt_planted',
    source: '/services/outsider',
    subject: 'FC-planted',
    datacontenttype: 'application/json',
  };
  const own = { event_id: 'we-planted', time: new Date().toISOString(), tenantid: 'tnt_planted', environment: 'sandbox' };
  return Buffer.from(JSON.stringify({ ...cloud, ...own, data: { weight_kg: 'heavy' }, ...over }));
}

/** One message of each kind for a topic. @param mark makes the keys distinct */
function poisonFor(topic: Topic, mark: string): readonly Poison[] {
  const kinds: readonly (readonly [kind: string, value: Buffer | null, code: string])[] = [
    ['bad-json', Buffer.from('{"specversion":"1.0","id":"evt_'), '40001'],
    ['not-utf8', Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}')]), '40001'],
    ['null', null, '40001'],
    ['unknown-type', event({ type: 'parcel.teleported' }), '42201'],
    ['unknown-version', event({ specversion: '7.0', type: 'parcel.teleported' }), '42201'],
    ['wrong-schema', event({ type: types[topic] }), '42201'],
    ['garbage', randomBytes(900_000), '40001'],
  ];
  return kinds.map(([kind, value, code]) => ({ key: `${PLANTED}${kind}-${mark}`, value, code }));
}

const LISTED_WITHIN_MS = 30_000;

/** Waits until every consumer of a topic has dead-lettered every message, with its reason and bytes. @returns violations */
async function deadLettered(
  { platform }: FaultStage,
  outsider: KafkaOutsider,
  topic: Topic,
  planted: readonly Poison[],
): Promise<string[]> {
  const args = ['dlq', 'list', '--topic', topic, '--limit', '1000'];
  const missing = async (): Promise<string[]> => {
    const { dead_letters } = await parcelctlJson<{ dead_letters: DeadLetterView[] }>(args, { DATA_DIR: platform.dataDirectory });
    const has = (key: string, code: string, group: string): boolean =>
      dead_letters.some((one) => one.key === key && one.group === group && one.reason.startsWith(code));
    return planted.flatMap(({ key, code }) =>
      topicConsumers[topic].filter((group) => !has(key, code, group)).map((group) => `${group} has no dead letter of ${key} with ${code}`),
    );
  };
  const options = { within: LISTED_WITHIN_MS, everyMs: 500, what: 'dead letters' };
  const absent = await until(async () => (await missing()).length === 0, options).then(() => [], missing);
  const bytes = new Map((await outsider.read(deadLetterTopic(topic))).map(({ key, value }) => [String(key), value]));
  const changed = planted.filter(({ key, value }) => !bytes.get(key)?.equals(value ?? Buffer.alloc(0)));
  return [...absent, ...changed.map(({ key }) => `the dead letter of ${key} has other bytes`)];
}

/** Puts poison on every partition of every topic that is read, under load. */
async function poison(stage: FaultStage, outsider: KafkaOutsider): Promise<Findings> {
  const violations: string[] = [];
  const acknowledged = stage.ledger.totals.weighings;
  let count = 0;
  for (const topic of ofParcels) {
    const planted = ['a', 'b'].flatMap((half) => poisonFor(topic, newPoNumber(half)));
    await outsider.produce(topic, ...planted.map(({ key, value }, index) => ({ key, value, partition: index % PARTITIONS })));
    violations.push(...(await deadLettered(stage, outsider, topic, planted)));
    count += planted.length;
  }
  const since = stage.ledger.totals.weighings - acknowledged;
  return {
    observed: `${count} messages on all partitions of ${ofParcels.length} topics; ${since} weighings meanwhile`,
    violations: [...violations, ...(since === 0 ? ['the load stood still'] : [])],
  };
}

const shared = { group: 'Consumers', servers: 'single', env: { REPLICAS: '2' } } as const;

/** Faults of messages on the log. */
export const logFaults: readonly Fault[] = [
  {
    ...shared,
    name: `the whole log delivered again, ${ROUNDS} times, shuffled`,
    expected: 'every effect once; no status goes back; nothing is published twice under another id',
    strike: (stage) => withOutsider(stage, (outsider) => repeat(stage, outsider)),
  },
  {
    ...shared,
    name: 'poison: bad JSON, bad UTF-8, null, unknown type, unknown version, wrong schema, 900 kB of garbage',
    expected: 'moved to the dead-letter topic with its bytes and the reason; the partition continues',
    strike: (stage) => withOutsider(stage, (outsider) => poison(stage, outsider)),
  },
];
