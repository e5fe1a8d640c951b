import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { mongo } from 'mongoose';
import { GatheredInserts } from './mongo-gathered-inserts.ts';

/** What the driver throws when unique indexes refuse some documents of an unordered insert. */
function refusal(places: readonly number[]): Error {
  const writeErrors = places.map((index) => ({
    index,
    code: 11_000,
    errmsg: 'E11000 duplicate key error collection: a.b index: po dup key: {}',
  }));
  const result = { getWriteConcernError: () => undefined, getWriteErrors: () => writeErrors };
  return new mongo.MongoBulkWriteError({ message: 'failed', code: 11_000, writeErrors } as never, result as never);
}

describe('inserts that gather', () => {
  /** Documents of each command. */
  let commands: string[];
  /** What the next commands do instead of inserting. */
  let faults: (() => Promise<void>)[];
  let inserts: GatheredInserts<string>;

  beforeEach(() => {
    jest.useFakeTimers();
    [commands, faults] = [[], []];
    inserts = new GatheredInserts(async (documents) => {
      commands.push(documents.join(''));
      await faults.shift()?.();
    });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const insert = (document: string, characters = 1): Promise<void> => inserts.insert(document, characters);
  const outcomes = async (...documents: string[]): Promise<readonly string[]> => {
    const all = Promise.allSettled(documents.map((document) => insert(document)));
    await jest.advanceTimersByTimeAsync(20);
    return (await all).map((one) => (one.status === 'fulfilled' ? 'inserted' : (one.reason as Error).message));
  };
  const failing = (error: Error) => () => Promise.reject(error);

  test('go at once when few come, and share a command when many do', async () => {
    await insert('a');
    expect(commands).toEqual(['a']);
    await jest.advanceTimersByTimeAsync(6);
    const several = [insert('b'), insert('c')];
    await jest.advanceTimersByTimeAsync(0);
    // They came together, so they need not wait for one another.
    expect(commands).toEqual(['a', 'bc']);
    several.push(insert('d'));
    await jest.advanceTimersByTimeAsync(8);
    several.push(insert('e'));
    expect(commands).toEqual(['a', 'bc']);
    await jest.advanceTimersByTimeAsync(4);
    expect(commands).toEqual(['a', 'bc', 'de']);
    await Promise.all(several);
  });

  test('do not wait for the command before', async () => {
    let finish = (): void => undefined;
    faults.push(() => new Promise((resolve) => (finish = resolve)));
    const first = insert('a');
    await jest.advanceTimersByTimeAsync(8);
    await insert('b');
    expect(commands).toEqual(['a', 'b']);
    finish();
    await first;
  });

  test('of many or long documents need several commands, a very long one has its own', async () => {
    const all = Array.from({ length: 150 }, () => insert('x'));
    all.push(...Array.from({ length: 20 }, () => insert('y', 60_000)), insert('z', 100_000));
    expect(commands).toEqual(['z']);
    await jest.advanceTimersByTimeAsync(100);
    await Promise.all(all);
    expect(commands.map((command) => command.length)).toEqual([1, 100, 66, 4]);
  });

  test('have outcomes of their own: what is refused is inserted by itself, for its reason', async () => {
    faults.push(failing(refusal([1, 2])), failing(new Error('b is taken')));
    expect(await outcomes('a', 'b', 'c', 'd')).toEqual(['inserted', 'b is taken', 'inserted', 'inserted']);
    expect(commands).toEqual(['abcd', 'b', 'c']);
  });

  test('are made one by one after a failure that nobody knows', async () => {
    faults.push(failing(new Error('what?')), failing(new Error('a is odd')));
    expect(await outcomes('a', 'b')).toEqual(['a is odd', 'inserted']);
    expect(commands).toEqual(['ab', 'a', 'b']);
  });

  test.each([
    { name: 'fails because the store is out', fault: failing(AppError.unavailable('out')), outcome: 'out' },
    { name: 'takes a second', fault: () => new Promise<void>((resolve) => setTimeout(resolve, 1000)), outcome: 'inserted' },
  ])('share nothing for ten seconds after one that $name', async ({ fault, outcome }) => {
    faults.push(fault);
    const first = Promise.allSettled([insert('a'), insert('b')]);
    await jest.advanceTimersByTimeAsync(1000);
    expect((await first).map((one) => (one.status === 'fulfilled' ? 'inserted' : (one.reason as Error).message))).toEqual([
      outcome,
      outcome,
    ]);
    await jest.advanceTimersByTimeAsync(8900);
    expect(await outcomes('c', 'd')).toEqual(['inserted', 'inserted']);
    expect(commands).toEqual(['ab', 'c', 'd']);
    await jest.advanceTimersByTimeAsync(1100);
    expect(await outcomes('e', 'f')).toEqual(['inserted', 'inserted']);
    expect(commands).toEqual(['ab', 'c', 'd', 'ef']);
  });
});
