import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_KEPT, placed } from './kept-list.ts';

const larger = (a: number, b: number): boolean => a > b;

test('a list stays sorted and keeps its first elements, in whichever order they come', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 10 }), (numbers, max) => {
      const kept = numbers.reduce<number[]>((list, number) => placed(list, number, larger, max), []);
      expect(kept).toEqual(numbers.toSorted((a, b) => b - a).slice(0, max));
    }),
  );
});

test('of equal elements the later one comes first', () => {
  const byLength = (a: string, b: string): boolean => a.length > b.length;
  expect(placed(['bb', 'a'], 'x', byLength)).toEqual(['bb', 'x', 'a']);
});

test('a list has a bound', () => {
  expect(
    placed(
      Array.from({ length: MAX_KEPT }, () => 1),
      2,
      larger,
    ),
  ).toHaveLength(MAX_KEPT);
});
