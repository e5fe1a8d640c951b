import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { type Clock, ManualClock } from '@parcelway/kernel/clock';
import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { indexOutbox, type OutboxFields, outboxFields, withOutbox } from '@parcelway/mongo/mongo-outbox-fields';
import { byId } from '@parcelway/mongo/mongo-sharding';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import fc from 'fast-check';
import { Schema } from 'mongoose';

interface Aggregate extends OutboxFields {
  readonly _id: string;
  readonly state: number;
}

const schema = new Schema({ _id: { type: String, required: true }, state: { type: Number, default: 0 }, ...outboxFields });
indexOutbox(schema);
const aggregates = defineCollection<Aggregate>('aggregates', schema, { sharding: byId });

const LEASE_MS = 15_000;

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase([aggregates]);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

/** The outbox of a process whose relay runs: from then on messages are held. */
async function openOutbox(clock: Clock, database = opened.database): Promise<MongoOutbox> {
  const outbox = new MongoOutbox(database, aggregates, { clock, leaseMs: LEASE_MS });
  await outbox.lease(1);
  return outbox;
}
const message = (value: string): EncodedMessage => ({ topic: 't', key: 'k', value });
const updateOf = (id: string, messages: readonly EncodedMessage[], condition = {}) => ({
  ...{ id, condition, messages },
  update: { $inc: { state: 1 } },
});
const insertBare = (...ids: string[]): Promise<unknown> =>
  opened.database.model(aggregates).collection.insertMany(ids.map((id) => ({ _id: id, state: 0 })) as object[]);

/** Changes an aggregate and appends messages in the same update, as a transaction does. */
async function writeBeside(id: string, value: string, clock: Clock): Promise<void> {
  const update = withOutbox({ $inc: { state: 1 } }, [message(value)], clock.now());
  await opened.database.model(aggregates).collection.updateOne({ _id: id } as object, update as object, { upsert: true });
}

describe('the messages of one document', () => {
  let clock: ManualClock;
  let outbox: MongoOutbox;
  beforeEach(async () => {
    await opened.clear();
    clock = new ManualClock(1000);
    outbox = await openOutbox(clock);
    await insertBare('only');
  });

  const messages = (...values: string[]): EncodedMessage[] => values.map(message);
  const write = async (written: readonly EncodedMessage[]): Promise<void> =>
    expect(await outbox.update([updateOf('only', written)])).toBe(1);
  const writeTexts = (...values: string[]): Promise<void> => write(messages(...values));
  /** Puts messages into a write that then fails for another reason. */
  const writeInVain = async (written: readonly EncodedMessage[]): Promise<void> => {
    const update = { $inc: { outbox_since: 'no number' } };
    await expect(outbox.update([{ ...updateOf('only', written), update }])).rejects.toThrow();
  };
  /** What a new process finds once the lease of the former one is over. */
  const reopen = async (): Promise<void> => {
    clock.advance(LEASE_MS + 1);
    outbox = await openOutbox(clock);
  };
  const values = async (limit = 1000): Promise<string[]> => (await outbox.lease(limit)).map(({ value }) => value);
  const removeFirst = async (count: number): Promise<void> => {
    const leased = await outbox.lease(count);
    await outbox.remove(leased.map(({ id }) => id));
  };

  test('gives the oldest first, as they were written', async () => {
    await write([{ topic: 'x', key: 'k/ü', value: '{"a":"绿"}' }]);
    await writeTexts('2', '3');
    const leased = await outbox.lease(2);
    expect(leased).toEqual([
      { id: expect.any(String), topic: 'x', key: 'k/ü', value: '{"a":"绿"}' },
      { id: expect.any(String), topic: 't', key: 'k', value: '2' },
    ]);
  });

  test('gives the same again until they are removed', async () => {
    await writeTexts('1', '2', '3');
    expect(await values(2)).toEqual(['1', '2']);
    expect(await outbox.lease(2)).toEqual(await outbox.lease(2));
    await removeFirst(2);
    expect(await values(2)).toEqual(['3']);
  });

  test('removes the given messages, in any order and more than once', async () => {
    await writeTexts('1', '2', '3');
    const ids = (await outbox.lease(3)).map(({ id }) => id);
    await outbox.remove([]);
    await outbox.remove([ids[2], ids[0]] as string[]);
    await outbox.remove([ids[0]] as string[]);
    expect(await values()).toEqual(['2']);
  });

  test('knows nothing of a write that failed', async () => {
    await writeTexts('1');
    await writeInVain(messages('lost'));
    expect(await values()).toEqual(['1']);
    expect(await outbox.depth()).toMatchObject({ count: 1 });
  });

  test('never gives an id twice, also when it was empty', async () => {
    const seen = new Set<string>();
    for (const value of ['1', '2', '3']) {
      await writeTexts(value);
      for (const { id } of await outbox.lease(10)) seen.add(id);
      await removeFirst(10);
      await outbox.flush();
    }
    expect(seen.size).toBe(3);
  });

  test('reports how many messages wait and since when', async () => {
    expect(await outbox.depth()).toEqual({ count: 0, oldestAt: null });
    await writeTexts('1');
    clock.advance(500);
    await writeTexts('2', '3');
    expect(await outbox.depth()).toEqual({ count: 3, oldestAt: 1000 });
    await removeFirst(1);
    expect(await outbox.depth()).toEqual({ count: 2, oldestAt: 1500 });
  });

  test('keeps the unremoved for the next process, and brings nothing back that was removed and flushed', async () => {
    await writeTexts('1', '2', '3');
    await removeFirst(2);
    await outbox.flush();
    await reopen();
    expect(await values()).toEqual(['3']);
  });

  test('loses nothing and keeps the order when a process ends without a flush', async () => {
    await writeTexts('1', '2', '3', '4');
    await removeFirst(2);
    await reopen();
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
          if (step === 'flush') await outbox.flush();
          else if (step === 'fail') await writeInVain(messages('never'));
          else if ('write' in step) {
            const batch = Array.from({ length: step.write }, (_, index) => `${put.length + index}`);
            await writeTexts(...batch);
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

describe('several processes', () => {
  let clock: ManualClock;
  let one: MongoOutbox;
  let two: MongoOutbox;
  beforeEach(async () => {
    await opened.clear();
    clock = new ManualClock(1000);
    [one, two] = [await openOutbox(clock), await openOutbox(clock, await opened.second())];
  });

  const valuesOf = async (outbox: MongoOutbox): Promise<string[]> => (await outbox.lease(2000)).map(({ value }) => value);
  const search = (outbox: MongoOutbox): Promise<string[]> => {
    outbox.noteWaiting();
    return valuesOf(outbox);
  };
  const publishAll = async (outbox: MongoOutbox): Promise<string[]> => {
    const leased = await outbox.lease(2000);
    await outbox.remove(leased.map(({ id }) => id));
    return leased.map(({ value }) => value);
  };
  const documentOf = (id: string) => ({ _id: id, state: 0, ...one.holding([message(id)], clock.now()) });

  test('share the messages out: each is held by one', async () => {
    const three = await openOutbox(clock);
    for (let index = 0; index < 60; index += 1) await writeBeside(`a${index}`, String(index).padStart(2, '0'), clock);
    const held = await Promise.all([one, two, three].map(search));
    expect(held.flat().sort()).toEqual(Array.from({ length: 60 }, (_, index) => String(index).padStart(2, '0')));
  });

  test('get no message of a document that another has inserted, until its lease has run out', async () => {
    await one.insert(['a', 'b'].map(documentOf));
    expect([await valuesOf(one), await search(two)]).toEqual([['a', 'b'], []]);
    clock.advance(LEASE_MS + 1);
    expect(await valuesOf(two)).toEqual(['a', 'b']);
  });

  test('beside a document that is there already the others are inserted, with their messages', async () => {
    await insertBare('b');
    const documents = ['a', 'b', 'c'].map(documentOf);
    await expect(one.insert(documents)).rejects.toThrow('duplicate key');
    await expect(one.insert(documents.slice(1, 2))).rejects.toThrow('duplicate key');
    expect(await publishAll(one)).toEqual(['a', 'c']);
  });

  test('leave what they append to a document to the one that holds it, behind its own', async () => {
    await insertBare('a', 'b');
    await one.update([updateOf('a', [message('1')])]);
    expect(await two.update([updateOf('a', [message('2')]), updateOf('b', [message('3')])])).toBe(2);
    expect(await valuesOf(two)).toEqual(['3']);
    expect(await publishAll(one)).toEqual(['1']);
    await one.settle();
    expect(await valuesOf(one)).toEqual(['2']);
  });

  test('publish the messages of writes whose condition holds, also beside one that fails', async () => {
    await insertBare('a', 'b');
    expect(await one.update([updateOf('a', [message('lost')], { state: 7 }), updateOf('b', [message('1')], { state: 0 })])).toBe(1);
    const failing = { ...updateOf('a', [message('lost')]), update: { $inc: { outbox_since: 'no number' } } };
    await expect(one.update([failing, updateOf('b', [message('2')])])).rejects.toThrow();
    expect(await publishAll(one)).toEqual(['1', '2']);
    await one.settle();
    expect(await search(two)).toEqual([]);
    expect(await opened.database.model(aggregates).findById('b').lean()).toEqual({ _id: 'b', state: 2 });
  });

  test('take over a lease that ran out, and its former holder does not take it back', async () => {
    await writeBeside('a', '1', clock);
    one.noteWaiting();
    const stale = await one.lease(10);
    clock.advance(LEASE_MS + 1);
    expect(await valuesOf(two)).toEqual(['1']);
    expect(await search(one)).toEqual([]);
    await writeBeside('a', '2', clock);
    // It was published by the one and is being published by the other: once too often, and nothing is lost.
    await one.remove(stale.map(({ id }) => id));
    await one.settle();
    await publishAll(two);
    await two.settle();
    expect(await valuesOf(two)).toEqual(['2']);
  });

  test('take over what one held whose clock was ten minutes ahead', async () => {
    const ahead = new ManualClock(600_000);
    await writeBeside('a', '1', ahead);
    expect(await valuesOf(await openOutbox(ahead))).toEqual(['1']);
    expect(await search(one)).toEqual(['1']);
  });

  test('count a backlog without reading it', async () => {
    for (let index = 0; index < 250; index += 1) await writeBeside(`b${index}`, '1', clock);
    expect(await one.depth()).toEqual({ count: 250, oldestAt: 1000 });
    const plan = await opened.database
      .model(aggregates)
      .collection.aggregate([{ $match: { outbox_due: { $gt: 0 } } }, { $group: { _id: null, oldest: { $min: '$outbox_since' } } }], {
        hint: 'outbox_due',
      })
      .explain();
    expect(JSON.stringify(plan)).not.toContain('"FETCH"');
  });
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
