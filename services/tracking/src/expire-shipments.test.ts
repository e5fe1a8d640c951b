import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { createRetentionTimer, type ExpiryOptions, expireShipments } from './expire-shipments.ts';
import { NOW } from './testing/samples.ts';

const KEEP_MS = 1000;

/** A store with some rows to delete, at most a hundred at a time. */
function setUp(rows: number) {
  const asked: [before: number, limit: number][] = [];
  const logged: [level: string, fields: object][] = [];
  const store = { rows, fails: false };
  const purge = async (before: number, limit: number): Promise<number> => {
    asked.push([before, limit]);
    if (store.fails) throw new Error('the store is out');
    const deleted = Math.min(store.rows, limit);
    store.rows -= deleted;
    return deleted;
  };
  const logger: Logger = {
    ...silentLogger,
    info: (fields: object) => void logged.push(['info', fields]),
    warn: (fields: object) => void logged.push(['warn', fields]),
  };
  const options: ExpiryOptions = { retention: { purge }, clock: new ManualClock(NOW), logger, keepMs: KEEP_MS };
  return { options, asked, logged, store };
}

describe('the clean-up', () => {
  test('deletes what is older than it is kept, batch by batch, until nothing is left', async () => {
    const { options, asked } = setUp(250);
    expect(await expireShipments(options, () => false)).toBe(250);
    expect(asked).toEqual(Array(4).fill([NOW - KEEP_MS, 100]));
  });

  test('ends after the batch under way', async () => {
    const { options, asked } = setUp(250);
    expect(await expireShipments(options, () => true)).toBe(100);
    expect(asked).toHaveLength(1);
  });
});

describe('the timer of the clean-up', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] }));
  afterEach(() => void jest.useRealTimers());
  const minutes = (count: number): Promise<void> => jest.advanceTimersByTimeAsync(count * 60_000);

  test('cleans up at the start and every ten minutes, and says what it has deleted', async () => {
    const { options, asked, logged, store } = setUp(3);
    const timer = createRetentionTimer(options);
    timer.start();
    await minutes(0);
    expect(asked).toHaveLength(2);
    expect(logged).toEqual([['info', { deleted: 3 }]]);
    await jest.advanceTimersByTimeAsync(10 * 60_000 - 1);
    expect(asked).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(asked).toHaveLength(3);
    expect(logged).toHaveLength(1);
    store.rows = 1;
    await minutes(10);
    expect(logged).toHaveLength(2);
    await timer.stop();
    await minutes(60);
    expect(asked).toHaveLength(5);
  });

  test('goes on after a failure', async () => {
    const { options, asked, logged, store } = setUp(0);
    store.fails = true;
    const timer = createRetentionTimer(options);
    timer.start();
    await minutes(0);
    expect(logged).toEqual([['warn', { err: new Error('the store is out') }]]);
    store.fails = false;
    await minutes(10);
    expect(asked).toHaveLength(2);
    await timer.stop();
  });

  test('stops after the batch under way, and for good', async () => {
    const { options, asked } = setUp(250);
    const timer = createRetentionTimer(options);
    timer.start();
    await timer.stop();
    expect(asked).toHaveLength(1);
    await minutes(60);
    expect(asked).toHaveLength(1);
  });
});
