import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FairQueue } from './fair-queue.ts';
import { FairShares, FairTurns } from './fair-shares.ts';
import { until } from './testing/until.ts';

const open = (changes: Partial<ConstructorParameters<typeof FairQueue>[0]> = {}): FairQueue =>
  new FairQueue({ atOnce: 1, maxWaitMs: 10_000, refusal: 'Too many files are being read', ...changes });

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'taken',
    (error: unknown) => (error as { code: string }).code,
  );

describe('a fair queue', () => {
  test('lets holders take turns, whatever one of them puts into it', async () => {
    const queue = open();
    const order: string[] = [];
    const works = ['a', 'a', 'a', 'b', 'c'].map((holder, at) => queue.run(holder, async () => void order.push(`${holder}${at}`)));
    await Promise.all(works);
    expect(order).toEqual(['a0', 'a1', 'b3', 'c4', 'a2']);
  });

  test('gives a turn back when the work fails', async () => {
    const queue = open();
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await codeOf(queue.take('b'))).toBe('taken');
  });

  test('refuses a holder that has half of the places, and nobody else', async () => {
    const queue = open({ places: 4, retryAfterSeconds: 3 });
    const taken = [queue.take('a'), queue.take('a')];
    await expect(queue.take('a')).rejects.toMatchObject({
      code: '50301',
      message: 'Too many files are being read; try again',
      retryAfterSeconds: 3,
    });
    const other = codeOf(queue.take('b'));
    for (const each of taken) (await each)();
    expect(await other).toBe('taken');
  });

  test('refuses who waits too long, has gone, or finds it closed', async () => {
    const queue = open({ maxWaitMs: 10 });
    await queue.take('a');
    expect(await codeOf(queue.take('b'))).toBe('50301');
    const gone = new AbortController();
    const waiting = codeOf(queue.take('b', gone.signal, 10_000));
    gone.abort();
    expect([await waiting, await codeOf(queue.take('b', gone.signal))]).toEqual(['50301', '50301']);
    const last = codeOf(queue.take('c', undefined, 10_000));
    queue.close();
    expect([await last, await codeOf(queue.take('d'))]).toEqual(['50301', '50301']);
  });

  test('forgets those who do not wait any more', async () => {
    const queue = open({ maxWaitMs: 5 });
    const give = await queue.take('a');
    expect(await codeOf(queue.take('b'))).toBe('50301');
    give();
    await until(async () => (await codeOf(queue.take('c', undefined, 1000))) === 'taken');
  });
});

/** Takes one at a time until it is refused. */
function takeAll(shares: FairShares, holder: string): number {
  let taken = 0;
  while (shares.take(holder)) taken += 1;
  return taken;
}

describe('fair shares', () => {
  test('a holder that is alone stops at its part of what it leaves free', () => {
    expect(takeAll(new FairShares({ capacity: 128, part: 1 }), 'a')).toBe(64);
    expect(takeAll(new FairShares({ capacity: 512, part: 0.25 }), 'a')).toBe(102);
  });

  test('the most that one holder can have is said as it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.constantFrom(0.125, 0.25, 0.5, 1), (capacity, part) => {
        expect(takeAll(new FairShares({ capacity, part }), 'a')).toBe(Math.max(1, FairShares.mostOf({ capacity, part })));
      }),
    );
  });

  test('what is given back was taken', () => {
    const shares = new FairShares({ capacity: 10, part: 1 });
    shares.take('a', 2);
    expect(() => shares.give('a', 3)).toThrow('3 given back, 2 held');
    expect(() => shares.give('b')).toThrow(RangeError);
  });

  test('whatever is taken and given back: never more than there is, nobody above a part of the rest, a newcomer fits while anything is free', () => {
    const move = fc.record({ holder: fc.constantFrom('a', 'b', 'c', 'd'), amount: fc.integer({ min: 1, max: 20 }), gives: fc.boolean() });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.constantFrom(0.25, 0.5, 1),
        fc.array(move, { maxLength: 100 }),
        (capacity, part, moves) => {
          const shares = new FairShares({ capacity, part });
          const held = new Map<string, number>();
          const used = (): number => [...held.values()].reduce((sum, amount) => sum + amount, 0);
          for (const { holder, amount, gives } of moves) {
            const before = held.get(holder) ?? 0;
            const free = capacity - used();
            if (gives) {
              const given = Math.min(amount, before);
              if (given > 0) shares.give(holder, given);
              held.set(holder, before - given);
            } else if (shares.take(holder, amount)) {
              held.set(holder, before + amount);
              expect(before === 0 || before + amount <= part * free).toBe(true);
            } else {
              expect(before === 0 ? amount > free : before + amount > part * free).toBe(true);
            }
            expect(shares.used).toBe(used());
            expect(used()).toBeLessThanOrEqual(capacity);
          }
          if (used() < capacity) expect(shares.take('newcomer')).toBe(true);
        },
      ),
    );
  });
});

/** Six of which the first holder may have three. */
function sixTurns(): { readonly turns: FairTurns; readonly went: string[]; waitFor(holder: string, name?: string): () => void } {
  const turns = new FairTurns({ capacity: 6, part: 1 });
  const went: string[] = [];
  return { turns, went, waitFor: (holder, name = holder) => turns.wait(holder, () => went.push(name)) };
}

describe('fair turns', () => {
  test('who has its share waits until it gives back, in the order of its requests', () => {
    const { turns, went, waitFor } = sixTurns();
    for (const name of ['1', '2', '3', '4', '5']) waitFor('a', name);
    expect(went).toEqual(['1', '2', '3']);
    turns.give('a');
    expect(went).toEqual(['1', '2', '3', '4']);
  });

  test('what becomes free goes to the one with the fewest, and others are let in before', () => {
    const { turns, went, waitFor } = sixTurns();
    for (let index = 0; index < 5; index += 1) waitFor('a');
    for (let index = 0; index < 3; index += 1) waitFor('b');
    waitFor('c');
    waitFor('d');
    expect(went).toEqual(['a', 'a', 'a', 'b', 'b', 'c']);
    turns.give('a');
    expect(went.slice(6)).toEqual(['d']);
    turns.give('b');
    expect(went.slice(7)).toEqual([]);
    turns.give('d');
    expect(went.slice(7)).toEqual(['b']);
  });

  test('who stops waiting is not served', () => {
    const { turns, went, waitFor } = sixTurns();
    for (let index = 0; index < 3; index += 1) waitFor('a');
    const stopWaiting = waitFor('a', 'stopped');
    waitFor('a', 'next');
    stopWaiting();
    turns.give('a');
    expect(went.at(-1)).toBe('next');
    expect(went).not.toContain('stopped');
  });

  test('of those that have the same, the one goes that has waited longest for its turn, however many others wait for more', () => {
    const turns = new FairTurns({ capacity: 1, part: 1 });
    const went: string[] = [];
    const waitFor = (name: string): unknown => turns.wait(name, () => went.push(name));
    for (const name of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) waitFor(name);
    for (let turn = 0; turn < 5; turn += 1) {
      const name = went.at(-1) as string;
      turns.give(name);
      waitFor(name);
    }
    expect(went).toEqual(['a', 'a', 'b', 'c', 'a', 'b']);
  });
});
