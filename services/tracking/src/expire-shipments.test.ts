import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { keyText } from './domain/parcel-key.ts';
import type { Shipment } from './domain/shipment.ts';
import { type ArchiveShipments, createRetentionTimer, type ExpiryOptions, expireShipments } from './expire-shipments.ts';
import type { Retention } from './ports.ts';
import { NOW } from './testing/samples.ts';

const KEEP_MS = 1000;

/** A store with some rows to delete, at most a hundred at a time. */
function setUp(rows: number) {
  const asked: [before: number, limit: number][] = [];
  const logged: [level: string, fields: object][] = [];
  const store = { rows, fails: false };
  const retention = { ended: async () => [], age: async () => undefined };
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
  const options: ExpiryOptions = {
    retention: { ...retention, purge },
    clock: new ManualClock(NOW),
    logger,
    keepMs: KEEP_MS,
    archive: undefined,
  };
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

describe('the archive', () => {
  const shipmentOf = (tenantId: string, forecastNo: string) => ({ tenantId, forecastNo, furtherNumber: null }) as Shipment;

  test('has what is deleted, tenant by tenant, and nothing else is deleted', async () => {
    const { options } = setUp(0);
    const ended = [shipmentOf('tnt_a', 'F1'), shipmentOf('tnt_b', 'F2'), shipmentOf('tnt_a', 'F3')];
    const steps: unknown[] = [];
    const retention: Retention = {
      ...options.retention,
      async ended(before, limit) {
        steps.push(['ended', before, limit]);
        return steps.length === 1 ? ended : [];
      },
      async purge(_before, _limit, chosen) {
        steps.push(['purge', [...(chosen ?? [])]]);
        return chosen?.size ?? 0;
      },
    };
    const archive: ArchiveShipments = async (tenantId, shipments) =>
      void steps.push(['archive', tenantId, shipments.map(({ forecastNo }) => forecastNo)]);
    expect(await expireShipments({ ...options, retention, archive }, () => false)).toBe(3);
    expect(steps).toEqual([
      ['ended', NOW - KEEP_MS, 100],
      ['archive', 'tnt_a', ['F1', 'F3']],
      ['archive', 'tnt_b', ['F2']],
      ['purge', ended.map(keyText)],
      ['ended', NOW - KEEP_MS, 100],
      ['purge', []],
    ]);
  });

  test('that is out keeps everything', async () => {
    const { options, asked } = setUp(3);
    const retention = { ...options.retention, ended: async () => [shipmentOf('tnt_a', 'F1')] };
    const archive = () => Promise.reject(new Error('the object store is out'));
    await expect(expireShipments({ ...options, retention, archive }, () => false)).rejects.toThrow('out');
    expect(asked).toEqual([]);
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

  test('cleans up soon after something has become old at once', async () => {
    const { options, asked } = setUp(0);
    const timer = createRetentionTimer(options);
    timer.start();
    await minutes(1);
    expect(asked).toHaveLength(1);
    timer.wake();
    timer.wake();
    await jest.advanceTimersByTimeAsync(5000);
    expect(asked).toHaveLength(2);
    await minutes(10);
    expect(asked).toHaveLength(3);
    await timer.stop();
    timer.wake();
    await minutes(10);
    expect(asked).toHaveLength(3);
  });
});
