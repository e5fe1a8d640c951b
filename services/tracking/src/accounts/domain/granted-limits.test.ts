import { expect, test } from '@jest/globals';
import { grantedLimits, writtenLimits } from './granted-limits.ts';

const all = { requests_per_second: 0.5, calls_per_day: 5000, fetches_per_parcel_per_day: 24 };

test.each([all, { calls_per_day: 5000 }, { requests_per_second: 2 }, { fetches_per_parcel_per_day: 1 }])(
  '%j is read as it was written',
  (written) => {
    expect(writtenLimits(grantedLimits(written))).toEqual(written);
  },
);

test('names are in one order, however they were written', () => {
  const { requests_per_second, ...others } = all;
  expect(JSON.stringify(grantedLimits({ ...others, requests_per_second }))).toBe(JSON.stringify(grantedLimits(all)));
});
