import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { accept, acceptedForecast, intakeEvent, NOW } from '../testing/samples.ts';
import { openSqliteIntake } from '../testing/sqlite-intake.ts';
import { expireEvents, PURGE_BATCH } from './expire-events.ts';
import type { Recovery } from './ports.ts';
import { resumeEvents } from './resume-events.ts';

const KEEP_MS = 90 * 86_400_000;

async function setUp(events: number) {
  const clock = new ManualClock(NOW);
  const store = openSqliteIntake(new SqliteDatabase(':memory:'), clock);
  await accept(store, acceptedForecast());
  await store.record(Array.from({ length: events }, () => intakeEvent()));
  const warnings: LogFields[] = [];
  const logger = { ...silentLogger, warn: (fields: LogFields) => void warnings.push(fields) };
  return { clock, store, warnings, options: { retention: store, clock, logger, keepMs: KEEP_MS } };
}

describe('expireEvents', () => {
  test('deletes what is past its time, batch by batch, and nothing before', async () => {
    const { clock, options } = await setUp(2 * PURGE_BATCH + 1);
    clock.advance(KEEP_MS);
    expect(await expireEvents(options)).toBe(0);
    clock.advance(1);
    expect(await expireEvents(options)).toBe(2 * PURGE_BATCH + 1);
    expect(await expireEvents(options)).toBe(0);
  });

  test('names unclaimed events that it drops', async () => {
    const { clock, store, warnings, options } = await setUp(1);
    const lost = intakeEvent({ expressNo: 'OTHER1' });
    await store.record([lost]);
    clock.advance(KEEP_MS + 1);
    await expireEvents(options);
    expect(warnings).toEqual([{ events: 1, sample: [`WH1/${lost.eventId}`] }]);
  });

  test('ends between two batches when the service stops', async () => {
    const { clock, options } = await setUp(2 * PURGE_BATCH);
    clock.advance(KEEP_MS + 1);
    expect(await expireEvents({ ...options, stopping: () => true })).toBe(PURGE_BATCH);
  });
});

describe('resume events', () => {
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
});
