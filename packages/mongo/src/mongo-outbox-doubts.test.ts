import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { MongoOutbox } from './mongo-outbox.ts';
import { type Command, MemoryCollection } from './testing/mongo-memory-collection.ts';
import { failOnce, LEASE_MS, memoryOutbox, message, publishAll, updateOf, valuesOf } from './testing/mongo-memory-outbox.ts';

/** The deadline of an operation, and a moment. */
const TOO_LATE_MS = 5001;

describe('messages of a write of which it is not known whether it happened', () => {
  let memory: MemoryCollection;
  let clock: ManualClock;
  let outbox: MongoOutbox;

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
    memory = new MemoryCollection();
    clock = new ManualClock(1000);
    outbox = memoryOutbox(memory, clock);
    await outbox.lease(1);
    memory.commands.length = 0;
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const documentOf = (id: string) => ({ _id: id, ...outbox.holding([message(id)], clock.now()) });
  const insert = (...ids: string[]): Promise<void> => outbox.insert(ids.map(documentOf));
  /** Holds a step of the next commands up, perhaps of some alone. @returns what lets them go on */
  const holdUp = (step: 'received' | 'made', only?: Command): (() => Promise<void>) => {
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    memory[step] = async (command) => {
      if (only === undefined || command === only) await gate;
    };
    return async () => {
      goOn();
      await new Promise((resolve) => setImmediate(resolve));
    };
  };
  /** Resolves when `work` has failed at its deadline. The store responds to what comes after it. */
  const expectTooLate = async (work: Promise<unknown>): Promise<void> => {
    const failure = expect(work).rejects.toMatchObject({ code: '50301' });
    await jest.advanceTimersByTimeAsync(TOO_LATE_MS);
    await failure;
    [memory.received, memory.made] = [async () => undefined, async () => undefined];
  };

  test.each([[['a']], [['a', 'b']]])('are published at once when the response to the insert of %j was lost', async (ids) => {
    memory.made = failOnce();
    await expect(insert(...ids)).rejects.toMatchObject({ code: '50301' });
    expect(await publishAll(outbox)).toEqual(ids);
    expect(await publishAll(outbox)).toEqual([]);
  });

  test('are published before the late response to the insert, and not again after it', async () => {
    const respond = holdUp('made');
    await expectTooLate(insert('a'));
    expect(await publishAll(outbox)).toEqual(['a']);
    await outbox.settle();
    await respond();
    expect(await valuesOf(outbox)).toEqual([]);
  });

  test('are published when the insert happens late, without its response', async () => {
    const happen = holdUp('received');
    await expectTooLate(insert('a'));
    memory.made = failOnce();
    expect(await valuesOf(outbox).catch(() => 'out')).toBe('out');
    memory.made = failOnce();
    await happen();
    clock.advance(400);
    expect(await valuesOf(outbox)).toEqual([]);
    clock.advance(100);
    expect(await publishAll(outbox)).toEqual(['a']);
  });

  test('are looked for twice a second, and until the lease has run out', async () => {
    memory.received = failOnce();
    await expect(insert('a')).rejects.toMatchObject({ code: '50301' });
    for (let times = 0; times < 10; times += 1) {
      await outbox.lease(1);
      clock.advance(100);
    }
    const looks = (): number => memory.commands.filter((command) => command === 'find').length;
    expect(looks()).toBe(2);
    clock.advance(LEASE_MS);
    await outbox.lease(1);
    const before = looks();
    clock.advance(500);
    await outbox.lease(1);
    expect(looks()).toBe(before);
  });

  test('are not looked for when a unique index has refused the document', async () => {
    await insert('a');
    await expect(insert('a')).rejects.toThrow('duplicate key');
    await publishAll(outbox);
    expect(memory.commands).toEqual(['insert', 'insert']);
  });

  test('are published at once when the response to an update was lost, with what was appended meanwhile', async () => {
    for (const id of ['a', 'b']) memory.documents.set(id, { _id: id });
    memory.made = failOnce();
    await expect(outbox.update([updateOf('a', '1'), updateOf('b', '2')])).rejects.toMatchObject({ code: '50301' });
    expect(await outbox.update([updateOf('a', '3')])).toBe(1);
    expect(await publishAll(outbox)).toEqual(['1', '3', '2']);
    await outbox.settle();
    expect([...memory.documents.values()]).toEqual([
      { _id: 'a', state: 2 },
      { _id: 'b', state: 1 },
    ]);
  });

  test('are published at once when it could not be read which documents an update has changed', async () => {
    memory.documents.set('a', { _id: 'a' });
    memory.received = async (command) => {
      if (command === 'find') await failing();
    };
    const failing = failOnce();
    await expect(outbox.update([updateOf('a', '1'), updateOf('absent', '2')])).rejects.toMatchObject({ code: '50301' });
    expect(await publishAll(outbox)).toEqual(['1']);
  });

  /** Another process, whose relay does not run. */
  const appendElsewhere = (id: string, value: string): Promise<number> => memoryOutbox(memory, clock).update([updateOf(id, value)]);

  test('are left to any process when the relay stops', async () => {
    memory.made = failOnce();
    await expect(insert('a')).rejects.toMatchObject({ code: '50301' });
    await outbox.flush();
    expect(await valuesOf(memoryOutbox(memory, clock))).toEqual(['a']);
  });

  test('are published at once when they are taken over late', async () => {
    memory.documents.set('a', { _id: 'a' });
    await appendElsewhere('a', '1');
    outbox.noteWaiting();
    const happen = holdUp('received', 'updateMany');
    await expectTooLate(outbox.lease(1));
    await happen();
    expect(await publishAll(outbox)).toEqual(['1']);
  });

  test('are published at once when their lease is prolonged late, with what was appended meanwhile', async () => {
    await insert('a');
    clock.advance(LEASE_MS / 2);
    const happen = holdUp('received', 'updateMany');
    await expectTooLate(outbox.lease(1));
    await happen();
    await appendElsewhere('a', '1');
    expect(await publishAll(outbox)).toEqual(['a', '1']);
    await outbox.settle();
    expect(memory.documents.get('a')).toEqual({ _id: 'a', state: 1 });
  });

  test('are published soon when their lease is prolonged while it is prolonged again', async () => {
    await insert('a');
    clock.advance(LEASE_MS / 2);
    const happen = holdUp('received', 'updateMany');
    await expectTooLate(outbox.lease(1));
    memory.received = async (command) => {
      if (command === 'updateMany') await happen();
    };
    expect(await valuesOf(outbox)).toEqual([]);
    clock.advance(500);
    expect(await publishAll(outbox)).toEqual(['a']);
  });
});
