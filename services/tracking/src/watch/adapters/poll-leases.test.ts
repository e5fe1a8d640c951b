import { expect, test } from '@jest/globals';
import { PollLeases } from './poll-leases.ts';

const [one, two] = [
  { tenantId: 'tnt_a', forecastNo: 'FC1', furtherNumber: null },
  { tenantId: 'tnt_b', forecastNo: 'FC1', furtherNumber: null },
];

test('a lease ends when it is ended, or runs out', () => {
  const leases = new PollLeases();
  leases.begin(one, 1000);
  leases.begin(two, 2000);
  expect(leases.expire(999)).toBe(2);
  expect([leases.has(one), leases.has(two)]).toEqual([true, true]);
  expect(leases.expire(1000)).toBe(1);
  expect([leases.has(one), leases.has(two)]).toEqual([false, true]);
  leases.end(two);
  expect([leases.expire(1000), leases.has(two)]).toEqual([0, false]);
});

test('a lease that begins again has a new end', () => {
  const leases = new PollLeases();
  leases.begin(one, 1000);
  leases.begin(one, 3000);
  expect(leases.expire(2000)).toBe(1);
});
