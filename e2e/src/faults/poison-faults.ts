import { randomBytes } from 'node:crypto';
import type { DeadLetterView } from '@parcelway/contracts/admin-api';
import { PARTITIONS, topics } from '@parcelway/contracts/topics';
import { newPoNumber } from '@parcelway/harness/merchant';
import { parcelctlJson } from '@parcelway/harness/parcelctl';
import { until } from '@parcelway/kernel/testing/until';
import type { KafkaOutsider } from '../distributed/kafka-outsider.ts';
import { PLANTED } from '../kill/check-ledger.ts';
import { readersOf, withOutsider } from './consumer-faults.ts';
import type { Fault, FaultStage, Findings } from './fault.ts';

const LISTED_WITHIN_MS = 30_000;

/** The dead letters of a topic, as the operator's command lists them. */
async function listed({ platform }: FaultStage, topic: string): Promise<readonly DeadLetterView[]> {
  const args = ['dlq', 'list', '--topic', topic, '--limit', '1000'];
  return (await parcelctlJson<{ dead_letters: DeadLetterView[] }>(args, { DATA_DIR: platform.dataDirectory })).dead_letters;
}

/** Waits until every reader of a topic has given every message up, each with its reason. @returns violations */
async function deadLettered(
  stage: FaultStage,
  outsider: KafkaOutsider,
  topic: keyof typeof readersOf,
  planted: readonly Poison[],
): Promise<string[]> {
  const violations: string[] = [];
  const missing = async (): Promise<string[]> => {
    const found = await listed(stage, topic);
    return planted.flatMap(({ key, code }) => {
      const matching = found.filter((one) => one.key === key && one.reason.startsWith(code));
      return readersOf[topic]
        .filter((group) => !matching.some((one) => one.group === group))
        .map((group) => `${group} has no dead letter of ${key} with ${code}`);
    });
  };
  await until(async () => (await missing()).length === 0, { within: LISTED_WITHIN_MS, everyMs: 500, what: 'dead letters' }).catch(
    async () => violations.push(...(await missing())),
  );
  const bytes = new Map((await outsider.read(`${topic}.dlq`)).map(({ key, value }) => [String(key), value]));
  for (const { key, value } of planted) {
    if (!(bytes.get(key) ?? Buffer.from('absent')).equals(value ?? Buffer.alloc(0)))
      violations.push(`the dead letter of ${key} has other bytes`);
  }
  return violations;
}

/** Puts poison on every partition of every topic that is read, under load. */
async function poison(stage: FaultStage, outsider: KafkaOutsider): Promise<Findings> {
  const violations: string[] = [];
  const acknowledged = stage.load.ledger.totals.weighings;
  let count = 0;
  for (const topic of Object.keys(readersOf) as (keyof typeof readersOf)[]) {
    const planted = ['a', 'b'].flatMap((half) => poisonFor(topic, newPoNumber(half)));
    await outsider.produce(topic, ...planted.map(({ key, value }, index) => ({ key, value, partition: index % PARTITIONS })));
    violations.push(...(await deadLettered(stage, outsider, topic, planted)));
    count += planted.length;
  }
  const since = stage.load.ledger.totals.weighings - acknowledged;
  if (since === 0) violations.push('the load stood still');
  return {
    observed: `${count} messages on all partitions of ${Object.keys(readersOf).length} topics, each a dead letter of every reader with its bytes and reason; ${since} weighings meanwhile`,
    violations,
  };
}

const shared = { group: 'Consumers', servers: 'single', env: { REPLICAS: '2' } } as const;

/** What is produced onto the topics that nobody can handle, or not yet. */
export const poisonFaults: readonly Fault[] = [
  {
    ...shared,
    name: 'poison: bad JSON, bad UTF-8, null, unknown type, unknown version, wrong schema, 900 kB of garbage',
    expected: 'to the dead-letter topic with its bytes and the reason; the partition moves on',
    strike: (stage) => withOutsider(stage, (outsider) => poison(stage, outsider)),
  },
];

/** A message that no consumer can handle. */
export interface Poison {
  /** Begins with {@link PLANTED}, so that its dead letters differ from others. */
  readonly key: string;
  readonly value: Buffer | null;
  /** Code at the beginning of the reason of its dead letters. */
  readonly code: string;
}

const GARBAGE_BYTES = 900_000;

/** A known type on each topic; its data will be wrong. */
const typeOn: Readonly<Record<string, string>> = {
  [topics.forecast]: 'forecast.accepted',
  [topics.warehouse]: 'warehouse.weighed',
  [topics.tracking]: 'tracking.changed',
  [topics.warehouseIntake]: 'weighing',
};

/** An event in the form of the domain events; the intake takes it for a report, as it has a `type`. */
function event(over: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(
    JSON.stringify({
      specversion: '1.0',
      id: 'evt_planted',
      event_id: 'we-planted',
      source: '/services/outsider',
      subject: 'FC-planted',
      time: new Date().toISOString(),
      datacontenttype: 'application/json',
      tenantid: 'tnt_planted',
      environment: 'sandbox',
      data: { weight_kg: 'heavy' },
      ...over,
    }),
  );
}

/** One message of each kind for a topic. @param mark makes the keys distinct */
export function poisonFor(topic: string, mark: string): readonly Poison[] {
  const kinds: readonly (readonly [kind: string, value: Buffer | null, code: string])[] = [
    ['bad-json', Buffer.from('{"specversion":"1.0","id":"evt_'), '40001'],
    ['not-utf8', Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}')]), '40001'],
    ['null', null, '40001'],
    ['unknown-type', event({ type: 'parcel.teleported' }), '42201'],
    ['unknown-version', event({ specversion: '7.0', type: 'parcel.teleported' }), '42201'],
    ['wrong-schema', event({ type: typeOn[topic] }), '42201'],
    ['garbage', randomBytes(GARBAGE_BYTES), '40001'],
  ];
  return kinds.map(([kind, value, code]) => ({ key: `${PLANTED}${kind}-${mark}`, value, code }));
}
