import { expect, test } from '@jest/globals';
import { sourceDhl } from '../../sources/dhl/source.ts';
import { grantedLimits, limitsFor, writtenLimits } from './granted-limits.ts';

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

test('what an account was granted takes the place of the standard limit; all others stay', () => {
  const standard = sourceDhl.limits;
  expect(limitsFor(standard, { callsPerDay: 5000 })).toEqual({ ...standard, callsPerDay: 5000 });
  expect(limitsFor(standard, grantedLimits(all))).toEqual({
    requestsPerSecond: 0.5,
    callsPerDay: 5000,
    fetchesPerParcelPerDay: 24,
    numbersPerQuery: standard.numbersPerQuery,
    numbersPerRegistration: standard.numbersPerRegistration,
  });
  expect(limitsFor(standard, null)).toEqual(standard);
});
