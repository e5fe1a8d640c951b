import { expect, test } from '@jest/globals';
import type { DeadLetterView } from '@parcelway/contracts/admin-api';
import { topics } from '@parcelway/contracts/topics';
import { parcelctlJson } from '@parcelway/harness/parcelctl';
import { until } from '@parcelway/kernel/testing/until';
import { useSubscribed } from '../subscription.ts';
import { useStage } from '../use-stage.ts';
import { useOutsider } from './use-outsider.ts';

/* A warehouse system that talks to the topic itself, with a Kafka client of its own. */

const TOPIC = topics.warehouseIntake;
/** Reports of a time further ahead than this are refused. */
const MAX_AHEAD_MS = 24 * 3_600_000;

const stage = useStage();
const outsider = useOutsider(stage);
const { merchant, receiver } = useSubscribed(stage);

/** What an operator sees. */
async function deadLetters(): Promise<readonly DeadLetterView[]> {
  const { dead_letters } = await parcelctlJson<{ dead_letters: DeadLetterView[] }>(['dlq', 'list', '--topic', TOPIC], {
    DATA_DIR: stage.platform.dataDirectory,
  });
  return dead_letters;
}

const deadLetter = (key: string): Promise<DeadLetterView> =>
  until(async () => (await deadLetters()).find((found) => found.key === key), { within: 20_000, everyMs: 200, what: 'a dead letter' });

async function redrive(): Promise<number> {
  const env = { DATA_DIR: stage.platform.dataDirectory };
  return (await parcelctlJson<{ redriven: number }>(['dlq', 'redrive', '--topic', TOPIC], env)).redriven;
}

test('a weighing on the topic reaches the webhook', async () => {
  const { po_number, forecast_no } = await merchant.submit({ forecastType: 1 });
  const { photo_id } = await stage.clerk.photo();
  const event = stage.clerk.weighing({ forecast_no, weight_kg: 4.125, photo_ids: [photo_id] });
  await outsider.produce(TOPIC, { key: forecast_no, value: JSON.stringify(event) });
  const webhook = await receiver.waitForEvent('parcel.weighed', po_number, 20_000);
  expect(webhook.body.data).toMatchObject({ forecast_no, po_number, event_seq: 1, status: 3 });
  expect(await merchant.weighing(po_number)).toMatchObject({ weight_kg: 4.125, weighing_images: { length: 1 } });
  // Whatever way it comes by, an event has its effect once.
  await outsider.produce(TOPIC, { key: 'another', value: JSON.stringify(event) });
  await outsider.untilFinished('warehouse-intake', TOPIC, 20_000);
  expect(await stage.clerk.report(event)).toMatchObject({ accepted: 0, duplicates: 1 });
  expect((await merchant.forecast(po_number)).measurements).toHaveLength(1);
});

test('a dead letter whose cause has passed has its effect once it is redriven', async () => {
  const { po_number, forecast_no } = await merchant.submit({ forecastType: 1 });
  // The clock of the warehouse is a day ahead of ours and some seconds more.
  const acceptableFrom = Date.now() + 6000;
  const occurred_at = new Date(acceptableFrom + MAX_AHEAD_MS).toISOString();
  const early = stage.clerk.weighing({ forecast_no, occurred_at });
  await outsider.produce(TOPIC, { key: 'early', value: JSON.stringify(early) });
  expect((await deadLetter('early')).reason).toMatch(/^42201 .*24 hours/);
  expect((await merchant.forecast(po_number)).measurements).toEqual([]);
  await until(() => Date.now() > acceptableFrom, { within: 10_000, what: 'the time to be near enough' });
  expect(await redrive()).toBe(1);
  await receiver.waitForEvent('parcel.weighed', po_number, 20_000);
  expect((await merchant.forecast(po_number)).measurements).toHaveLength(1);
  await outsider.untilFinished('warehouse-intake', TOPIC, 20_000);
  expect(await deadLetters()).toEqual([]);
}, 90_000);
