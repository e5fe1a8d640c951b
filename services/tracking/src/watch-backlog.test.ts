import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import type { Overdue } from './ports.ts';
import { NOW } from './testing/samples.ts';
import { watchBacklog } from './watch-backlog.ts';

test('how far the polls are behind is read again each time, until the end', async () => {
  const telemetry = recordingTelemetry();
  const clock = new ManualClock(NOW);
  let overdue: Overdue = { count: 3, oldestDueAt: NOW - 90_000 };
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
