import { expect, test } from '@jest/globals';
import { describeCycles, describeGoals, describeNoise, markdownLoads, plainLoads } from './report.ts';
import { summarise } from './summary.ts';

const run = summarise({
  about: { shape: 'B', load: 'B, 1000/s', side: 'Parcelway, embedded', perSecond: 1000, seconds: 1 },
  published: [{ intended: 0, called: 0, acknowledged: 1, repeats: 0 }],
  isExpected: () => true,
  arrivalOf: () => 10,
  counts: { arrived: 1, duplicates: 0, failed: 0, hung: 0, unnamed: 0, connections: 1 },
  used: { cpuMicroseconds: { service: 1000 }, operations: {} },
  waitedUntil: 20,
});

test('the table has a line a load, and the same cells in both forms', () => {
  const plain = plainLoads([run]).split('\n');
  const markdown = markdownLoads([run]).split('\n');
  expect(plain).toHaveLength(3);
  expect(markdown).toHaveLength(3);
  const cells = (markdown[2] as string).split('|').map((cell) => cell.trim());
  expect(cells.slice(1, 5)).toEqual(['B, 1000/s', 'Parcelway, embedded', '1,000', '100']);
  expect(plain[2]).toContain('Parcelway, embedded');
  expect(new Set(markdown.map((line) => line.split('|').length)).size).toBe(1);
});

test('a goal is reached, missed, or not known', () => {
  const goals = [
    { goal: 'one', value: 1, met: true },
    { goal: 'two', value: 2, met: false },
    { goal: 'three', value: null, met: null },
  ];
  expect(describeGoals(goals).split('\n')).toEqual(['- one: reached (1.00)', '- two: missed (2.00)', '- three: not known from this run']);
});

test('how often each load was measured', () => {
  expect(describeCycles(60, 1)).toBe('Each load lasted 60 s.');
  expect(describeCycles(20, 3)).toContain('20 s, 3 times');
});

test('a busy machine is reported', () => {
  expect(describeNoise(0.05)).toBe('');
  expect(describeNoise(0.06)).toContain('measure again when it is quiet');
});
