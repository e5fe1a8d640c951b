import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ManualClock, systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { release, watchFlushes } from '@parcelway/sqlite/testing/watched-flushes';
import { describeBusDriver } from './driver.conformance.ts';
import type { BusDriver, LogRecord } from './driver.ts';
import { openEmbeddedBus } from './embedded-driver.ts';
import { partitionOfKey } from './embedded-log.ts';
import { EmbeddedRetention } from './embedded-retention.ts';
import { GatheredWakes } from './gathered-wakes.ts';
import { openBusInFile } from './testing/bus-in-file.ts';

const DAY = 86_400_000;

describeBusDriver('embedded', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bus-'));
  return {
    open: () => openBusInFile(join(directory, 'bus.db'), { clock: systemClock, logger: silentLogger, partitions: 12 }),
    destroy: async () => rmSync(directory, { recursive: true, force: true }),
  };
});

describe('embedded log', () => {
  let db: SqliteDatabase;
  let clock: ManualClock;
  let driver: BusDriver;
  const open = (): Promise<BusDriver> => openEmbeddedBus({ db, clock, logger: silentLogger, partitions: 3 });

  beforeEach(async () => {
    db = new SqliteDatabase(':memory:');
    clock = new ManualClock(1_700_000_000_000);
    driver = await open();
  });
  afterEach(async () => {
    await driver.close();
    db.close();
  });

  /** Runs the retention while no driver is open, so that the next one remembers nothing. */
  const clean = async (): Promise<number> => {
    await driver.close();
    const retention = new EmbeddedRetention(db, clock, silentLogger);
    let all = 0;
    for (let isMore = true; isMore; ) {
      const step = await retention.deleteSome();
      all += step.deleted;
      isMore = step.isMore;
    }
    driver = await open();
    return all;
  };
  const finish = async (group: string, topic: string): Promise<void> => {
    await driver.commit({ group, records: await driver.peek({ group, topic, limit: 10_000 }) });
  };
  const offsets = async (group: string, topic: string): Promise<string[]> =>
    (await driver.peek({ group, topic, limit: 100 })).map((record) => record.offset);

  test.each([true, false])('records of a group gather when nobody waits for it: %s', async (isUnhurried) => {
    const gathered = jest.spyOn(GatheredWakes.prototype, 'wake');
    const got: string[] = [];
    const handle = async (records: readonly LogRecord[]) => {
      got.push(...records.map(({ offset }) => offset));
      return { done: records.length, pauseMs: 0 };
    };
    await driver.consume({ group: 'g', topics: ['t'], handle, isUnhurried });
    for (const value of ['a', 'b', 'c']) await driver.publish([{ topic: 't', key: 'k', value }]);
    await until(async () => got.length === 3, { within: 5000, what: 'the records' });
    expect([got, gathered.mock.calls.length]).toEqual([['0', '1', '2'], isUnhurried ? 3 : 0]);
    gathered.mockRestore();
  });

  test('a batch that cannot be stored leaves nothing behind and no gap', async () => {
    await driver.publish([{ topic: 't', key: 'k', value: 'first' }]);
    const broken = { topic: 't', key: 'k', value: undefined as unknown as string };
    await expect(driver.publish([{ topic: 't', key: 'k', value: 'lost' }, broken])).rejects.toThrow();
    await Promise.all([expect(driver.publish([broken])).rejects.toThrow(), driver.publish([{ topic: 't', key: 'k', value: 'second' }])]);
    const records = await driver.peek({ group: 'g', topic: 't', limit: 10 });
    expect(records.map((record) => Buffer.from(record.value ?? []).toString())).toEqual(['first', 'second']);
    expect(records.map((record) => record.offset)).toEqual(['0', '1']);
    expect(await driver.lag({ group: 'g', topic: 't' })).toBe(2);
  });

  test('deletes old records that every group has finished, in more than one step', async () => {
    await driver.publish(Array.from({ length: 1200 }, () => ({ topic: 't', key: 'k', value: 'x' })));
    clock.advance(8 * DAY);
    await driver.publish([{ topic: 't', key: 'k', value: 'young' }]);
    await finish('quick', 't');
    expect(await clean()).toBe(1200);
    expect(await offsets('new', 't')).toEqual(['1200']);
    expect(await driver.lag({ group: 'new', topic: 't' })).toBe(1);
    expect(await driver.lag({ group: 'quick', topic: 't' })).toBe(0);
  });

  test('keeps old records that a known group has not finished', async () => {
    await driver.publish([{ topic: 't', key: 'k', value: 'x' }]);
    const slow = await driver.consume({ group: 'slow', topics: ['t'], handle: async () => ({ done: 0, pauseMs: 600_000 }) });
    await finish('quick', 't');
    await slow.stop();
    clock.advance(100 * DAY);
    expect(await clean()).toBe(0);
    expect(await offsets('slow', 't')).toEqual(['0']);
    await finish('slow', 't');
    expect(await clean()).toBe(1);
  });

  test('dead letters stay 30 days, then go even if nobody looked', async () => {
    await driver.publish([{ topic: 't.dlq', key: 'k', value: 'x' }]);
    await finish('dlq-redrive', 't');
    clock.advance(29 * DAY);
    expect(await clean()).toBe(0);
    clock.advance(2 * DAY);
    expect(await clean()).toBe(1);
  });

  test('an offset is not given twice after the retention emptied a partition', async () => {
    await driver.publish([1, 2, 3].map(() => ({ topic: 't', key: 'k', value: 'x' })));
    await finish('g', 't');
    clock.advance(8 * DAY);
    expect(await clean()).toBe(3);
    await driver.publish([{ topic: 't', key: 'k', value: 'new' }]);
    expect(await offsets('g', 't')).toEqual(['3']);
  });
});

describe('messages that stores write in their transactions', () => {
  const flushes = watchFlushes();

  test('are read once they are on the disk, and not at all when their transaction is undone', async () => {
    const db = new SqliteDatabase(flushes.path);
    const log = await openEmbeddedBus({ db, clock: systemClock, logger: silentLogger, partitions: 1 });
    const handled: string[] = [];
    await log.consume({
      group: 'g',
      topics: ['t'],
      async handle(records) {
        handled.push(...records.map(({ value }) => String(Buffer.from(value ?? []))));
        return { done: records.length, pauseMs: 0 };
      },
    });
    const write = (value: string, fails = false) =>
      db.transaction(() => {
        log.append({ topic: 't', key: 'k', value });
        if (fails) throw new Error('undone');
      });
    await write('first');
    flushes.held = [];
    const second = write('second');
    await expect(write('undone', true)).rejects.toThrow('undone');
    await until(() => (flushes.held?.length ?? 0) > 0, { what: 'a flush' });
    expect(db.get('SELECT count(*) AS count FROM records')).toEqual({ count: 2 });
    const open = await log.peek({ group: 'another', topic: 't', limit: 10 });
    expect([open.length, handled]).toEqual([1, ['first']]);
    release(flushes);
    flushes.held = undefined;
    await second;
    await until(() => handled.length === 2, { what: 'the second' });
    expect(handled).toEqual(['first', 'second']);
    flushes.failure = new Error('EIO');
    await expect(write('third')).rejects.toMatchObject({ code: '50301' });
    const seen = await log.peek({ group: 'another', topic: 't', limit: 10 });
    expect([seen.length, handled.length]).toEqual([2, 2]);
    // Nobody writes anything more.
    flushes.failure = undefined;
    await until(() => handled.length === 3, { what: 'the third' });
    await log.close();
    db.close();
  });
});

describe('partition of a key', () => {
  test('is stable: files keep their order', () => {
    expect(['', 'a', 'tnt_1/FC261121K7Q0Z4M2XT', '绿'].map((key) => partitionOfKey(key, 12))).toEqual([1, 4, 0, 4]);
  });
});
