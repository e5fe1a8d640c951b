import { expect, test } from '@jest/globals';
import { growthOf, type Turn } from './growth-of.ts';
import { cpuTable, growing, latencyTable, sizeTable, startTable } from './growth-tables.ts';

const turn = (cpu: number, ...times: number[]): Turn => ({ cpu, times });
const list = growthOf('List', [
  [turn(100, 1, 2), turn(200, 3)],
  [turn(150, 2), turn(200, 4), turn(900, 6)],
  [turn(200, 2), turn(400, 8)],
]);
const idle = growthOf('Nothing', [[turn(10)], [turn(10)], [turn(10)]]);
const sizes = [1_000, 10_000, 100_000];

test('the growth is the median of what the largest took over the smallest, cycle by cycle', () => {
  expect(list.growth).toBe(2);
  expect(list.costs.map(({ cpu }) => cpu)).toEqual([150, 200, 300]);
  expect(growing([list, idle])).toEqual(['List 2.00']);
});

test('the tables have a column for each size, and the latency of what has one', () => {
  expect(cpuTable(sizes, [list]).columns.map(({ name }) => name)).toEqual(['Operation', '1,000', '10,000', '100,000', 'Growth']);
  expect(cpuTable(sizes, [list, idle]).lines).toEqual([
    ['List', 150, 200, 300, '2.00'],
    ['Nothing', 10, 10, 10, '1.00'],
  ]);
  expect(latencyTable(sizes, [list, idle]).lines).toEqual([['List', '2.00 / 2.90', '4.00 / 5.80', '5.00 / 7.70', '2.50', '2.66']]);
});

test('sizes are those of a million parcels, the largest first, without what stays small', () => {
  const stores = [
    { name: 'webhook/endpoints', data: 10, indexes: 10 },
    { name: 'forecast/forecasts', data: 2_000_000, indexes: 1_000_000 },
    { name: 'webhook/events', data: 4_000_000, indexes: 0 },
  ];
  expect(sizeTable(10_000, stores).lines).toEqual([
    ['webhook/events', 400, 0, 400],
    ['forecast/forecasts', 200, 100, 300],
    ['all together', 600, 100, 700],
  ]);
});

test('starts show time and memory by size', () => {
  const starts = [
    { parcels: 1_000, start: 500, memory: 100 },
    { parcels: 10_000, start: 600, memory: 110 },
  ];
  expect(startTable(starts).lines).toEqual([
    ['Start to ready, ms', 500, 600, '1.20'],
    ['Memory after the start, MiB', 100, 110, '1.10'],
  ]);
});
