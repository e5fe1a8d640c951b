import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { mongo } from 'mongoose';
import { isDuplicateKey } from './mongo-errors.ts';
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

  const insert = (document: string, weight = 1): Promise<void> => inserts.insert(document, weight);
  const outcomes = async (...documents: string[]): Promise<readonly unknown[]> =>
    (await Promise.allSettled(documents.map((document) => insert(document)))).map((one) =>
      one.status === 'fulfilled' ? 'inserted' : (one.reason as unknown),
    );
  /** A command that lasts until it is ended. */
  const lasting = (): (() => void) => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    faults.push(() => ended);
    return end;
  };
  const settle = (): Promise<void> => jest.advanceTimersByTimeAsync(0);
  /** Until the next command may begin. */
  const nextTurn = (): Promise<void> => jest.advanceTimersByTimeAsync(15);

  test('go at once after a rest, and with the next command, 15 ms after one or when it has ended', async () => {
    const [endFirst, endSecond] = [lasting(), lasting()];
    const all = [insert('a'), insert('b')];
    await settle();
    expect(commands).toEqual(['ab']);
    all.push(insert('c'), insert('d'));
    await settle();
    all.push(insert('e'));
    expect(commands).toEqual(['ab']);
    endFirst();
    await jest.advanceTimersByTimeAsync(14);
    expect(commands).toEqual(['ab']);
    await jest.advanceTimersByTimeAsync(1);
    expect(commands).toEqual(['ab', 'cde']);
    await nextTurn();
    all.push(insert('f'));
    await settle();
    expect(commands).toEqual(['ab', 'cde']);
    endSecond();
    await Promise.all(all);
    expect(commands).toEqual(['ab', 'cde', 'f']);
  });

  test('go at once one after another', async () => {
    for (const document of 'abc') await insert(document);
    expect(commands).toEqual(['a', 'b', 'c']);
  });

  test('wait for a command that takes long for fifty milliseconds, and have their outcome before it has its own', async () => {
    const end = lasting();
    const first = insert('a');
    await settle();
    const second = insert('b');
    await jest.advanceTimersByTimeAsync(49);
    expect(commands).toEqual(['a']);
    await jest.advanceTimersByTimeAsync(1);
    expect(commands).toEqual(['a', 'b']);
    await second;
    end();
    await first;
  });

  test('fill several commands that go side by side when there are many or heavy ones; a very heavy one has its own', async () => {
    const ends = [lasting(), lasting(), lasting()];
    const all = Array.from({ length: 150 }, () => insert('x'));
    all.push(...Array.from({ length: 20 }, () => insert('y', 60_000)), insert('z', 100_000));
    await nextTurn();
    expect(commands.map((command) => command.length)).toEqual([1, 100, 66, 4]);
    expect(commands[0]).toBe('z');
    for (const end of ends) end();
    await Promise.all(all);
  });

  test('have outcomes of their own: the error of a refused one names its index, as that of an insert alone does', async () => {
    faults.push(() => Promise.reject(refusal([1, 3])));
    const [a, b, c, d] = await outcomes('a', 'b', 'c', 'd');
    expect([a, c]).toEqual(['inserted', 'inserted']);
    expect([isDuplicateKey(b, 'po'), isDuplicateKey(b, 'other'), isDuplicateKey(d, 'po')]).toEqual([true, false, true]);
    expect(commands).toEqual(['abcd']);
  });

  test('fail together when nobody knows which of them are there, and the next ones go', async () => {
    const out = AppError.unavailable('out');
    faults.push(() => Promise.reject(out));
    expect(await outcomes('a', 'b')).toEqual([out, out]);
    await nextTurn();
    expect(await outcomes('c', 'd')).toEqual(['inserted', 'inserted']);
    expect(commands).toEqual(['ab', 'cd']);
  });
});
