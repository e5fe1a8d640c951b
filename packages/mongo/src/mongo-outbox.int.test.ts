import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { type Clock, ManualClock } from '@parcelway/kernel/clock';
import fc from 'fast-check';
import { type Model, Schema } from 'mongoose';
import { defineCollection, type MongoCollection } from './mongo-collection.ts';
import type { MongoDatabase } from './mongo-database.ts';
import { MongoOutbox } from './mongo-outbox.ts';
import { indexOutbox, type OutboxEntry, type OutboxFields, outboxFields, withOutbox } from './mongo-outbox-fields.ts';
import { byId } from './mongo-sharding.ts';
import { collectionScansOf, startProfile } from './testing/mongo-profile.ts';
import { openTestDatabase, type TestDatabase } from './testing/mongo-test-database.ts';

const LEASE_MS = 15_000;

interface Aggregate extends OutboxFields {
  readonly _id: string;
  readonly state: number;
}

const schema = new Schema({ _id: { type: String, required: true }, state: { type: Number, default: 0 }, ...outboxFields });
indexOutbox(schema);
const aggregates = defineCollection<Aggregate>('aggregates', schema, { sharding: byId });

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase([aggregates]);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

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
const insertBare = (...ids: string[]): Promise<unknown> =>
  opened.database.model(aggregates).insertMany(ids.map((id) => ({ _id: id, state: 0 })));
/** What a process has to publish now. */
const valuesOf = async (outbox: MongoOutbox): Promise<string[]> => (await outbox.lease(2000)).map(({ value }) => value);
/** Publishes all that a process has to publish. @returns it */
async function publishAll(outbox: MongoOutbox): Promise<string[]> {
  const leased = await outbox.lease(2000);
  await outbox.remove(leased.map(({ id }) => id));
  return leased.map(({ value }) => value);
}

describe('an outbox', () => {
  let faults: Faults;
  let clock: ManualClock;
  /** The outboxes of two processes. */
  let one: MongoOutbox;
  let two: MongoOutbox;

  const openOutbox = (): MongoOutbox => new MongoOutbox(faulty(opened.database, faults), aggregates, { clock, leaseMs: LEASE_MS });
  const stored = (id: string): Promise<unknown> => opened.database.model(aggregates).findById(id).lean().exec();

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

    test('publishes released messages before newer ones', async () => {
      await one.update([updateOf('a', '1')]);
      clock.advance(LEASE_MS / 2);
      await one.update([updateOf('b', '2')]);
      expect((await one.lease(1)).map(({ value }) => value)).toEqual(['1']);
      await one.flush();
      expect((await two.lease(1)).map(({ value }) => value)).toEqual(['1']);
    });
  });
});

/** The outbox of a process whose relay runs: from then on messages are held. */
async function openRelayed(clock: Clock, database = opened.database): Promise<MongoOutbox> {
  const outbox = new MongoOutbox(database, aggregates, { clock, leaseMs: LEASE_MS });
  await outbox.lease(1);
  return outbox;
}
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
    outbox = await openRelayed(clock);
    await insertBare('only');
  });

  const messages = (...values: string[]): OutboxEntry[] => values.map(message);
  const write = async (written: readonly OutboxEntry[]): Promise<void> =>
    expect(await outbox.update([{ ...updateOf('only'), messages: written }])).toBe(1);
  const writeTexts = (...values: string[]): Promise<void> => write(messages(...values));
  /** Puts messages into a write that then fails for another reason. */
  const writeInVain = async (written: readonly OutboxEntry[]): Promise<void> => {
    const update = { $inc: { outbox_since: 'no number' } };
    await expect(outbox.update([{ ...updateOf('only'), messages: written, update }])).rejects.toThrow();
  };
  /** What a new process finds once the lease of the former one is over. */
  const reopen = async (): Promise<void> => {
    clock.advance(LEASE_MS + 1);
    outbox = await openRelayed(clock);
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

  test('removes the given messages, in any order and more than once', async () => {
    await writeTexts('1', '2', '3');
    const ids = (await outbox.lease(3)).map(({ id }) => id);
    await outbox.remove([]);
    await outbox.remove([ids[2], ids[0]] as string[]);
    await outbox.remove([ids[0]] as string[]);
    expect(await values()).toEqual(['2']);
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
    [one, two] = [await openRelayed(clock), await openRelayed(clock, await opened.second())];
  });

  const search = (outbox: MongoOutbox): Promise<string[]> => {
    outbox.noteWaiting();
    return valuesOf(outbox);
  };
  const documentOf = (id: string) => ({ _id: id, state: 0, ...one.holding([message(id)], clock.now()) });

  test('share the messages out: each is held by one', async () => {
    const three = await openRelayed(clock);
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
    await one.update([updateOf('a', '1')]);
    expect(await two.update([updateOf('a', '2'), updateOf('b', '3')])).toBe(2);
    expect(await valuesOf(two)).toEqual(['3']);
    expect(await publishAll(one)).toEqual(['1']);
    await one.settle();
    expect(await valuesOf(one)).toEqual(['2']);
  });

  test('publish the messages of writes whose condition holds, also beside one that fails', async () => {
    await insertBare('a', 'b');
    const inVain = { ...updateOf('a', 'lost'), condition: { state: 7 } };
    expect(await one.update([inVain, { ...updateOf('b', '1'), condition: { state: 0 } }])).toBe(1);
    const failing = { ...updateOf('a', 'lost'), update: { $inc: { outbox_since: 'no number' } } };
    await expect(one.update([failing, updateOf('b', '2')])).rejects.toThrow();
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
    expect(await valuesOf(await openRelayed(ahead))).toEqual(['1']);
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

test('an update that would lose a part of itself to the outbox is refused', () => {
  expect(withOutbox({ $min: { a: 1 } }, [message('v')], 5)['$min']).toEqual({ a: 1, outbox_since: 5 });
  expect(() => withOutbox({ $min: { outbox_since: 1 } }, [message('v')], 5)).toThrow('outbox_since');
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
