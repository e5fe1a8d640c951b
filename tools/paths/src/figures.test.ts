import { expect, test } from '@jest/globals';
import { figuresOf, shortestRun } from './figures.ts';
import type { Call } from './tracer.ts';

const call = (file: string, isEntry: boolean): Call => ({ file, name: 'run', chain: 1, isEntry, isOfRequest: true });
const run = (entries: number): Call[] => Array.from({ length: entries }, () => call('a.ts', true));

test('counts files, entries, and files entered again', () => {
  const calls = [call('a.ts', true), call('a.ts', false), call('b.ts', true), call('c.ts', true), call('b.ts', true), call('b.ts', false)];
  expect(figuresOf(calls)).toEqual({
    files: 3,
    entries: 4,
    filesEnteredAgain: 1,
    byFile: [
      { file: 'b.ts', entries: 2 },
      { file: 'a.ts', entries: 1 },
      { file: 'c.ts', entries: 1 },
    ],
  });
});

test('takes the first of the runs with the fewest entries', () => {
  expect(shortestRun([run(9), run(2), run(5)], (calls) => calls)).toHaveLength(2);
  const [first, second] = [run(2), run(2)];
  expect(shortestRun([run(9), first, second], (calls) => calls)).toBe(first);
});
