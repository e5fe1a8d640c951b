import { expect, test } from '@jest/globals';
import { bestDivision, divisionFor, imbalanceOf } from './partitions.ts';

const burst = { factor: 2, seconds: 60 };
const work = (cores: number, consumedShare = 1) => ({ cores, idleShare: 0, consumedShare });

test.each([
  [12, 12, 1],
  [12, 10, 20 / 12],
  [24, 10, 30 / 24],
  [12, 5, 15 / 12],
])('%i partitions among %i consumers load the busiest %f times', (partitions, consumers, expected) => {
  expect(imbalanceOf(partitions, consumers, 1)).toBeCloseTo(expected);
});

test('only what is consumed divides unevenly', () => {
  expect(imbalanceOf(12, 10, 0)).toBe(1);
  expect(imbalanceOf(12, 10, 0.5)).toBeCloseTo((1 + 20 / 12) / 2);
  // Twelve of 24 replicas consume.
  expect(imbalanceOf(12, 24, 0.1)).toBeCloseTo(0.9 + 0.2);
});

test('more replicas than partitions help a service with other work, and none that only consumes', () => {
  expect(divisionFor(12, new Map([['forecast', work(2)]]), burst)?.replicas.get('forecast')).toBe(6);
  expect(divisionFor(12, new Map([['forecast', work(7)]]), burst)).toBeUndefined();
  expect(divisionFor(12, new Map([['tracking', work(7, 0.1)]]), burst)?.replicas.get('tracking')).toBe(15);
});

test('more partitions come only where they save replicas', () => {
  const few = bestDivision(new Map([['forecast', work(2)]]), burst);
  // Of 24 partitions nine replicas have three at most, 100 % in a burst; of 36 they have four, 89 %, which saves three replicas.
  const many = bestDivision(new Map([['forecast', work(4)]]), burst);
  expect([few.partitions, few.replicas.get('forecast')]).toEqual([12, 6]);
  expect([many.partitions, many.replicas.get('forecast')]).toEqual([36, 9]);
});

test('work for more consumers than there may be partitions is refused', () => {
  expect(() => bestDivision(new Map([['forecast', work(500)]]), burst)).toThrow('partitions are not enough');
});
