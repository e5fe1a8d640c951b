import { expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { openTelemetry } from '@parcelway/telemetry/telemetry';
import { readQueues } from './service-queues.ts';

test('what waits in a service is what its metrics say, and nothing of another service', async () => {
  const telemetry = await openTelemetry({ version: '0.0.0', logger: silentLogger });
  const { metrics } = telemetry.of('webhook');
  const group = 'webhook';
  telemetry.readWhenExposed('webhook', 'all', async () => {
    for (const [topic, lag] of [
      ['a.b', 3],
      ['c.d', 0],
    ] as const)
      metrics.set('parcelway_consumer_lag_messages', { messaging_consumer_group_name: group, messaging_destination_name: topic }, lag);
    metrics.set('parcelway_webhook_due_deliveries', {}, 12);
    metrics.set('parcelway_webhook_oldest_due_age_seconds', {}, 2.5);
  });
  const intake = telemetry.of('warehouse-intake').metrics;
  intake.set('parcelway_intake_unclaimed_events', { reason: 'NO_FORECAST' }, 1);
  intake.set('parcelway_intake_unclaimed_events', { reason: 'AMBIGUOUS' }, 2);
  expect(await readQueues(telemetry, 'webhook')).toEqual({
    queues: [
      { queue: 'events', topic: 'a.b', waiting: 3, oldest_wait_seconds: null },
      { queue: 'events', topic: 'c.d', waiting: 0, oldest_wait_seconds: null },
      { queue: 'webhook_deliveries', topic: null, waiting: 12, oldest_wait_seconds: 2.5 },
    ],
  });
  expect(await readQueues(telemetry, 'warehouse-intake')).toEqual({
    queues: [{ queue: 'unclaimed_events', topic: null, waiting: 3, oldest_wait_seconds: null }],
  });
  expect(await readQueues(telemetry, 'file')).toEqual({ queues: [] });
  await telemetry.close();
});

test('figures that cannot be read anew are not shown, with a refusal that names them', async () => {
  const telemetry = await openTelemetry({ version: '0.0.0', logger: silentLogger, freshMs: 0 });
  let isOut = false;
  telemetry.readWhenExposed('webhook', 'deliveries that are due', async () => {
    if (isOut) throw new Error('The store is out');
    telemetry.of('webhook').metrics.set('parcelway_webhook_due_deliveries', {}, 3);
  });
  expect((await readQueues(telemetry, 'webhook')).queues).toMatchObject([{ waiting: 3 }]);
  isOut = true;
  await expect(readQueues(telemetry, 'webhook')).rejects.toMatchObject({
    code: '50301',
    message: 'The webhook service cannot read now: deliveries that are due',
  });
  isOut = false;
  expect((await readQueues(telemetry, 'webhook')).queues).toMatchObject([{ waiting: 3 }]);
  await telemetry.close();
});
