import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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

/** Changes an aggregate and appends messages in the same update. */
async function write(id: string, messages: readonly EncodedMessage[], clock: Clock): Promise<void> {
  const update = withOutbox({ $inc: { state: 1 } }, messages, clock.now());
  await opened.database.run(() =>
    opened.database.model(aggregates).collection.updateOne({ _id: id } as object, update as object, { upsert: true }),
  );
}

describeOutbox('MongoDB', async (clock) => {
  let outbox = new MongoOutbox(opened.database, aggregates, { clock, leaseMs: LEASE_MS });
  return {
    source: () => outbox,
    // Messages of one key belong to one aggregate: that is what keeps them in order.
    write: (messages) => write('only', messages, clock),
    async writeInVain(messages) {
      const model = opened.database.model(aggregates);
      const update = withOutbox({ $set: { state: 1 }, $inc: { outbox: 1 } }, messages, clock.now());
      await expect(opened.database.run(() => model.collection.updateOne({ _id: 'only' } as object, update as object))).rejects.toThrow();
    },
    async reopen() {
      clock.advance(LEASE_MS + 1);
      outbox = new MongoOutbox(opened.database, aggregates, { clock, leaseMs: LEASE_MS });
    },
    close: () => opened.clear(),
  };
});

describe('several processes', () => {
  const message = (value: string): EncodedMessage => ({ topic: 't', key: 'k', value });
  const openReplicas = async (count: number, clock: Clock): Promise<MongoOutbox[]> => {
    await opened.clear();
    const databases = [opened.database, ...(await Promise.all(Array.from({ length: count - 1 }, () => opened.second())))];
    return databases.map((database) => new MongoOutbox(database, aggregates, { clock, leaseMs: LEASE_MS }));
  };
  const valuesOf = async (outbox: MongoOutbox, limit = 1000): Promise<string[]> => (await outbox.lease(limit)).map(({ value }) => value);

  test('share the messages out: each is held by one', async () => {
    const clock = new ManualClock(1000);
    const replicas = await openReplicas(3, clock);
    for (let index = 0; index < 60; index += 1) await write(`a${index}`, [message(String(index))], clock);
    const held = await Promise.all(replicas.map((outbox) => valuesOf(outbox)));
    expect(
      held
        .flat()
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 60 }, (_, index) => index));
  });

  test('what is appended to a held document waits behind what is held', async () => {
    const clock = new ManualClock(1000);
    const [one, two] = (await openReplicas(2, clock)) as [MongoOutbox, MongoOutbox];
    await write('a', [message('1')], clock);
    const leased = await one.lease(10);
    clock.advance(10);
    await write('a', [message('2')], clock);
    expect(await valuesOf(two)).toEqual([]);
    await one.remove(leased.map(({ id }) => id));
    expect(await valuesOf(two)).toEqual(['2']);
  });

  test('a lease that ran out is taken over, and its former holder does not take it back', async () => {
    const clock = new ManualClock(1000);
    const [one, two] = (await openReplicas(2, clock)) as [MongoOutbox, MongoOutbox];
    await write('a', [message('1')], clock);
    const stale = await one.lease(10);
    clock.advance(LEASE_MS - 1);
    expect(await valuesOf(two)).toEqual([]);
    clock.advance(2);
    expect(await valuesOf(two)).toEqual(['1']);
    expect(await valuesOf(one)).toEqual([]);
    await write('a', [message('2')], clock);
    // It was published by the one and is being published by the other: once too often, and nothing is lost.
    await one.remove(stale.map(({ id }) => id));
    await two.remove((await two.lease(10)).filter(({ value }) => value === '1').map(({ id }) => id));
    expect(await valuesOf(two)).toEqual(['2']);
  });

  test('a backlog is counted without reading it', async () => {
    const clock = new ManualClock(1000);
    const [one] = (await openReplicas(1, clock)) as [MongoOutbox];
    for (let index = 0; index < 250; index += 1) await write(`b${index}`, [message('1')], clock);
    await one.lease(100);
    expect(await one.depth()).toEqual({ count: 250, oldestAt: 1000 });
    const plan = await opened.database
      .model(aggregates)
      .collection.aggregate([{ $match: { outbox_due: { $gt: 0 } } }, { $group: { _id: null, oldest: { $min: '$outbox_since' } } }], {
        hint: 'outbox_due',
      })
      .explain();
    expect(JSON.stringify(plan)).not.toContain('"FETCH"');
  });

  test('each document keeps a lease of its own, however many come later', async () => {
    const clock = new ManualClock(1000);
    const [one, two] = (await openReplicas(2, clock)) as [MongoOutbox, MongoOutbox];
    await write('a', [message('a')], clock);
    for (let step = 0; step < 6; step += 1) {
      expect(await valuesOf(one)).toContain('a');
      clock.advance(6000);
      await write(`b${step}`, [message(`b${step}`)], clock);
      await one.lease(1000);
      expect(await valuesOf(two)).toEqual([]);
    }
  });

  test('a lease is prolonged while its holder works', async () => {
    const clock = new ManualClock(1000);
    const [one, two] = (await openReplicas(2, clock)) as [MongoOutbox, MongoOutbox];
    await write('a', [message('1')], clock);
    for (let step = 0; step < 5; step += 1) {
      expect(await valuesOf(one)).toEqual(['1']);
      clock.advance(LEASE_MS * 0.7);
      expect(await valuesOf(one)).toEqual(['1']);
      expect(await valuesOf(two)).toEqual([]);
    }
  });

  test('what a process held whose clock was ten minutes ahead is taken over', async () => {
    const [one, two] = (await openReplicas(2, new ManualClock(600_000))) as [MongoOutbox, MongoOutbox];
    await write('a', [message('1')], new ManualClock(600_000));
    expect(await valuesOf(one)).toEqual(['1']);
    expect(await valuesOf(two)).toEqual([]);
    const onTime = new MongoOutbox(opened.database, aggregates, { clock: new ManualClock(1000), leaseMs: LEASE_MS });
    expect(await valuesOf(onTime)).toEqual(['1']);
  });

  test('what is given back is free at once', async () => {
    const clock = new ManualClock(1000);
    const [one, two] = (await openReplicas(2, clock)) as [MongoOutbox, MongoOutbox];
    await write('a', [message('1')], clock);
    await one.lease(10);
    await one.flush();
    expect(await valuesOf(two)).toEqual(['1']);
  });
});

test('an update that would lose a part of itself to the outbox is refused', () => {
  expect(withOutbox({ $min: { a: 1 } }, [{ topic: 't', key: 'k', value: 'v' }], 5)['$min']).toEqual({ a: 1, outbox_since: 5 });
  expect(() => withOutbox({ $min: { outbox_since: 1 } }, [{ topic: 't', key: 'k', value: 'v' }], 5)).toThrow('outbox_since');
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
