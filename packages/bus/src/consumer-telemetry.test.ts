import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { topics } from '@parcelway/contracts/topics';
import { AppError } from '@parcelway/kernel/app-error';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { openTelemetry, type Telemetry } from '@parcelway/telemetry/telemetry';
import { eventOf, useEmbeddedBus } from './testing/use-embedded-bus.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const labels = (group: string, topic: string) =>
  `service_name="${group}",messaging_consumer_group_name="${group}",messaging_destination_name="${topic}"`;

let telemetry: Telemetry;
beforeEach(async () => {
  telemetry = await openTelemetry({ version: '1', logger: silentLogger, freshMs: 5 });
});
const opened = useEmbeddedBus({ telemetry: () => telemetry });
afterEach(() => telemetry.close());

const cancelled = (given?: string) => eventOf('forecast.cancelled', 'FC1', given === undefined ? {} : { traceparent: given });

/** Waits for a line of the metrics. */
const shows = (line: string) => until(async () => (await telemetry.expose()).text.includes(`${line}\n`), { what: line });

test('messages that are handled, retried and moved to the dead letters are counted as such, and the lag goes back to 0', async () => {
  let tries = 0;
  const subscription = await opened.bus.subscribe('tracking', {
    'forecast.cancelled': async () => {
      tries += 1;
      if (tries === 1) throw AppError.unavailable('not now');
      if (tries === 3) throw new AppError('42201', 'never');
    },
  });
  const counts = (outcome: string) =>
    `messaging_process_duration_seconds_count{${labels('tracking', topics.forecast)},outcome="${outcome}"} 1`;
  await shows(`parcelway_dead_letters_total{${labels('tracking', topics.forecast)}} 0`);
  await opened.bus.publish([cancelled()]);
  await shows(counts('retried'));
  await shows(counts('done'));
  await opened.bus.publish([cancelled()]);
  await shows(counts('dead_lettered'));
  await shows(`parcelway_dead_letters_total{${labels('tracking', topics.forecast)}} 1`);
  await shows(`parcelway_consumer_lag_messages{${labels('tracking', topics.forecast)}} 0`);
  await subscription.stop();
});

test('a handler passes on the trace of its event, or none', async () => {
  const got: (string | undefined)[] = [];
  const subscription = await opened.bus.subscribe('tracking', { 'forecast.cancelled': async (event) => void got.push(event.traceparent) });
  await opened.bus.publish([cancelled(traceparent)]);
  await opened.bus.publish([cancelled()]);
  await opened.bus.publish([cancelled('nonsense')]);
  await shows(`messaging_process_duration_seconds_count{${labels('tracking', topics.forecast)},outcome="done"} 3`);
  expect(got).toEqual([traceparent, undefined, undefined]);
  await subscription.stop();
});
