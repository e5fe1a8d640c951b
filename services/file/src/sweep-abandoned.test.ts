import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { type SweepOptions, sweepAbandoned } from './sweep-abandoned.ts';

test('a sweep removes contents that began before their time, a hundred at most, and then forgets them', async () => {
  const calls: unknown[][] = [];
  const claimed = ['pdf/1', 'photo/2'].map((storageKey) => ({ ownerId: 'tnt_1', storageKey }));
  const options: SweepOptions = {
    abandoned: {
      async claim(before, limit) {
        calls.push(['claim', before, limit]);
        return claimed;
      },
      forget: async (ownerId, storageKey) => void calls.push(['forget', ownerId, storageKey]),
    },
    unused: {
      async retireUnused(before, limit) {
        calls.push(['retire unused', before, limit]);
        return 1;
      },
      async forgetDeleted(before, limit) {
        calls.push(['forget deleted', before, limit]);
        return calls.length < 8 ? limit : 1;
      },
    },
    blobs: { delete: async (storageKey) => void calls.push(['delete', storageKey]) },
    clock: new ManualClock(100_000_000),
    maxAgeMs: 1000,
  };
  expect(await sweepAbandoned(options)).toBe(2);
  expect(calls).toEqual([
    ['claim', 99_999_000, 100],
    ['delete', 'pdf/1'],
    ['forget', 'tnt_1', 'pdf/1'],
    ['delete', 'photo/2'],
    ['forget', 'tnt_1', 'photo/2'],
    ['retire unused', 13_600_000, 100],
    ['forget deleted', -3_183_200_000, 1000],
    ['forget deleted', -3_183_200_000, 1000],
  ]);
});
