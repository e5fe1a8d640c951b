import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type LogRecord, MAX_BATCH, type OutgoingRecord } from './driver.ts';
import { describeBusPositions } from './driver-positions.conformance.ts';
import { type BusDriverHarness, type ConformanceOptions, LogUnderTest, textOf } from './testing/log-under-test.ts';

/** Every driver of the bus passes this suite. */
export function describeBusDriver(name: string, start: () => Promise<BusDriverHarness>, options: ConformanceOptions = {}): void {
  describe(`bus driver ${name}`, () => {
    const log = LogUnderTest.forEachTest(start, options);

    test('keeps bytes, key and headers, and counts offsets up', async () => {
      const bytes = new Uint8Array([0, 255, 10, 195, 40]);
      await log.driver.publish([
        { topic: log.topic, key: 'schlüssel/1', value: bytes, headers: { a: '1', 'b-ü': 'zwölf' } },
        { topic: log.topic, key: 'schlüssel/1', value: 'grün 绿 🟢' },
      ]);
      const { seen } = await log.collect('g');
      await log.reached('both records', () => seen.length === 2);
      expect(Array.from(seen[0]?.value ?? [])).toEqual(Array.from(bytes));
      expect(seen[0]).toMatchObject({ topic: log.topic, key: 'schlüssel/1', headers: { a: '1', 'b-ü': 'zwölf' } });
      expect(textOf(seen[1] as LogRecord)).toBe('grün 绿 🟢');
      expect(seen[1]?.headers).toEqual({});
      expect(seen[1]?.partition).toBe(seen[0]?.partition);
      expect(BigInt(seen[1]?.offset ?? 0) > BigInt(seen[0]?.offset ?? 0)).toBe(true);
      expect(seen[0]?.timestamp).toBeGreaterThan(0);
    });

    test('keeps the order of each key, with concurrent publishers', async () => {
      const { seen } = await log.collect('g');
      const publishers = Array.from({ length: 8 }, async (_, publisher) => {
        for (let round = 0; round < 10; round += 1) {
          const records: OutgoingRecord[] = [0, 1, 2].map((part) => ({
            topic: log.topic,
            key: `key-${publisher}`,
            value: `${round * 3 + part}`,
          }));
          await log.driver.publish(records);
        }
      });
      await Promise.all(publishers);
      await log.reached('all records', () => seen.length >= 240);
      for (let publisher = 0; publisher < 8; publisher += 1) {
        const values = seen.filter((record) => record.key === `key-${publisher}`).map(textOf);
        expect(values).toEqual(Array.from({ length: 30 }, (_, index) => String(index)));
      }
      expect(seen).toHaveLength(240);
    });

    test('delivers what is published while it consumes, and from several topics', async () => {
      const other = await log.newTopic();
      const { seen } = await log.collect('g', [log.topic, other]);
      await log.publish(['one']);
      await log.reached('the first', () => seen.length === 1);
      await log.driver.publish([{ topic: other, key: 'k', value: 'two' }]);
      await log.reached('the second', () => seen.length === 2);
      expect(seen.map((record) => [record.topic, textOf(record)])).toEqual([
        [log.topic, 'one'],
        [other, 'two'],
      ]);
    });

    test('delivers the unfinished rest again, from the first unfinished record', async () => {
      await log.publish(['a', 'b', 'c']);
      const batches: string[][] = [];
      await log.driver.consume({
        group: 'g',
        topics: [log.topic],
        handle: async (records) => {
          batches.push(records.map(textOf));
          return batches.length === 1 ? { done: 1, pauseMs: 1 } : { done: records.length, pauseMs: 0 };
        },
      });
      await log.reached('the rest', () => batches.flat().filter((value) => value === 'c').length >= 1 && batches.length >= 2);
      expect(batches[0]?.[0]).toBe('a');
      expect(batches.slice(1).flat()).toEqual(['b', 'c']);
      await log.reached('nothing open', async () => (await log.driver.lag({ group: 'g', topic: log.topic })) === 0);
    });

    test('delivers a backlog in batches, of at most 200 records', async () => {
      await log.publish(Array.from({ length: 500 }, (_, index) => String(index)));
      const sizes: number[] = [];
      const seen: string[] = [];
      await log.consume(async (records) => {
        sizes.push(records.length);
        seen.push(...records.map(textOf));
      });
      await log.reached('all records', () => seen.length === 500);
      expect(seen).toEqual(Array.from({ length: 500 }, (_, index) => String(index)));
      expect(Math.max(...sizes)).toBeLessThanOrEqual(MAX_BATCH);
      expect(sizes.length).toBeLessThan(20);
    });

    test('runs one batch of a partition at a time', async () => {
      let running = 0;
      let most = 0;
      let count = 0;
      await log.consume(async (records) => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running -= 1;
        count += records.length;
      });
      for (let index = 0; index < 20; index += 1) await log.publish([`${index}`]);
      await log.reached('all records', () => count === 20);
      expect(most).toBe(1);
    });

    test('a pause holds up its own partition only, and does not hold up stop', async () => {
      const keys = Array.from({ length: 60 }, (_, index) => `key-${index}`);
      await log.driver.publish(keys.map((key) => ({ topic: log.topic, key, value: 'x' })));
      const probe = await log.collect('probe');
      await log.reached('all keys', () => probe.seen.length === keys.length);
      const paused = probe.seen[0]?.partition;
      const elsewhere = probe.seen.filter((record) => record.partition !== paused).length;
      let pausedBatches = 0;
      let others = 0;
      const consumer = await log.driver.consume({
        group: 'g',
        topics: [log.topic],
        handle: async (records) => {
          if (records[0]?.partition === paused) {
            pausedBatches += 1;
            return { done: 0, pauseMs: 600_000 };
          }
          others += records.length;
          return { done: records.length, pauseMs: 0 };
        },
      });
      await log.reached('the other partitions', () => others === elsewhere && pausedBatches > 0);
      await log.driver.publish([{ topic: log.topic, key: probe.seen[0]?.key as string, value: 'more' }]);
      await consumer.stop();
      expect(elsewhere).toBeGreaterThan(0);
      expect(pausedBatches).toBe(1);
      expect(await log.driver.lag({ group: 'g', topic: log.topic })).toBe(keys.length - elsewhere + 1);
    });

    test('carries values of 900 kB', async () => {
      const value = randomBytes(900_000);
      for (let index = 0; index < 12; index += 1) await log.driver.publish([{ topic: log.topic, key: 'k', value }]);
      const { seen } = await log.collect('g');
      await log.reached('all records', () => seen.length === 12);
      expect(seen.every((record) => value.equals(record.value ?? new Uint8Array()))).toBe(true);
    });

    test('refuses a second consumer of one group and topic, until the first has stopped', async () => {
      const options = { group: 'g', topics: [log.topic], handle: async () => ({ done: 0, pauseMs: 1000 }) };
      const first = await log.driver.consume(options);
      await expect(log.driver.consume(options)).rejects.toThrow('already consumes');
      await first.stop();
      await expect(log.driver.consume(options)).resolves.toBeDefined();
    });

    test('passes the health check while open, and fails it with 50301 once closed', async () => {
      await expect(log.driver.check()).resolves.toBeUndefined();
      await log.driver.close();
      await expect(log.driver.check()).rejects.toMatchObject({ code: '50301' });
      await expect(log.publish(['a'])).rejects.toMatchObject({ code: '50301' });
    });
  });
  describeBusPositions(name, start, options);
}
