import { expect, test } from '@jest/globals';
import { FairTurns } from './fair-turns.ts';

/** Six of which the first holder may have three. */
function sixTurns(): { readonly turns: FairTurns; readonly went: string[]; waitFor(holder: string, name?: string): () => void } {
  const turns = new FairTurns({ capacity: 6, part: 1 });
  const went: string[] = [];
  return { turns, went, waitFor: (holder, name = holder) => turns.wait(holder, () => went.push(name)) };
}

test('who has room goes at once', () => {
  const { went, waitFor } = sixTurns();
  waitFor('a');
  expect(went).toEqual(['a']);
});

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
