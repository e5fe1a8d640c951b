import { describe, expect, test } from '@jest/globals';
import { rowOf } from './row.ts';

const about = { suite: 's', name: 'Submissions', unit: '/s', reference: 'bare loop', better: 'higher' as const };

describe('rowOf', () => {
  test('takes the median of the ratios of each cycle, not the ratio of the medians', () => {
    const skewed = rowOf(about, [
      { ours: 1, reference: 10 },
      { ours: 2, reference: 4 },
      { ours: 9, reference: 3 },
    ]);
    expect(skewed).toMatchObject({ ours: 2, referenceValue: 4, ratio: 0.5, cycles: 3 });
    const shifted = rowOf(about, [
      { ours: 10, reference: 10 },
      { ours: 2, reference: 1 },
      { ours: 3, reference: 1 },
    ]);
    expect(shifted.ratio).toBe(2);
  });
});
