import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { type Clock, ManualClock } from '@parcelway/kernel/clock';
import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { indexOutbox, type OutboxFields, outboxFields, withOutbox } from '@parcelway/mongo/mongo-outbox-fields';
import { byId } from '@parcelway/mongo/mongo-sharding';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { Schema } from 'mongoose';
import { describeOutbox } from './outbox.conformance.ts';

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

describeOutbox('MongoDB', async (clock) => {
  let outbox = await openOutbox(clock);
  await insertBare('only');
  return {
    source: () => outbox,
    // Messages of one key belong to one aggregate: that is what keeps them in order.
    write: async (messages) => expect(await outbox.update([updateOf('only', messages)])).toBe(1),
    async writeInVain(messages) {
      const update = { $inc: { outbox_since: 'no number' } };
      await expect(outbox.update([{ ...updateOf('only', messages), update }])).rejects.toThrow();
    },
    async reopen() {
      clock.advance(LEASE_MS + 1);
      outbox = await openOutbox(clock);
    },
    close: () => opened.clear(),
  };
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
