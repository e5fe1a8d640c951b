import { expect, test } from '@jest/globals';
import { AppError } from './app-error.ts';
import { togetherOrEach } from './together-or-each.ts';

test('works on all together, and on each alone when one is bad', async () => {
  const calls: number[][] = [];
  const bad: unknown[] = [];
  const work = async (items: readonly number[]): Promise<number[]> => {
    calls.push([...items]);
    if (items.includes(2)) throw new Error('two is bad');
    return items.map((item) => item * 10);
  };
  const note = (item: number, error: unknown): void => void bad.push([item, String(error)]);
  expect(await togetherOrEach([1, 3], work, note)).toEqual([10, 30]);
  expect(await togetherOrEach([], work, note)).toEqual([]);
  expect(await togetherOrEach([1, 2, 3], work, note)).toEqual([10, 30]);
  expect(calls).toEqual([[1, 3], [1, 2, 3], [1], [2], [3]]);
  expect(bad).toEqual([[2, 'Error: two is bad']]);
});

test('an outage is that of all', async () => {
  const work = async (): Promise<never> => Promise.reject(AppError.unavailable('The store is out'));
  await expect(togetherOrEach([1, 2], work, () => undefined)).rejects.toMatchObject({ code: '50301' });
});
