import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { type CallLedger, EMPTY_LEDGER } from '../accounts/domain/call-ledger.ts';
import { connectionOf, NOW } from '../testing/samples.ts';
import { watchBacklog, watchConnections } from './watch-gauges.ts';

const DAY_MS = 86_400_000;

test('how far the polls are behind is read again each time, until the end', async () => {
  const telemetry = recordingTelemetry();
  const clock = new ManualClock(NOW);
  const read = [
    { count: 3, oldestDueAt: NOW - 90_000 },
    { count: 0, oldestDueAt: null },
  ];
  const end = watchBacklog(telemetry, { overdue: async () => read.shift() ?? { count: 9, oldestDueAt: 0 } }, clock);
  for (let time = 0; time < 2; time += 1) await telemetry.readAll();
  end();
  await telemetry.readAll();
  expect(telemetry.recorded('parcelway_tracking_overdue_shipments').map(([, value]) => value)).toEqual([3, 0]);
  expect(telemetry.recorded('parcelway_tracking_oldest_overdue_seconds').map(([, value]) => value)).toEqual([90, 0]);
});

test('shows the calls of the day, the limit where there is one, and the last push where there was one', async () => {
  const telemetry = recordingTelemetry();
  const clock = new ManualClock(NOW);
  const stored: Record<string, CallLedger> = {
    a: { ...EMPTY_LEDGER, day: Math.floor(NOW / DAY_MS), used: 240 },
    b: { ...EMPTY_LEDGER, lastPushAt: NOW - 5000 },
  };
  const limits = (callsPerDay: number | null) => ({ limits: { requestsPerSecond: null, callsPerDay } });
  let own = [connectionOf({ connectionId: 'a', source: 'dhl' }), connectionOf({ connectionId: 'b' })];
  const end = watchConnections(telemetry, {
    connections: { ofOwner: async (owner) => (owner === null ? own : []) },
    sources: new Map([
      ['dhl', limits(250)],
      ['17track', limits(null)],
    ]),
    ledgers: { read: async (id) => stored[id] ?? EMPTY_LEDGER },
    clock,
  });
  /** What is recorded so far; NaN for what is shown no more. */
  const shown = async (): Promise<string[]> => {
    await telemetry.readAll();
    return ['calls_used', 'calls_limit', 'last_push_timestamp_seconds'].flatMap((name) =>
      telemetry.recorded(`parcelway_source_${name}`).map(([{ connection }, value]) => `${name} ${connection} ${value}`),
    );
  };
  const pushedAt = (NOW - 5000) / 1000;
  const first = [
    'calls_used a 240',
    'calls_used b 0',
    'calls_limit a 250',
    'calls_limit b NaN',
    `last_push_timestamp_seconds b ${pushedAt}`,
  ];
  expect(await shown()).toEqual(first);
  clock.advance(DAY_MS);
  own = own.slice(0, 1);
  const second = (await shown()).filter((line) => !first.includes(line));
  expect(second.sort()).toEqual(['calls_used a 0', 'calls_used b NaN', 'last_push_timestamp_seconds b NaN']);
  const { length } = telemetry.metrics;
  end();
  await telemetry.readAll();
  expect(telemetry.metrics).toHaveLength(length);
});
