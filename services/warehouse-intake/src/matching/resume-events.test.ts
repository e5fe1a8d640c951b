import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import { NOW } from '../testing/samples.ts';
import type { Recovery } from './ports.ts';
import { resumeEvents } from './resume-events.ts';

/** A store with so many half-done events, of which every second one finds its forecast. */
function setUp(events: number) {
  const warnings: LogFields[] = [];
  const befores: number[] = [];
  let left = events;
  let notified = 0;
  const recovery: Recovery = {
    async resume(before, limit) {
      befores.push(before);
      const resumed = Math.min(limit, left);
      left -= resumed;
      return { resumed, published: Math.floor(resumed / 2) };
    },
  };
  const logger = { ...silentLogger, warn: (fields: LogFields) => void warnings.push(fields) };
  const notify = (): void => {
    notified += 1;
  };
  return { options: { recovery, clock: new ManualClock(NOW), logger, notify }, warnings, befores, notified: () => notified };
}

describe('resumeEvents', () => {
  test('is silent when nothing is half done, and leaves alone what somebody may still be at', async () => {
    const { options, warnings, befores, notified } = setUp(0);
    expect(await resumeEvents(options)).toBe(0);
    expect(befores).toEqual([NOW - 60_000]);
    expect([warnings, notified()]).toEqual([[], 0]);
  });

  test('goes on batch by batch, says how many, and wakes the relay', async () => {
    const { options, warnings, befores, notified } = setUp(501);
    expect(await resumeEvents(options)).toBe(501);
    expect(befores).toHaveLength(2);
    expect(warnings).toEqual([
      { events: 500, published: 250 },
      { events: 1, published: 0 },
    ]);
    expect(notified()).toBe(1);
  });

  test('ends between two batches when the service stops', async () => {
    const { options } = setUp(2000);
    expect(await resumeEvents({ ...options, stopping: () => true })).toBe(500);
  });
});
