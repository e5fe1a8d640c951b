import { describe, expect, test } from '@jest/globals';
import { fresh, reportAt } from '../testing/fact-histories.ts';
import { advance } from './advance.ts';
import type { Fact } from './fact.ts';

describe('of several counts', () => {
  const count = (step: 'warehouse.arrived' | 'warehouse.put-away', at: number, quantity: number): Fact => ({
    step,
    report: reportAt(at),
    receivedItems: [{ skuCode: 'A', quantity }],
  });
  const standing = (...list: readonly Fact[]): number | undefined => {
    let state = fresh(1);
    let quantity: number | undefined;
    for (const fact of list) {
      const next = advance(state, fact, 0);
      state = { ...state, ...next };
      quantity = next.receivedItems?.[0]?.quantity ?? quantity;
    }
    return quantity;
  };

  test('the one made last holds, whichever report comes last; of two at one instant the later report', () => {
    expect(standing(count('warehouse.arrived', 1, 10), count('warehouse.put-away', 2, 20))).toBe(20);
    expect(standing(count('warehouse.put-away', 2, 20), count('warehouse.arrived', 1, 10))).toBe(20);
    expect(standing(count('warehouse.arrived', 2, 10), count('warehouse.put-away', 2, 20))).toBe(20);
  });

  test('a report without one changes none', () => {
    expect(standing(count('warehouse.arrived', 1, 10), { step: 'warehouse.put-away', report: reportAt(2) })).toBe(10);
  });

  test('what is counted is not among the progress', () => {
    const { progress } = advance(fresh(1), count('warehouse.arrived', 1, 10), 0);
    expect(progress.counted).toEqual({ at: 'at 1', atMs: 1 });
    expect(JSON.stringify(progress)).not.toContain('quantity');
  });
});
