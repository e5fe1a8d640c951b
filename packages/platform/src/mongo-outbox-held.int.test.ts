import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { indexOutbox, type OutboxFields, outboxFields } from '@parcelway/mongo/mongo-outbox-fields';
import { byId } from '@parcelway/mongo/mongo-sharding';
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
});
afterAll(() => opened.close());

/** Changes an aggregate through the outbox, which holds its messages from then on. */
async function writeHeld(outbox: MongoOutbox, id: string, messages: readonly EncodedMessage[]): Promise<number> {
  return outbox.update([{ id, condition: { state: { $gte: 0 } }, update: { $inc: { state: 1 } }, messages }]);
}
const insertBare = (...ids: string[]): Promise<unknown> =>
  opened.database.model(aggregates).collection.insertMany(ids.map((id) => ({ _id: id, state: 0 })) as object[]);

describeOutbox('MongoDB, messages held from their write on', async (clock) => {
  const open = async (): Promise<MongoOutbox> => {
    const outbox = new MongoOutbox(opened.database, aggregates, { clock, leaseMs: LEASE_MS, holdsFromWrite: true });
    // As a relay that runs: from then on messages are held.
    await outbox.lease(1);
    return outbox;
  };
  let outbox = await open();
  await insertBare('only');
  return {
    source: () => outbox,
    write: async (messages) => expect(await writeHeld(outbox, 'only', messages)).toBe(1),
    async writeInVain(messages) {
      const update = { $inc: { outbox_since: 'no number' } };
      await expect(outbox.update([{ id: 'only', condition: {}, update, messages }])).rejects.toThrow();
    },
    async reopen() {
      clock.advance(LEASE_MS + 1);
      outbox = await open();
    },
    close: () => opened.clear(),
  };
});

describe('messages held from their write on', () => {
  const message = (value: string): EncodedMessage => ({ topic: 't', key: 'k', value });
  const valuesOf = async (outbox: MongoOutbox): Promise<string[]> => (await outbox.lease(2000)).map(({ value }) => value);
  const publishAll = async (outbox: MongoOutbox): Promise<string[]> => {
    const leased = await outbox.lease(2000);
    await outbox.remove(leased.map(({ id }) => id));
    return leased.map(({ value }) => value);
  };
  let clock: ManualClock;
  let one: MongoOutbox;
  let two: MongoOutbox;
  /** Commands that the first process has sent. */
  let commands: number;

  beforeEach(async () => {
    await opened.clear();
    clock = new ManualClock(1000);
    const options = { clock, leaseMs: LEASE_MS, holdsFromWrite: true };
    one = new MongoOutbox(opened.database, aggregates, options);
    two = new MongoOutbox(opened.database, aggregates, options);
    await one.lease(1);
    const { collection } = opened.database.model(aggregates);
    commands = 0;
    for (const name of ['find', 'updateMany', 'bulkWrite'] as const) {
      const original = collection[name].bind(collection) as (...args: unknown[]) => unknown;
      jest.spyOn(collection, name).mockImplementation(((...args: unknown[]) => {
        commands += 1;
        return original(...args);
      }) as never);
    }
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('cost one write, and one more for all that was published', async () => {
    await insertBare('a', 'b', 'c');
    await one.update(['a', 'b', 'c'].map((id) => ({ id, condition: {}, update: { $inc: { state: 1 } }, messages: [message(id)] })));
    expect(await publishAll(one)).toEqual(['a', 'b', 'c']);
    expect(commands).toBe(1);
    await one.settle();
    await one.settle();
    expect(commands).toBe(2);
    expect(await one.depth()).toEqual({ count: 0, oldestAt: null });
  });

  test('of inserted documents are there without a search, and nobody else takes them', async () => {
    const documents = ['a', 'b', 'c'].map((id) => ({ _id: id, state: 0, ...one.holding([message(id)], clock.now()) }));
    await one.insert(documents.slice(0, 1));
    await one.insert(documents.slice(1));
    expect(await valuesOf(one)).toEqual(['a', 'b', 'c']);
    expect(commands).toBe(0);
    expect(await valuesOf(two)).toEqual([]);
  });

  test('of documents that are inserted beside one which is there already are there, and those of that one are not', async () => {
    await insertBare('b');
    const documents = ['a', 'b', 'c'].map((id) => ({ _id: id, state: 0, ...one.holding([message(id)], clock.now()) }));
    await expect(one.insert(documents)).rejects.toThrow('duplicate key');
    await expect(one.insert(documents.slice(1, 2))).rejects.toThrow('duplicate key');
    expect(await publishAll(one)).toEqual(['a', 'c']);
  });

  test('of a document whose process died after the insert are taken over once the lease has run out', async () => {
    const document = { _id: 'a', state: 0, ...one.holding([message('1')], clock.now()) };
    await opened.database.model(aggregates).collection.insertOne(document as object);
    expect(await valuesOf(one)).toEqual([]);
    clock.advance(LEASE_MS + 1);
    expect(await valuesOf(two)).toEqual(['1']);
  });

  test('of a document that another process holds are published by that one, behind its own', async () => {
    await insertBare('a', 'b');
    await writeHeld(one, 'a', [message('1')]);
    const update = (id: string, value: string) => ({ id, condition: {}, update: { $inc: { state: 1 } }, messages: [message(value)] });
    expect(await two.update([update('a', '2'), update('b', '3')])).toBe(2);
    expect(await valuesOf(two)).toEqual(['3']);
    expect(await publishAll(one)).toEqual(['1']);
    await one.settle();
    clock.advance(2000);
    expect(await valuesOf(one)).toEqual(['2']);
  });

  test('of a document that the process holds itself follow as soon as those before are published', async () => {
    await insertBare('a');
    await writeHeld(one, 'a', [message('1')]);
    await writeHeld(one, 'a', [message('2')]);
    expect(await publishAll(one)).toEqual(['1', '2']);
    await writeHeld(one, 'a', [message('3')]);
    expect(await publishAll(one)).toEqual(['3']);
    await one.settle();
    expect(await valuesOf(two)).toEqual([]);
  });

  test('of a write whose condition does not hold are not there, and those beside it are', async () => {
    await insertBare('a', 'b');
    const update = { $inc: { state: 1 } };
    expect(
      await one.update([
        { id: 'a', condition: { state: 7 }, update, messages: [message('lost')] },
        { id: 'b', condition: { state: 0 }, update, messages: [message('1')] },
      ]),
    ).toBe(1);
    expect(await publishAll(one)).toEqual(['1']);
    await one.settle();
    expect(await valuesOf(two)).toEqual([]);
    expect(await opened.database.model(aggregates).findById('b').lean()).toEqual({ _id: 'b', state: 1 });
  });

  test('beside a write that fails are published', async () => {
    await insertBare('a', 'b');
    const failing = { id: 'a', condition: {}, update: { $inc: { outbox_since: 'no number' } }, messages: [message('lost')] };
    const fine = { id: 'b', condition: {}, update: { $inc: { state: 1 } }, messages: [message('1')] };
    await expect(one.update([failing, fine])).rejects.toThrow();
    expect(await publishAll(one)).toEqual(['1']);
  });

  test('come with no field that the schema does not have', async () => {
    await insertBare('a', 'b');
    const updates = ['a', 'b'].map((id) => ({ id, condition: {}, update: { $set: { colour: 'red' } }, messages: [message(id)] }));
    for (const some of [updates, updates.slice(1)]) await expect(one.update(some)).rejects.toThrow(/strict mode/);
    expect(await opened.database.model(aggregates).countDocuments({ state: 0, outbox: { $exists: false } })).toBe(2);
  });

  test('that were published and not removed are published again by the next process, before those behind them', async () => {
    await insertBare('a');
    await writeHeld(one, 'a', [message('1')]);
    await publishAll(one);
    await writeHeld(two, 'a', [message('2')]);
    clock.advance(LEASE_MS + 1);
    expect(await valuesOf(two)).toEqual(['1', '2']);
  });

  test('are held up to a bound: of more the collection knows, for any process', async () => {
    const ids = Array.from({ length: 1600 }, (_, index) => `d${index}`);
    await insertBare(...ids);
    for (let begin = 0; begin < ids.length; begin += 400) {
      const some = ids.slice(begin, begin + 400);
      await one.update(some.map((id) => ({ id, condition: {}, update: { $inc: { state: 1 } }, messages: [message(id)] })));
    }
    const others = (await valuesOf(two)).length;
    expect(others).toBeGreaterThan(0);
    expect((await valuesOf(one)).length + others).toBe(1600);
  });
});
