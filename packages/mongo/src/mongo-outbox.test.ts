import { beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { MongoOutbox } from './mongo-outbox.ts';
import { withOutbox } from './mongo-outbox-fields.ts';
import { type Command, MemoryCollection } from './testing/mongo-memory-collection.ts';
import { failOnce, LEASE_MS, memoryOutbox, message, publishAll, updateOf, valuesOf } from './testing/mongo-memory-outbox.ts';

describe('an outbox', () => {
  let memory: MemoryCollection;
  let clock: ManualClock;
  /** The outboxes of two processes. */
  let one: MongoOutbox;
  let two: MongoOutbox;

  beforeEach(async () => {
    memory = new MemoryCollection();
    for (const id of ['a', 'b', 'c']) memory.documents.set(id, { _id: id });
    clock = new ManualClock(1000);
    [one, two] = [memoryOutbox(memory, clock), memoryOutbox(memory, clock)];
    await one.lease(1);
    memory.commands.length = 0;
  });

  const count = (command: Command): number => memory.commands.filter((one) => one === command).length;
  /** What another process gets that has just started. */
  const othersGet = (): Promise<string[]> => valuesOf(memoryOutbox(memory, clock));

  describe('whose relay does not run', () => {
    test('leaves it also after the relay has stopped', async () => {
      await one.update([updateOf('a', '1')]);
      await one.flush();
      await one.update([updateOf('b', '2')]);
      await one.insert([{ _id: 'd', ...one.holding([message('3')], clock.now()) }]);
      expect(await othersGet()).toEqual(['1', '2', '3']);
    });
  });

  describe('whose relay stops', () => {
    test('gives back what it holds also when the removal of published messages fails', async () => {
      await one.update([updateOf('a', '1')]);
      await publishAll(one);
      await one.update([updateOf('b', '2')]);
      memory.received = failOnce();
      await expect(one.flush()).rejects.toMatchObject({ code: '50301' });
      expect(await othersGet()).toEqual(['2']);
    });

    test('gives back what it was leasing, and publishes none of it', async () => {
      await two.update([updateOf('a', '1')]);
      one.noteWaiting();
      memory.made = async (command) => {
        if (command === 'updateMany') await one.flush();
      };
      expect(await valuesOf(one)).toEqual([]);
      expect(await othersGet()).toEqual(['1']);
    });
  });

  describe('whose removal of published messages fails', () => {
    /** Has a message published, and its removal made without a response. Meanwhile, the document gets another message, which is held. */
    const failToSettle = async (): Promise<void> => {
      await one.update([updateOf('a', '1')]);
      await publishAll(one);
      const failing = failOnce();
      memory.made = async (command) => {
        if (command !== 'updateMany') return;
        await one.update([updateOf('a', '2')]);
        await failing();
      };
      await expect(one.settle()).rejects.toMatchObject({ code: '50301' });
      memory.made = async () => undefined;
    };

    test('releases no message that the document has got since', async () => {
      await failToSettle();
      await one.settle();
      expect(await othersGet()).toEqual([]);
      expect(await publishAll(one)).toEqual(['2']);
      await one.settle();
      expect(memory.documents.get('a')).toEqual({ _id: 'a', state: 2 });
    });

    test('releases no message that the document gets while the next removal is under way', async () => {
      await one.update([updateOf('a', '1')]);
      await publishAll(one);
      memory.made = failOnce();
      await expect(one.settle()).rejects.toMatchObject({ code: '50301' });
      // The removal has been made. The next one takes effect when the document has its new message, and nobody knows that yet.
      let respond = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        respond = resolve;
      });
      let updating: Promise<number> | undefined;
      memory.received = async (command) => {
        if (command !== 'updateMany') return;
        memory.received = async () => undefined;
        memory.made = () => gate;
        updating = one.update([updateOf('a', '2')]);
        await new Promise((resolve) => setImmediate(resolve));
        memory.made = async () => undefined;
      };
      await one.settle();
      expect(await othersGet()).toEqual([]);
      respond();
      await updating;
      expect(await publishAll(one)).toEqual(['2']);
    });

    test('releases what another process has appended', async () => {
      await one.update([updateOf('a', '1')]);
      await publishAll(one);
      await two.update([updateOf('a', '2')]);
      memory.received = failOnce();
      await expect(one.settle()).rejects.toMatchObject({ code: '50301' });
      await one.settle();
      expect(await othersGet()).toEqual(['2']);
    });

    test('leaves a document alone that another process has taken over', async () => {
      await one.update([updateOf('a', '1')]);
      await publishAll(one);
      memory.received = failOnce();
      await expect(one.settle()).rejects.toMatchObject({ code: '50301' });
      await two.update([updateOf('a', '2')]);
      clock.advance(LEASE_MS + 1);
      expect(await valuesOf(two)).toEqual(['1', '2']);
      await one.settle();
      expect(await othersGet()).toEqual([]);
    });
  });

  describe('of a document that is known to have messages', () => {
    test('appends without a try to hold it', async () => {
      await two.update([updateOf('a', '1')]);
      expect(await one.update([{ ...updateOf('a', '2'), isOccupied: true }])).toBe(1);
      expect(memory.commands).toEqual(['bulkWrite', 'bulkWrite']);
      expect(await publishAll(one)).toEqual(['1', '2']);
    });

    test('appends after a try when that is not said', async () => {
      await two.update([updateOf('a', '1')]);
      expect(await one.update([updateOf('a', '2')])).toBe(1);
      expect(memory.commands).toEqual(['bulkWrite', 'bulkWrite', 'find', 'bulkWrite']);
      expect(await publishAll(one)).toEqual(['1', '2']);
    });
  });

  describe('bounds what it holds', () => {
    const large = (name: string, length: number): string => name.padEnd(length, '.');
    const begins = (values: readonly string[]): string[] => values.map((value) => value.slice(0, 2));

    test('also of what is appended to a document that it holds: the rest follows once that is published', async () => {
      await one.update([updateOf('a', large('a1', 9_000_000)), updateOf('b', large('b1', 7_000_000))]);
      await one.update([updateOf('a', 'a2'), updateOf('b', 'b2')]);
      expect(begins(await publishAll(one))).toEqual(['a1', 'b1']);
      expect(begins(await publishAll(one))).toEqual(['a2', 'b2']);
      await one.settle();
      expect(memory.documents.get('a')).toEqual({ _id: 'a', state: 2 });
    });

    test('and reads what is appended up to that bound', async () => {
      await one.update(['a', 'b', 'c'].map((id) => updateOf(id, `${id}1`)));
      await one.update(['a', 'b', 'c'].map((id) => updateOf(id, large(`${id}2`, 9_000_000))));
      expect(begins(await valuesOf(one))).toEqual(['a1', 'a2', 'b1', 'b2']);
    });

    test('publishes no more than that in one go', async () => {
      await one.update(['a', 'b', 'c'].map((id) => updateOf(id, large(`${id}1`, 9_000_000))));
      expect(begins(await publishAll(one))).toEqual(['a1', 'b1']);
      expect(begins(await publishAll(one))).toEqual(['c1']);
    });

    test('takes nothing over while it holds as much', async () => {
      await one.update([updateOf('a', large('a1', 16_000_000))]);
      await two.update([updateOf('b', 'b1')]);
      one.noteWaiting();
      expect(begins(await publishAll(one))).toEqual(['a1']);
      expect(await publishAll(one)).toEqual(['b1']);
    });

    test('takes as many documents over as fit with their messages, and leaves the others to any process', async () => {
      await two.update([updateOf('a', large('a1', 5_000_000), large('a2', 4_000_000)), updateOf('b', large('b1', 6_000_000))]);
      await two.update([updateOf('c', large('c1', 2_000_000))]);
      one.noteWaiting();
      expect(begins(await valuesOf(one))).toEqual(['a1', 'a2', 'b1']);
      expect(begins(await othersGet())).toEqual(['c1']);
    });

    test('asks for more documents at once only after a search that found many, so that the server reads few large ones', async () => {
      const update = (letter: string, count: number, length: number): Promise<number> => {
        const ids = Array.from({ length: count }, (_, index) => `${letter}${index}`);
        for (const id of ids) memory.documents.set(id, { _id: id });
        return two.update(ids.map((id) => updateOf(id, large(id, length))));
      };
      memory.batchSizes.length = 0;
      await update('s', 30, 10);
      one.noteWaiting();
      expect(await publishAll(one)).toHaveLength(30);
      await update('l', 4, 6_000_000);
      one.noteWaiting();
      for (const count of [2, 2]) expect(await publishAll(one)).toHaveLength(count);
      expect(await publishAll(one)).toEqual([]);
      expect(memory.batchSizes).toEqual([8, 60, 8]);
    });

    test('takes one document over however large it is, and the next one after it', async () => {
      await two.update([updateOf('a', large('a1', 17_000_000)), updateOf('b', 'b1')]);
      one.noteWaiting();
      expect(begins(await publishAll(one))).toEqual(['a1']);
      expect(begins(await publishAll(one))).toEqual(['b1']);
    });

    test('and does not read what it holds when it prolongs a lease', async () => {
      await one.update([updateOf('a', '1'), updateOf('b', '2')]);
      for (let times = 0; times < 3; times += 1) {
        clock.advance(LEASE_MS / 2);
        one.noteWaiting();
        expect(await valuesOf(one)).toEqual(['1', '2']);
        expect(await othersGet()).toEqual([]);
      }
      expect(count('updateMany')).toBe(3);
    });

    test('and lets go of a document that another process has taken over', async () => {
      await one.update([updateOf('a', '1'), updateOf('b', '2')]);
      clock.advance(LEASE_MS + 1);
      await two.lease(1);
      expect(await valuesOf(one)).toEqual(['2']);
      expect(await valuesOf(two)).toEqual(['1']);
    });
  });
});

test('an update that would lose a part of itself to the outbox is refused', () => {
  expect(withOutbox({ $min: { a: 1 } }, [message('v')], 5)['$min']).toEqual({ a: 1, outbox_since: 5 });
  expect(() => withOutbox({ $min: { outbox_since: 1 } }, [message('v')], 5)).toThrow('outbox_since');
});
