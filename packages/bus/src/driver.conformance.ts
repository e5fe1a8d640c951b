import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { type BatchHandler, type BusDriver, type LogRecord, MAX_BATCH, type OutgoingRecord } from './driver.ts';

/** A log for one test, over which drivers are opened one after the other. */
export interface BusDriverHarness {
  /** Opens a driver over the log; what an earlier one left is there. */
  open(): Promise<BusDriver>;
  /** Makes topics where the log does not do so by itself. */
  prepare?(topics: readonly string[]): Promise<void>;
  /** Removes the log. */
  destroy(): Promise<void>;
}

/** How patient the suite is. */
export interface ConformanceOptions {
  /** Milliseconds in which something expected must have happened; default 5000. */
  readonly deadlineMs?: number;
}

const text = (record: LogRecord): string => Buffer.from(record.value ?? []).toString('utf8');
const finishAll: BatchHandler = async (records) => ({ done: records.length, pauseMs: 0 });

/** Every driver of the bus passes this suite. */
export function describeBusDriver(
  name: string,
  start: () => Promise<BusDriverHarness>,
  { deadlineMs = 5000 }: ConformanceOptions = {},
): void {
  describe(`bus driver ${name}`, () => {
    let harness: BusDriverHarness;
    let driver: BusDriver;
    let topic: string;

    const newTopic = async (): Promise<string> => {
      const created = `test.${randomBytes(6).toString('hex')}.v1`;
      await harness.prepare?.([created]);
      return created;
    };
    const reached = (what: string, condition: () => boolean | Promise<boolean>) => until(condition, { what, within: deadlineMs });
    /** Consumes everything into an array. */
    const collect = async (group: string, topics: readonly string[] = [topic]) => {
      const seen: LogRecord[] = [];
      const consumer = await driver.consume({
        group,
        topics,
        handle: async (records) => {
          seen.push(...records);
          return { done: records.length, pauseMs: 0 };
        },
      });
      return { seen, consumer };
    };
    const publish = (values: readonly string[], key = 'k'): Promise<void> => driver.publish(values.map((value) => ({ topic, key, value })));
    const reopen = async (): Promise<void> => {
      await driver.close();
      driver = await harness.open();
    };

    beforeEach(async () => {
      harness = await start();
      driver = await harness.open();
      topic = await newTopic();
    });
    afterEach(async () => {
      await driver.close();
      await harness.destroy();
    });

    test('keeps bytes, key and headers, and counts offsets up', async () => {
      const bytes = new Uint8Array([0, 255, 10, 195, 40]);
      await driver.publish([
        { topic, key: 'schlüssel/1', value: bytes, headers: { a: '1', 'b-ü': 'zwölf' } },
        { topic, key: 'schlüssel/1', value: 'grün 绿 🟢' },
      ]);
      const { seen } = await collect('g');
      await reached('both records', () => seen.length === 2);
      expect(Array.from(seen[0]?.value ?? [])).toEqual(Array.from(bytes));
      expect(seen[0]).toMatchObject({ topic, key: 'schlüssel/1', headers: { a: '1', 'b-ü': 'zwölf' } });
      expect(text(seen[1] as LogRecord)).toBe('grün 绿 🟢');
      expect(seen[1]?.headers).toEqual({});
      expect(seen[1]?.partition).toBe(seen[0]?.partition);
      expect(BigInt(seen[1]?.offset ?? 0) > BigInt(seen[0]?.offset ?? 0)).toBe(true);
      expect(seen[0]?.timestamp).toBeGreaterThan(0);
    });

    test('keeps the order of each key, with concurrent publishers', async () => {
      const { seen } = await collect('g');
      const publishers = Array.from({ length: 8 }, async (_, publisher) => {
        for (let round = 0; round < 10; round += 1) {
          const records: OutgoingRecord[] = [0, 1, 2].map((part) => ({ topic, key: `key-${publisher}`, value: `${round * 3 + part}` }));
          await driver.publish(records);
        }
      });
      await Promise.all(publishers);
      await reached('all records', () => seen.length >= 240);
      for (let publisher = 0; publisher < 8; publisher += 1) {
        const values = seen.filter((record) => record.key === `key-${publisher}`).map(text);
        expect(values).toEqual(Array.from({ length: 30 }, (_, index) => String(index)));
      }
      expect(seen).toHaveLength(240);
    });

    test('delivers what is published while it consumes, and from several topics', async () => {
      const other = await newTopic();
      const { seen } = await collect('g', [topic, other]);
      await publish(['one']);
      await reached('the first', () => seen.length === 1);
      await driver.publish([{ topic: other, key: 'k', value: 'two' }]);
      await reached('the second', () => seen.length === 2);
      expect(seen.map((record) => [record.topic, text(record)])).toEqual([
        [topic, 'one'],
        [other, 'two'],
      ]);
    });

    test('delivers the unfinished rest again, from the first unfinished record', async () => {
      await publish(['a', 'b', 'c']);
      const batches: string[][] = [];
      await driver.consume({
        group: 'g',
        topics: [topic],
        handle: async (records) => {
          batches.push(records.map(text));
          return batches.length === 1 ? { done: 1, pauseMs: 1 } : { done: records.length, pauseMs: 0 };
        },
      });
      await reached('the rest', () => batches.flat().filter((value) => value === 'c').length >= 1 && batches.length >= 2);
      expect(batches[0]?.[0]).toBe('a');
      expect(batches.slice(1).flat()).toEqual(['b', 'c']);
      await reached('nothing open', async () => (await driver.lag({ group: 'g', topic })) === 0);
    });

    test('delivers a backlog in batches, of at most 200 records', async () => {
      await publish(Array.from({ length: 500 }, (_, index) => String(index)));
      const sizes: number[] = [];
      const seen: string[] = [];
      await driver.consume({
        group: 'g',
        topics: [topic],
        handle: async (records) => {
          sizes.push(records.length);
          seen.push(...records.map(text));
          return { done: records.length, pauseMs: 0 };
        },
      });
      await reached('all records', () => seen.length === 500);
      expect(seen).toEqual(Array.from({ length: 500 }, (_, index) => String(index)));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_BATCH);
      expect(sizes.length).toBeLessThan(20);
    });

    test('runs one batch of a partition at a time', async () => {
      let running = 0;
      let most = 0;
      let count = 0;
      await driver.consume({
        group: 'g',
        topics: [topic],
        handle: async (records) => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setTimeout(resolve, 2));
          running -= 1;
          count += records.length;
          return { done: records.length, pauseMs: 0 };
        },
      });
      for (let index = 0; index < 20; index += 1) await publish([`${index}`]);
      await reached('all records', () => count === 20);
      expect(most).toBe(1);
    });

    test('a pause holds up its own partition only, and does not hold up stop', async () => {
      const keys = Array.from({ length: 60 }, (_, index) => `key-${index}`);
      await driver.publish(keys.map((key) => ({ topic, key, value: 'x' })));
      const probe = await collect('probe');
      await reached('all keys', () => probe.seen.length === keys.length);
      const paused = probe.seen[0]?.partition;
      const elsewhere = probe.seen.filter((record) => record.partition !== paused).length;
      let pausedBatches = 0;
      let others = 0;
      const consumer = await driver.consume({
        group: 'g',
        topics: [topic],
        handle: async (records) => {
          if (records[0]?.partition === paused) {
            pausedBatches += 1;
            return { done: 0, pauseMs: 600_000 };
          }
          others += records.length;
          return { done: records.length, pauseMs: 0 };
        },
      });
      await reached('the other partitions', () => others === elsewhere && pausedBatches > 0);
      await driver.publish([{ topic, key: probe.seen[0]?.key as string, value: 'more' }]);
      await consumer.stop();
      expect(elsewhere).toBeGreaterThan(0);
      expect(pausedBatches).toBe(1);
      expect(await driver.lag({ group: 'g', topic })).toBe(keys.length - elsewhere + 1);
    });

    test('each group gets everything, also one that comes later', async () => {
      const early = await collect('early');
      await publish(['a', 'b']);
      await reached('the early group', () => early.seen.length === 2);
      const late = await collect('late');
      await reached('the late group', () => late.seen.length === 2);
      expect(late.seen.map(text)).toEqual(['a', 'b']);
      expect(early.seen).toHaveLength(2);
    });

    test('stop waits for the running batch and keeps its position', async () => {
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      let entered = false;
      const consumer = await driver.consume({
        group: 'g',
        topics: [topic],
        handle: async (records) => {
          entered = true;
          await gate;
          return { done: records.length, pauseMs: 0 };
        },
      });
      await publish(['a']);
      await reached('the batch', () => entered);
      let stopped = false;
      const stopping = consumer.stop().then(() => {
        stopped = true;
      });
      await driver.check();
      expect(stopped).toBe(false);
      release();
      await stopping;
      const next = await collect('g');
      await publish(['b']);
      await reached('the next record', () => next.seen.length > 0);
      expect(next.seen.map(text)).toEqual(['b']);
    });

    test('while records are being settled those behind them are handled; then the position of all of them lasts', async () => {
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      let settling = false;
      const seen: string[] = [];
      const consumer = await driver.consume({
        group: 'g',
        topics: [topic],
        handle: async (records) => {
          seen.push(...records.map(text));
          return { done: records.length, pauseMs: 0 };
        },
        settle: () => {
          settling = true;
          return gate;
        },
      });
      await publish(['a']);
      await reached('the settling', () => settling);
      await publish(['b']);
      await reached('the record behind', () => seen.length === 2);
      release();
      await consumer.stop();
      await reopen();
      const next = await collect('g');
      await publish(['c']);
      await reached('the next record', () => next.seen.length > 0);
      expect(next.seen.map(text)).toEqual(['c']);
    });

    test('what could not be settled comes again to whoever consumes next', async () => {
      let settles = 0;
      let handled = 0;
      await driver.consume({
        group: 'g',
        topics: [topic],
        handle: async (records) => {
          handled += records.length;
          return { done: records.length, pauseMs: 0 };
        },
        settle: async () => {
          settles += 1;
          throw new Error('The disk is out');
        },
      });
      await publish(['a']);
      await reached('the settling', () => settles > 0);
      await publish(['b']);
      await reached('the record behind', () => handled === 2);
      await reopen();
      const next = await collect('g');
      await reached('both records', () => next.seen.length === 2);
      expect(next.seen.map(text)).toEqual(['a', 'b']);
    });

    test('positions and unfinished records survive a new opening', async () => {
      await publish(['a', 'b', 'c']);
      const consumer = await driver.consume({
        group: 'g',
        topics: [topic],
        handle: async (records) => ({ done: records.findIndex((record) => text(record) === 'c'), pauseMs: 600_000 }),
      });
      await reached('two finished', async () => (await driver.lag({ group: 'g', topic })) === 1);
      await consumer.stop();
      await reopen();
      expect(await driver.lag({ group: 'g', topic })).toBe(1);
      const { seen } = await collect('g');
      await publish(['d']);
      await reached('the rest', () => seen.length === 2);
      expect(seen.map(text)).toEqual(['c', 'd']);
    });

    test('peek does not move the position, commit does and lasts', async () => {
      await publish(['a', 'b', 'c']);
      const at = { group: 'reader', topic };
      expect((await driver.peek({ ...at, limit: 2 })).map(text)).toEqual(['a', 'b']);
      const again = await driver.peek({ ...at, limit: 10 });
      expect(again.map(text)).toEqual(['a', 'b', 'c']);
      await driver.commit({ group: 'reader', records: again.slice(0, 2) });
      expect((await driver.peek({ ...at, limit: 10 })).map(text)).toEqual(['c']);
      await reopen();
      expect((await driver.peek({ ...at, limit: 10 })).map(text)).toEqual(['c']);
      expect(await driver.lag(at)).toBe(1);
    });

    test('peek can keep to one partition, which commit moves alone', async () => {
      for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await publish([`${key}1`, `${key}2`], key);
      const at = { group: 'reader', topic };
      const all = await driver.peek({ ...at, limit: 100 });
      const partition = all[0]?.partition ?? -1;
      const inIt = all.filter((record) => record.partition === partition);
      const others = all.filter((record) => record.partition !== partition);
      expect(others.length).toBeGreaterThan(0);
      expect(await driver.peek({ ...at, partition, limit: 100 })).toEqual(inIt);
      expect(await driver.peek({ ...at, partition, limit: 1 })).toEqual(inIt.slice(0, 1));
      await driver.commit({ group: 'reader', records: inIt.slice(0, 1) });
      expect(await driver.peek({ ...at, partition, limit: 100 })).toEqual(inIt.slice(1));
      expect(await driver.lag(at)).toBe(others.length + inIt.length - 1);
      expect(await driver.peek({ ...at, partition: 100_000, limit: 1 })).toEqual([]);
    });

    test('lag counts what a group has not finished', async () => {
      expect(await driver.lag({ group: 'g', topic })).toBe(0);
      await driver.publish(Array.from({ length: 25 }, (_, index) => ({ topic, key: `key-${index}`, value: 'x' })));
      expect(await driver.lag({ group: 'g', topic })).toBe(25);
      const consumer = await driver.consume({ group: 'g', topics: [topic], handle: finishAll });
      await reached('lag 0', async () => (await driver.lag({ group: 'g', topic })) === 0);
      await consumer.stop();
      expect(await driver.lag({ group: 'g', topic })).toBe(0);
      expect(await driver.lag({ group: 'other', topic })).toBe(25);
    });

    test('carries values of 900 kB', async () => {
      const value = randomBytes(900_000);
      for (let index = 0; index < 12; index += 1) await driver.publish([{ topic, key: 'k', value }]);
      const { seen } = await collect('g');
      await reached('all records', () => seen.length === 12);
      expect(seen.every((record) => value.equals(record.value ?? new Uint8Array()))).toBe(true);
    });

    test('responds with a check while open, and 50301 once closed', async () => {
      await expect(driver.check()).resolves.toBeUndefined();
      await driver.close();
      await expect(driver.check()).rejects.toMatchObject({ code: '50301' });
      await expect(publish(['a'])).rejects.toMatchObject({ code: '50301' });
    });
  });
}
