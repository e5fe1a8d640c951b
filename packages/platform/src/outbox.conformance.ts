import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import fc from 'fast-check';
import type { OutboxSource } from './outbox.ts';

/** An outbox under test, with the writing side that belongs to its store. */
export interface OutboxDriver {
  /** The present source; another one after `reopen`. */
  source(): OutboxSource;
  /** Writes messages in one durable write. */
  write(messages: readonly EncodedMessage[]): Promise<void>;
  /** Puts messages into a write that then fails for another reason. Resolves once it has failed. */
  writeInVain(messages: readonly EncodedMessage[]): Promise<void>;
  /** What a new process finds: a new source over the same store, once the lease of the former process is over. */
  reopen(): Promise<void>;
  close(): Promise<void>;
}

const messages = (...values: string[]): EncodedMessage[] => values.map((value) => ({ topic: 't', key: 'k', value }));

/**
 * What every outbox must do.
 * @param open a driver with an empty outbox whose writes are dated by `clock`
 */
export function describeOutbox(name: string, open: (clock: ManualClock) => Promise<OutboxDriver>): void {
  describe(`outbox: ${name}`, () => {
    let clock: ManualClock;
    let driver: OutboxDriver;
    beforeEach(async () => {
      clock = new ManualClock(1000);
      driver = await open(clock);
    });
    afterEach(() => driver.close());

    const write = (...values: string[]): Promise<void> => driver.write(messages(...values));
    const values = async (limit = 1000): Promise<string[]> => (await driver.source().lease(limit)).map(({ value }) => value);
    const removeFirst = async (count: number): Promise<void> => {
      const leased = await driver.source().lease(count);
      await driver.source().remove(leased.map(({ id }) => id));
    };

    test('gives the oldest first, as they were written', async () => {
      await driver.write([{ topic: 'x', key: 'k/ü', value: '{"a":"绿"}' }]);
      await write('2', '3');
      const leased = await driver.source().lease(2);
      expect(leased).toEqual([
        { id: expect.any(String), topic: 'x', key: 'k/ü', value: '{"a":"绿"}' },
        { id: expect.any(String), topic: 't', key: 'k', value: '2' },
      ]);
    });

    test('gives the same again until they are removed', async () => {
      await write('1', '2', '3');
      expect(await values(2)).toEqual(['1', '2']);
      expect(await driver.source().lease(2)).toEqual(await driver.source().lease(2));
      await removeFirst(2);
      expect(await values(2)).toEqual(['3']);
    });

    test('removes the given messages, in any order and more than once', async () => {
      await write('1', '2', '3');
      const ids = (await driver.source().lease(3)).map(({ id }) => id);
      await driver.source().remove([]);
      await driver.source().remove([ids[2], ids[0]] as string[]);
      await driver.source().remove([ids[0]] as string[]);
      expect(await values()).toEqual(['2']);
    });

    test('knows nothing of a write that failed', async () => {
      await write('1');
      await driver.writeInVain(messages('lost'));
      expect(await values()).toEqual(['1']);
      expect(await driver.source().depth()).toMatchObject({ count: 1 });
    });

    test('never gives an id twice, also when it was empty', async () => {
      const seen = new Set<string>();
      for (const value of ['1', '2', '3']) {
        await write(value);
        for (const { id } of await driver.source().lease(10)) seen.add(id);
        await removeFirst(10);
        await driver.source().flush?.();
      }
      expect(seen.size).toBe(3);
    });

    test('reports how many messages wait and since when', async () => {
      expect(await driver.source().depth()).toEqual({ count: 0, oldestAt: null });
      await write('1');
      clock.advance(500);
      await write('2', '3');
      expect(await driver.source().depth()).toEqual({ count: 3, oldestAt: 1000 });
      await removeFirst(1);
      expect(await driver.source().depth()).toEqual({ count: 2, oldestAt: 1500 });
    });

    test('keeps the unremoved for the next process, and brings nothing back that was removed and flushed', async () => {
      await write('1', '2', '3');
      await removeFirst(2);
      await driver.source().flush?.();
      await driver.reopen();
      expect(await values()).toEqual(['3']);
    });

    test('loses nothing and keeps the order when a process ends without a flush', async () => {
      await write('1', '2', '3', '4');
      await removeFirst(2);
      await driver.reopen();
      // What was removed may come again, before what was not.
      expect((await values()).slice(-2)).toEqual(['3', '4']);
    });

    test('law: what is taken out is what was put in, in order, for any mix of writes, removals and flushes', async () => {
      const count = fc.nat(5);
      const steps = fc.array(
        fc.oneof(
          fc.constant('flush'),
          fc.constant('fail'),
          count.map((n) => ({ write: n })),
          count.map((n) => ({ take: n })),
        ),
      );
      await fc.assert(
        fc.asyncProperty(steps, async (plan) => {
          await removeFirst(1000);
          const put: string[] = [];
          const taken: string[] = [];
          for (const step of [...plan, { take: 1000 }]) {
            if (step === 'flush') await driver.source().flush?.();
            else if (step === 'fail') await driver.writeInVain(messages('never'));
            else if ('write' in step) {
              const batch = Array.from({ length: step.write }, (_, index) => `${put.length + index}`);
              await write(...batch);
              put.push(...batch);
            } else {
              taken.push(...(await values(step.take)));
              await removeFirst(step.take);
            }
          }
          expect(taken).toEqual(put);
        }),
        { numRuns: 50 },
      );
    });
  });
}
