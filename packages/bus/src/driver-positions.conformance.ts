import { describe, expect, test } from '@jest/globals';
import type { LogRecord } from './driver.ts';
import { type BusDriverHarness, type ConformanceOptions, LogUnderTest, textOf } from './testing/log-under-test.ts';

/** What every driver of the bus keeps of the positions of groups; part of `describeBusDriver`. */
export function describeBusPositions(name: string, start: () => Promise<BusDriverHarness>, options: ConformanceOptions = {}): void {
  describe(`positions of bus driver ${name}`, () => {
    const log = LogUnderTest.forEachTest(start, options);

    test('each group gets everything, also one that comes later', async () => {
      const early = await log.collect('early');
      await log.publish(['a', 'b']);
      await log.reached('the early group', () => early.seen.length === 2);
      const late = await log.collect('late');
      await log.reached('the late group', () => late.seen.length === 2);
      expect(late.seen.map(textOf)).toEqual(['a', 'b']);
      expect(early.seen).toHaveLength(2);
    });

    test('stop waits for the running batch and keeps its position', async () => {
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      let entered = false;
      const consumer = await log.consume(async () => {
        entered = true;
        await gate;
      });
      await log.publish(['a']);
      await log.reached('the batch', () => entered);
      let stopped = false;
      const stopping = consumer.stop().then(() => {
        stopped = true;
      });
      await log.driver.check();
      expect(stopped).toBe(false);
      release();
      await stopping;
      const next = await log.collect('g');
      await log.publish(['b']);
      await log.reached('the next record', () => next.seen.length > 0);
      expect(next.seen.map(textOf)).toEqual(['b']);
    });

    test('while records are being settled those behind them are handled; then the position of all of them lasts', async () => {
      let release = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      let settling = false;
      const seen: string[] = [];
      const consumer = await log.consume((records) => void seen.push(...records.map(textOf)), {
        settle: () => {
          settling = true;
          return gate;
        },
      });
      await log.publish(['a']);
      await log.reached('the settling', () => settling);
      await log.publish(['b']);
      await log.reached('the record behind', () => seen.length === 2);
      release();
      await consumer.stop();
      await log.reopen();
      const next = await log.collect('g');
      await log.publish(['c']);
      await log.reached('the next record', () => next.seen.length > 0);
      expect(next.seen.map(textOf)).toEqual(['c']);
    });

    test('what could not be settled comes again to whoever consumes next', async () => {
      let settles = 0;
      const handled: LogRecord[] = [];
      await log.consume((records) => void handled.push(...records), {
        settle: async () => {
          settles += 1;
          throw new Error('The disk is out');
        },
      });
      await log.publish(['a']);
      await log.reached('the settling', () => settles > 0);
      await log.publish(['b']);
      await log.reached('the record behind', () => handled.length === 2);
      await log.reopen();
      const next = await log.collect('g');
      await log.reached('both records', () => next.seen.length === 2);
      expect(next.seen.map(textOf)).toEqual(['a', 'b']);
    });

    test('positions and unfinished records survive a new opening', async () => {
      await log.publish(['a', 'b', 'c']);
      const consumer = await log.driver.consume({
        group: 'g',
        topics: [log.topic],
        handle: async (records) => ({ done: records.findIndex((record) => textOf(record) === 'c'), pauseMs: 600_000 }),
      });
      await log.reached('two finished', async () => (await log.driver.lag({ group: 'g', topic: log.topic })) === 1);
      await consumer.stop();
      await log.reopen();
      expect(await log.driver.lag({ group: 'g', topic: log.topic })).toBe(1);
      const { seen } = await log.collect('g');
      await log.publish(['d']);
      await log.reached('the rest', () => seen.length === 2);
      expect(seen.map(textOf)).toEqual(['c', 'd']);
    });

    test('peek does not move the position, commit does and lasts', async () => {
      await log.publish(['a', 'b', 'c']);
      const at = { group: 'reader', topic: log.topic };
      expect((await log.driver.peek({ ...at, limit: 2 })).map(textOf)).toEqual(['a', 'b']);
      const again = await log.driver.peek({ ...at, limit: 10 });
      expect(again.map(textOf)).toEqual(['a', 'b', 'c']);
      await log.driver.commit({ group: 'reader', records: again.slice(0, 2) });
      expect((await log.driver.peek({ ...at, limit: 10 })).map(textOf)).toEqual(['c']);
      await log.reopen();
      expect((await log.driver.peek({ ...at, limit: 10 })).map(textOf)).toEqual(['c']);
      expect(await log.driver.lag(at)).toBe(1);
    });

    test('peek gives the oldest of all partitions first, also behind a position', async () => {
      const keys = ['a', 'b', 'c', 'd', 'e', 'a', 'b', 'c'];
      for (const key of keys) {
        await log.publish([key], key);
        // The log notes the time in milliseconds.
        await new Promise((resolve) => setTimeout(resolve, 3));
      }
      const at = { group: 'reader', topic: log.topic };
      const all = await log.driver.peek({ ...at, limit: 100 });
      expect(all.map(({ key }) => key)).toEqual(keys);
      await log.driver.commit({ group: 'reader', records: all.slice(0, 3) });
      expect((await log.driver.peek({ ...at, limit: 2 })).map(({ key }) => key)).toEqual(['d', 'e']);
    });

    test('commit never moves a position back', async () => {
      await log.publish(['a', 'b', 'c']);
      const at = { group: 'reader', topic: log.topic };
      const all = await log.driver.peek({ ...at, limit: 10 });
      await log.driver.commit({ group: 'reader', records: all.slice(0, 2) });
      await log.driver.commit({ group: 'reader', records: all.slice(0, 1) });
      expect((await log.driver.peek({ ...at, limit: 10 })).map(textOf)).toEqual(['c']);
      await log.driver.commit({ group: 'reader', records: all });
      expect(await log.driver.lag(at)).toBe(0);
    });

    test('peek can keep to one partition, which commit moves alone', async () => {
      for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await log.publish([`${key}1`, `${key}2`], key);
      const at = { group: 'reader', topic: log.topic };
      const all = await log.driver.peek({ ...at, limit: 100 });
      const partition = all[0]?.partition ?? -1;
      const inIt = all.filter((record) => record.partition === partition);
      const others = all.filter((record) => record.partition !== partition);
      expect(others.length).toBeGreaterThan(0);
      expect(await log.driver.peek({ ...at, partition, limit: 100 })).toEqual(inIt);
      expect(await log.driver.peek({ ...at, partition, limit: 1 })).toEqual(inIt.slice(0, 1));
      await log.driver.commit({ group: 'reader', records: inIt.slice(0, 1) });
      expect(await log.driver.peek({ ...at, partition, limit: 100 })).toEqual(inIt.slice(1));
      expect(await log.driver.lag(at)).toBe(others.length + inIt.length - 1);
      expect(await log.driver.peek({ ...at, partition: 100_000, limit: 1 })).toEqual([]);
    });

    test('the open records are read to the end that the log has at the begin, in pages of one partition', async () => {
      const large = 'x'.repeat(200_000);
      for (const key of ['a', 'b', 'c', 'd', 'e', 'f']) await log.publish([`${key}1`, `${key}2`], key);
      await log.publish(
        Array.from({ length: 25 }, (_, index) => `${index} ${large}`),
        'large',
      );
      const at = { group: 'reader', topic: log.topic };
      const [first] = await log.driver.peek({ ...at, limit: 1 });
      await log.driver.commit({ group: 'reader', records: first ? [first] : [] });
      const open = await log.driver.peek({ ...at, limit: 100 });
      const pages: (readonly LogRecord[])[] = [];
      for await (const page of log.driver.readOpen(at)) {
        if (pages.length === 0) await log.publish(['later'], 'large');
        pages.push(page);
      }
      const byPlace = (one: LogRecord, other: LogRecord): number =>
        one.partition - other.partition || Number(one.offset) - Number(other.offset);
      expect(open).toHaveLength(36);
      // As text: byte by byte, these are a minute's work for the comparison.
      const shown = (records: readonly LogRecord[]) => records.map((record) => ({ ...record, value: textOf(record) }));
      expect(shown(pages.flat())).toEqual(shown([...open].sort(byPlace)));
      expect(pages.filter((page) => new Set(page.map(({ partition }) => partition)).size !== 1)).toEqual([]);
      expect(pages.filter((page) => page.some(({ key }) => key === 'large')).length).toBeGreaterThan(1);
      expect(await log.driver.lag(at)).toBe(37);
    });
  });
}
