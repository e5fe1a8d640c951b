import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { dueShipmentOf, NOW } from '../testing/samples.ts';
import { NotNow } from './domain/not-now.ts';
import { DEFAULT_SCHEDULE, parseSchedule } from './domain/schedule.ts';
import type { Shipment } from './domain/shipment.ts';
import { pollShipment } from './poll-shipments.ts';

const DAY = 86_400_000;

/** Polls a shipment. @returns the shipments whose registration was ended */
async function poll(watchedSince: number, respond: () => Promise<void>): Promise<readonly string[]> {
  const released: Shipment[] = [];
  await pollShipment(
    {
      queue: { lease: async () => [] },
      // A watch ends where no next poll is named.
      record: async (facts) =>
        facts.map((fact) => ({
          change: undefined,
          latestStatus: '' as const,
          isChanged: true,
          ...(fact.type === 'rescheduled' && fact.nextPollAt === null && { endsWatch: true as const }),
        })),
      async refresh(_shipment, _purpose, _traceparent, endPoll) {
        await respond();
        return endPoll?.().nextPollAt === null;
      },
      release: async (shipment) => void released.push(shipment),
      schedule: parseSchedule(DEFAULT_SCHEDULE),
      clock: new ManualClock(NOW),
      logger: silentLogger,
      telemetry: recordingTelemetry().of('tracking'),
      random: () => 0.5,
    },
    dueShipmentOf({ watchedSince }),
  );
  return released.map(({ forecastNo }) => forecastNo);
}

test('a parcel that is watched no more is released, whether it was asked for at last or waited', async () => {
  expect(await poll(NOW - 121 * DAY, async () => undefined)).toEqual(['FC1']);
  expect(await poll(NOW - 119 * DAY, () => Promise.reject(new NotNow(NOW + 3 * DAY, 'blocked')))).toEqual(['FC1']);
});

test('one that is still watched is not', async () => {
  expect(await poll(NOW, async () => undefined)).toEqual([]);
  expect(await poll(NOW, () => Promise.reject(new NotNow(NOW + DAY, 'blocked')))).toEqual([]);
});
