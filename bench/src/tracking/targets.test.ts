import { describe, expect, test } from '@jest/globals';
import { rowOf } from '../report/row.ts';
import { targetsOf } from './targets.ts';

const rate = (name: string, ours: number) =>
  rowOf({ suite: 'tracking', name, unit: '/s', reference: 'bare', better: 'higher' }, [{ ours, reference: 10_000 }]);
const cost = (name: string, ours: number) =>
  rowOf({ suite: 'tracking', name, unit: 'µs', reference: 'few', better: 'lower' }, [{ ours, reference: 100 }]);

describe('targetsOf', () => {
  test('compares rates of one processor by themselves and costs by their ratios', () => {
    const rows = [
      rate('17TRACK pushes that change a status', 900),
      rate('17TRACK pushes that change a status, by one processor', 1_000),
      rate('Polled numbers, without news, by one processor', 4_999),
      cost('Lease of 32 due shipments, SQLite', 150),
      cost('Shipment by tracking number, SQLite', 151),
      cost('Memory of the process that selects', 1_000),
    ];
    expect(targetsOf(rows).lines).toEqual([
      ['17TRACK pushes that change a status, by one processor', '/s', 1_000, 1_000, 'yes'],
      ['Polled numbers, without news, by one processor', '/s', 5_000, 4_999, 'no'],
      ['Lease of 32 due shipments, SQLite', 'ratio', 1.5, 1.5, 'yes'],
      ['Shipment by tracking number, SQLite', 'ratio', 1.5, 1.51, 'no'],
    ]);
  });
});
