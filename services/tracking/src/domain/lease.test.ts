import { describe, expect, test } from '@jest/globals';
import { NOW } from '../testing/samples.ts';
import { isDue, leaseEnd } from './lease.ts';

describe('a shipment is due', () => {
  test.each<[string, number | null, number, boolean]>([
    ['from its time on', NOW, 0, true],
    ['not before its time', NOW + 1, 0, false],
    ['not after its watch has ended', null, 0, false],
    ['not while another poller holds it', NOW - 1, NOW + 1, false],
    ['when the lease of another poller has run out', NOW - 1, NOW, true],
  ])('%s', (_what, nextPollAt, leaseUntil, expected) => {
    expect(isDue({ nextPollAt, leaseUntil }, NOW)).toBe(expected);
  });

  test('not again during a lease that begins now', () => {
    expect(isDue({ nextPollAt: NOW, leaseUntil: leaseEnd(NOW) }, NOW + 59_999)).toBe(false);
    expect(isDue({ nextPollAt: NOW, leaseUntil: leaseEnd(NOW) }, NOW + 60_000)).toBe(true);
  });
});
