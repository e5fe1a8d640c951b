import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { openTelemetry } from '@parcelway/telemetry/telemetry';
import type { OutboxSource } from './outbox.ts';
import { WatchedRelays } from './watched-relay.ts';

/** An outbox of which nothing can be leased. */
const waiting = (depth: { count: number; oldestAt: number | null }): OutboxSource => ({
  lease: async () => [],
  remove: async () => undefined,
  depth: async () => depth,
});

test('the outboxes of a service are counted together, and the oldest of them counts', async () => {
  const telemetry = await openTelemetry({ version: 'test', logger: silentLogger, freshMs: 10 });
  const relays = new WatchedRelays(telemetry);
  const clock = new ManualClock(100_000);
  const options = { publish: async () => undefined, logger: silentLogger, clock };
  try {
    relays.start('warehouse-intake', { ...options, source: waiting({ count: 2, oldestAt: 90_000 }) });
    relays.start('warehouse-intake', { ...options, source: waiting({ count: 40, oldestAt: 40_000 }) });
    relays.start('warehouse-intake', { ...options, source: waiting({ count: 0, oldestAt: null }) });
    relays.start('file', { ...options, source: waiting({ count: 0, oldestAt: null }) });
    const wanted = [
      'parcelway_outbox_messages{service_name="warehouse-intake"} 42',
      'parcelway_outbox_oldest_age_seconds{service_name="warehouse-intake"} 60',
      'parcelway_outbox_messages{service_name="file"} 0',
      'parcelway_outbox_oldest_age_seconds{service_name="file"} 0',
    ];
    await until(async () => {
      const lines = (await telemetry.expose()).text.split('\n');
      expect(wanted.filter((line) => !lines.includes(line))).toEqual([]);
      return true;
    });
  } finally {
    await relays.stop();
    await telemetry.close();
  }
});

test('relays that are off leave their outbox alone, also when news come and when they stop', async () => {
  let leases = 0;
  const source: OutboxSource = {
    ...waiting({ count: 1, oldestAt: 1 }),
    lease: async () => {
      leases += 1;
      return [];
    },
  };
  const given = { source, publish: async () => undefined, logger: silentLogger, clock: new ManualClock(1) };
  const telemetry = await openTelemetry({ version: 'test', logger: silentLogger });
  const off = new WatchedRelays(telemetry, { isOn: false });
  off.start('file', given).notify();
  await off.stop();
  expect(leases).toBe(0);
  const on = new WatchedRelays(telemetry);
  on.start('file', given).notify();
  await until(() => leases > 0);
  await on.stop();
  await telemetry.close();
});
