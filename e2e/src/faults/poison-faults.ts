import type { DeadLetterView } from '@parcelway/contracts/admin-api';
import { PARTITIONS, topics } from '@parcelway/contracts/topics';
import { newPoNumber } from '@parcelway/harness/merchant';
import { parcelctlJson } from '@parcelway/harness/parcelctl';
import { until } from '@parcelway/kernel/testing/until';
import type { KafkaOutsider } from '../distributed/kafka-outsider.ts';
import { PLANTED } from '../kill/check-ledger.ts';
import { readersOf, withOutsider } from './consumer-faults.ts';
import type { Fault, FaultStage, Findings } from './fault.ts';
import { type Poison, poisonFor } from './poison-messages.ts';

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

/** A clock that is this much ahead of ours is refused. */
const REFUSED_AHEAD_MS = 24 * 3_600_000;
const CAUSE_MS = 8000;

/** A message is refused because of one of its events, and the cause passes: the clock of a warehouse was ahead of ours. */
async function redriven(stage: FaultStage, outsider: KafkaOutsider): Promise<Findings> {
  const { merchant, clerk, platform, receivers } = stage;
  const topic = topics.warehouseIntake;
  const [good, early] = await Promise.all([merchant.submit({ forecastType: 1 }), merchant.submit({ forecastType: 1 })]);
  const acceptableFrom = Date.now() + CAUSE_MS;
  const events = [
    clerk.weighing({ forecast_no: good.forecast_no }),
    clerk.weighing({ forecast_no: early.forecast_no, occurred_at: new Date(acceptableFrom + REFUSED_AHEAD_MS).toISOString() }),
  ];
  const key = `${PLANTED}early-${newPoNumber()}`;
  await outsider.produce(topic, { key, value: JSON.stringify({ events }) });
  const deadLetter = await until(async () => (await listed(stage, topic)).find((one) => one.key === key), {
    within: LISTED_WITHIN_MS,
    what: 'the dead letter',
  });
  const before = (await merchant.forecast(early.po_number)).measurements.length;
  await until(() => Date.now() > acceptableFrom, { within: CAUSE_MS * 2 });
  const { redriven: count } = await parcelctlJson<{ redriven: number }>(['dlq', 'redrive', '--topic', topic], {
    DATA_DIR: platform.dataDirectory,
  });
  await receivers[0].waitForEvent('parcel.weighed', early.po_number, LISTED_WITHIN_MS);
  const left = (await listed(stage, topic)).filter((one) => one.key === key).length;
  const measured = await Promise.all([good, early].map(async ({ po_number }) => (await merchant.forecast(po_number)).measurements.length));
  const violations = [
    ...(deadLetter.reason.includes('42201') ? [] : [`the reason is ${deadLetter.reason}`]),
    ...(before === 0 ? [] : ['the refused event had its effect before it was redriven']),
    ...(left === 0 ? [] : ['the message is a dead letter still']),
    ...(measured.every((measurements) => measurements === 1) ? [] : [`the parcels have ${measured.join(' and ')} measurements`]),
  ];
  return {
    observed: `refused with ${deadLetter.reason}; ${count} dead letters redriven by parcelctl, and both parcels have one measurement`,
    violations,
  };
}

const shared = { group: 'Consumers', servers: 'single', env: { REPLICAS: '2' } } as const;

/** What is produced onto the topics that nobody can handle, or not yet. */
export const poisonFaults: readonly Fault[] = [
  {
    ...shared,
    name: 'a message refused for a cause that passes, redriven afterwards',
    expected: 'a dead letter; redriven, it has its effect once, and what was good in it is not duplicated',
    strike: (stage) => withOutsider(stage, (outsider) => redriven(stage, outsider)),
  },
  {
    ...shared,
    name: 'poison: bad JSON, bad UTF-8, null, unknown type, unknown version, wrong schema, 900 kB of garbage',
    expected: 'to the dead-letter topic with its bytes and the reason; the partition moves on',
    strike: (stage) => withOutsider(stage, (outsider) => poison(stage, outsider)),
  },
];
