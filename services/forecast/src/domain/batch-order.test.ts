import { describe, expect, test } from '@jest/globals';
import { batchOrder } from './batch-order.ts';

const forecast = (poNumber: string, ...numbers: string[]) => ({
  po_number: poNumber,
  items: numbers.map((tracking_number) => ({ tracking_number })),
});

describe('the order of a batch', () => {
  test('forecasts that share nothing wait for nothing', () => {
    expect(batchOrder([forecast('A', 'TN-1'), forecast('B', 'TN-2'), forecast('C')])).toEqual([[], [], []]);
  });

  test('one with the same po_number waits for the last before it', () => {
    expect(batchOrder([forecast('A'), forecast('B'), forecast('A'), forecast('A')])).toEqual([[], [], [0], [2]]);
  });

  test('a logistics number is the same in every way of writing', () => {
    expect(batchOrder([forecast('A', 'ab 12-34'), forecast('B', 'AB1234')])).toEqual([[], [0]]);
  });

  test('each earlier one counts once, and none waits for itself', () => {
    expect(batchOrder([forecast('A', 'T1', 'T2'), forecast('B', 'T3'), forecast('A', 'T1', 'T1', 'T2', 'T3')])).toEqual([[], [], [0, 1]]);
  });

  test('a po_number is no logistics number, and case counts', () => {
    expect(batchOrder([forecast('T1'), forecast('t1', 'T1')])).toEqual([[], []]);
  });

  test.each([
    [null],
    [1],
    ['A'],
    [[]],
    [{}],
    [{ po_number: 1, items: 'x' }],
    [{ po_number: null, items: [null, 1, { tracking_number: 5 }] }],
  ])('%j shares nothing', (odd) => {
    expect(batchOrder([odd, odd])).toEqual([[], []]);
  });
});
