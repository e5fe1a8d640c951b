import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { SWEEP_BATCH, type SweepOptions, sweepAll } from './sweep.ts';

/** A sweep of so many contents, and the calls that it makes. */
function setUp(abandoned: number) {
  const calls: unknown[][] = [];
  let left = abandoned;
  const options: SweepOptions = {
    abandoned: {
      async claim(before, limit) {
        calls.push(['claim', before, limit]);
        return Array.from({ length: Math.min(limit, left) }, (_, index) => ({ ownerId: 'tnt_1', storageKey: `pdf/${index}` }));
      },
      async forget(ownerId, storageKey) {
        calls.push(['forget', ownerId, storageKey]);
        left -= 1;
      },
    },
    unused: {
      async retireUnused(before, limit) {
        calls.push(['retire unused', before, limit]);
        return 1;
      },
    },
    blobs: { delete: async (storageKey) => void calls.push(['delete', storageKey]) },
    clock: new ManualClock(100_000_000),
    maxAgeMs: 1000,
  };
  return { options, calls };
}
const held = { renew: async () => undefined, isOver: () => false };

test('a sweep removes contents that began before their time, and then forgets them', async () => {
  const { options, calls } = setUp(2);
  expect(await sweepAll(options, held)).toBe(2);
  expect(calls).toEqual([
    ['claim', 99_999_000, 100],
    ['delete', 'pdf/0'],
    ['forget', 'tnt_1', 'pdf/0'],
    ['delete', 'pdf/1'],
    ['forget', 'tnt_1', 'pdf/1'],
    ['retire unused', 13_600_000, 100],
  ]);
});

test('a sweep goes on until little is left, or it is over', async () => {
  const { options } = setUp(3 * SWEEP_BATCH + 1);
  expect(await sweepAll(options, { ...held, isOver: () => true })).toBe(SWEEP_BATCH);
  expect(await sweepAll(options, held)).toBe(2 * SWEEP_BATCH + 1);
});
