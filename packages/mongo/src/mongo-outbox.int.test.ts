import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { type Model, Schema } from 'mongoose';
import { defineCollection, type MongoCollection } from './mongo-collection.ts';
import type { MongoDatabase } from './mongo-database.ts';
import { MongoOutbox } from './mongo-outbox.ts';
import { indexOutbox, type OutboxEntry, type OutboxFields, outboxFields, withOutbox } from './mongo-outbox-fields.ts';
import { byId } from './mongo-sharding.ts';
import { openTestDatabase, type TestDatabase } from './testing/mongo-test-database.ts';

const LEASE_MS = 15_000;

interface Aggregate extends OutboxFields {
  readonly _id: string;
  readonly state: number;
}

const schema = new Schema({ _id: { type: String, required: true }, state: { type: Number, default: 0 }, ...outboxFields });
indexOutbox(schema);
const aggregates = defineCollection<Aggregate>('aggregates', schema, { sharding: byId });

/** Called before and after each write of the outboxes. A write fails when `received` does, and loses its response when `made` does. */
interface Faults {
  received: (command: string) => Promise<void>;
  made: (command: string) => Promise<void>;
}

/** The database, with faults in its writes. */
function faulty(database: MongoDatabase, faults: Faults): MongoDatabase {
  const model = (collection: MongoCollection<Aggregate>): Model<Aggregate> =>
    new Proxy(database.model(collection), {
      get(target, name, receiver) {
        const own: unknown = Reflect.get(target, name, receiver);
        if (name !== 'updateMany' && name !== 'updateOne' && name !== 'bulkWrite' && name !== 'insertMany') return own;
        return async (...parameters: readonly unknown[]): Promise<unknown> => {
          await faults.received(name);
          const result: unknown = await Reflect.apply(own as () => unknown, target, parameters);
          await faults.made(name);
          return result;
        };
      },
    });
  return new Proxy(database, {
    get(target, name) {
      const own: unknown = Reflect.get(target, name, target);
      return name === 'model' ? model : typeof own === 'function' ? own.bind(target) : own;
    },
  });
}

/** For a fault: fails once, as a connection that breaks. */
function failOnce(): () => Promise<void> {
  let isOut = true;
  return async () => {
    if (!isOut) return;
    isOut = false;
    throw AppError.unavailable('out');
  };
}

const message = (value: string): OutboxEntry => ({ topic: 't', key: 'k', value });
/** An update that appends messages of these values. */
const updateOf = (id: string, ...values: string[]) => ({
  id,
  condition: {},
  update: { $inc: { state: 1 } },
  messages: values.map(message),
});
/** What a process has to publish now. */
const valuesOf = async (outbox: MongoOutbox): Promise<string[]> => (await outbox.lease(100)).map(({ value }) => value);
/** Publishes all that a process has to publish. @returns it */
async function publishAll(outbox: MongoOutbox): Promise<string[]> {
  const leased = await outbox.lease(100);
  await outbox.remove(leased.map(({ id }) => id));
  return leased.map(({ value }) => value);
}

describe('an outbox', () => {
  let opened: TestDatabase;
  let faults: Faults;
  let clock: ManualClock;
  /** The outboxes of two processes. */
  let one: MongoOutbox;
  let two: MongoOutbox;

  const openOutbox = (): MongoOutbox => new MongoOutbox(faulty(opened.database, faults), aggregates, { clock, leaseMs: LEASE_MS });
  const stored = (id: string): Promise<unknown> => opened.database.model(aggregates).findById(id).lean().exec();
  const insertBare = (...ids: string[]): Promise<unknown> =>
    opened.database.model(aggregates).insertMany(ids.map((id) => ({ _id: id, state: 0 })));

  beforeAll(async () => {
    opened = await openTestDatabase([aggregates]);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.clear();
    await insertBare('a', 'b', 'c');
    faults = { received: async () => undefined, made: async () => undefined };
    clock = new ManualClock(1000);
    [one, two] = [openOutbox(), openOutbox()];
    await one.lease(1);
  });

  /** What another process gets that has just started. */
  const othersGet = (): Promise<string[]> => valuesOf(openOutbox());

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
      faults.received = failOnce();
      await expect(one.flush()).rejects.toMatchObject({ code: '50301' });
      expect(await othersGet()).toEqual(['2']);
    });

    test('gives back what it was leasing, and publishes none of it', async () => {
      await two.update([updateOf('a', '1')]);
      one.noteWaiting();
      faults.made = async (command) => {
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
      faults.made = async (command) => {
        if (command !== 'updateMany') return;
        await one.update([updateOf('a', '2')]);
        await failing();
      };
      await expect(one.settle()).rejects.toMatchObject({ code: '50301' });
      faults.made = async () => undefined;
    };

    test('releases no message that the document has got since', async () => {
      await failToSettle();
      await one.settle();
      expect(await othersGet()).toEqual([]);
      expect(await publishAll(one)).toEqual(['2']);
      await one.settle();
      expect(await stored('a')).toEqual({ _id: 'a', state: 2 });
    });

    test('releases no message that the document gets while the next removal is under way', async () => {
      await one.update([updateOf('a', '1')]);
      await publishAll(one);
      faults.made = failOnce();
      await expect(one.settle()).rejects.toMatchObject({ code: '50301' });
      // The removal has been made. The next one takes effect when the document has its new message, and nobody knows that yet.
      let respond = (): void => undefined;
      const gate = new Promise<void>((resolve) => {
        respond = resolve;
      });
      let updating: Promise<number> | undefined;
      faults.received = async (command) => {
        if (command !== 'updateMany') return;
        faults.received = async () => undefined;
        faults.made = () => gate;
        updating = one.update([updateOf('a', '2')]);
        await new Promise((resolve) => setImmediate(resolve));
        faults.made = async () => undefined;
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
      faults.received = failOnce();
      await expect(one.settle()).rejects.toMatchObject({ code: '50301' });
      await one.settle();
      expect(await othersGet()).toEqual(['2']);
    });

    test('leaves a document alone that another process has taken over', async () => {
      await one.update([updateOf('a', '1')]);
      await publishAll(one);
      faults.received = failOnce();
      await expect(one.settle()).rejects.toMatchObject({ code: '50301' });
      await two.update([updateOf('a', '2')]);
      clock.advance(LEASE_MS + 1);
      expect(await valuesOf(two)).toEqual(['1', '2']);
      await one.settle();
      expect(await othersGet()).toEqual([]);
    });
  });

  describe('of a write whose response is lost', () => {
    test.each([
      ['an insert', () => one.insert([{ _id: 'd', ...one.holding([message('1')], clock.now()) }])],
      ['an update', () => one.update([updateOf('a', '1')])],
    ])('of %s waits until the lease has run out, and comes once', async (_what, write) => {
      faults.made = failOnce();
      await expect(write()).rejects.toMatchObject({ code: '50301' });
      clock.advance(LEASE_MS - 1);
      expect(await publishAll(one)).toEqual([]);
      clock.advance(2001);
      expect([await publishAll(one), await othersGet()]).toEqual([['1'], []]);
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
      expect(await stored('a')).toEqual({ _id: 'a', state: 2 });
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

    test('takes one document over however large it is, and the next one after it', async () => {
      await two.update([updateOf('a', large('a1', 16_000_000)), updateOf('b', 'b1')]);
      one.noteWaiting();
      expect(begins(await publishAll(one))).toEqual(['a1']);
      expect(begins(await publishAll(one))).toEqual(['b1']);
    });

    test('gives back what it cannot publish for half a lease, and takes it again unless another process has', async () => {
      await one.update([updateOf('a', '1'), updateOf('b', '2')]);
      clock.advance(LEASE_MS / 2);
      expect([await valuesOf(one), await othersGet()]).toEqual([['1', '2'], []]);
      clock.advance(LEASE_MS + 1);
      await two.lease(1);
      expect([await valuesOf(one), await valuesOf(two)]).toEqual([['2'], ['1']]);
    });

    test('publishes what it gave back before what was written later', async () => {
      await one.update([updateOf('a', '1')]);
      clock.advance(LEASE_MS / 2);
      await one.update([updateOf('b', '2')]);
      expect((await one.lease(1)).map(({ value }) => value)).toEqual(['1']);
      await one.flush();
      expect((await two.lease(1)).map(({ value }) => value)).toEqual(['1']);
    });
  });
});

test('an update that would lose a part of itself to the outbox is refused', () => {
  expect(withOutbox({ $min: { a: 1 } }, [message('v')], 5)['$min']).toEqual({ a: 1, outbox_since: 5 });
  expect(() => withOutbox({ $min: { outbox_since: 1 } }, [message('v')], 5)).toThrow('outbox_since');
});
