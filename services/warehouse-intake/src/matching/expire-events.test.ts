import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { accept } from '../testing/follow-one.ts';
import { acceptedForecast, intakeEvent, NOW } from '../testing/samples.ts';
import { openSqliteIntake } from '../testing/sqlite-intake.ts';
import { expireEvents, PURGE_BATCH } from './expire-events.ts';

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
