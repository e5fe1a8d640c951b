import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { type CallLedger, EMPTY_LEDGER } from '../accounts/domain/call-ledger.ts';
import { connectionOf, NOW } from '../testing/samples.ts';
import type { TrackingStore } from './tracking-store.ts';
import { watchBacklog, watchConnections } from './watch-gauges.ts';

test('how far the polls are behind is read again each time, until the end', async () => {
  const telemetry = recordingTelemetry();
  const clock = new ManualClock(NOW);
  let overdue: Awaited<ReturnType<TrackingStore['overdue']>> = { count: 3, oldestDueAt: NOW - 90_000 };
  const asked: number[] = [];
  const backlog = {
    overdue: async (now: number) => {
      asked.push(now);
      return overdue;
    },
  };
  const end = watchBacklog(telemetry, backlog, clock);
  await telemetry.readAll();
  overdue = { count: 0, oldestDueAt: null };
  clock.advance(1000);
  await telemetry.readAll();
  end();
  await telemetry.readAll();
  expect(asked).toEqual([NOW, NOW + 1000]);
  expect(telemetry.recorded('parcelway_tracking_overdue_shipments')).toEqual([
    [{}, 3],
    [{}, 0],
  ]);
  expect(telemetry.recorded('parcelway_tracking_oldest_overdue_seconds')).toEqual([
    [{}, 90],
    [{}, 0],
  ]);
});

const DAY_MS = 86_400_000;
const connection = (connectionId: string, source: string) => connectionOf({ connectionId, source });
const limits = (callsPerDay: number | null) => ({ limits: { requestsPerSecond: null, callsPerDay } });

test('shows the calls of the day, the limit where there is one, and the last push where there was one', async () => {
  const telemetry = recordingTelemetry();
  const clock = new ManualClock(NOW);
  const stored: Record<string, CallLedger> = {
    a: { ...EMPTY_LEDGER, day: Math.floor(NOW / DAY_MS), used: 240 },
    b: { ...EMPTY_LEDGER, lastPushAt: NOW - 5000 },
  };
  let own = [connection('a', 'dhl'), connection('b', '17track')];
  const owners: (string | null)[] = [];
  const end = watchConnections(telemetry, {
    connections: {
      ofOwner: async (owner) => {
        owners.push(owner);
        return own;
      },
    },
    sources: new Map([
      ['dhl', limits(250)],
      ['17track', limits(null)],
    ]),
    ledgers: { read: async (id) => stored[id] ?? EMPTY_LEDGER },
    clock,
  });
  await telemetry.readAll();
  expect(owners).toEqual([null]);
  expect(telemetry.recorded('parcelway_source_calls_used')).toEqual([
    [{ connection: 'a' }, 240],
    [{ connection: 'b' }, 0],
  ]);
  expect(telemetry.recorded('parcelway_source_calls_limit')).toEqual([
    [{ connection: 'a' }, 250],
    [{ connection: 'b' }, Number.NaN],
  ]);
  expect(telemetry.recorded('parcelway_source_last_push_timestamp_seconds')).toEqual([[{ connection: 'b' }, (NOW - 5000) / 1000]]);

  clock.advance(DAY_MS);
  own = [connection('a', 'dhl')];
  await telemetry.readAll();
  expect(telemetry.recorded('parcelway_source_calls_used').slice(2)).toEqual([
    [{ connection: 'b' }, Number.NaN],
    [{ connection: 'a' }, 0],
  ]);
  expect(telemetry.recorded('parcelway_source_last_push_timestamp_seconds').at(-1)).toEqual([{ connection: 'b' }, Number.NaN]);
  const removed = telemetry.metrics.filter(({ call }) => call === 'remove').slice(1);
  expect(removed.map(({ name, labels }) => [name, labels['connection']])).toEqual([
    ['parcelway_source_calls_used', 'b'],
    ['parcelway_source_calls_limit', 'b'],
    ['parcelway_source_last_push_timestamp_seconds', 'b'],
  ]);
  const shown = telemetry.metrics.length;
  end();
  await telemetry.readAll();
  expect(telemetry.metrics).toHaveLength(shown);
});
