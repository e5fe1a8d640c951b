import { describe, expect, test } from '@jest/globals';
import type { Published } from '../open-loop.ts';
import { type Observed, summarise } from './summary.ts';

const counts = { arrived: 0, duplicates: 3, failed: 4, hung: 5, unnamed: 0, connections: 6 };

/** Ten events, one every 100 ms from 1000 on, each called 1 ms late, acknowledged after 5 and arrived after 20. */
function observed(change: Partial<Observed> = {}): Observed {
  const published: Published[] = Array.from({ length: 10 }, (_, index) => {
    const intended = 1000 + index * 100;
    return { intended, called: intended + 1, acknowledged: intended + 6, repeats: 0 };
  });
  return {
    about: { shape: 'B', load: 'B, 10/s', side: 'ours', perSecond: 10, seconds: 1 },
    published,
    isExpected: () => true,
    arrivalOf: (index) => 1000 + index * 100 + 21,
    counts,
    used: { cpuMicroseconds: { service: 1_500_000, servers: 500_000 } },
    waitedUntil: 5000,
    ...change,
  };
}

describe('summarise', () => {
  test('everything arrives', () => {
    const result = summarise(observed());
    expect(result).toMatchObject({ published: 10, accepted: 10, expected: 10, delivered: 10, lost: 0, duplicates: 3, connections: 6 });
    expect(result.latencyMs).toEqual({ p50: 20, p95: 20, p99: 20, max: 20 });
    expect(result.latencyFromScheduleMs?.p95).toBeCloseTo(21);
    // The last was due at 1900 and arrived at 1921.
    expect(result.drainSeconds).toBeCloseTo(0.021);
    expect(result.deliveredPerSecond).toBeCloseTo(10 / 0.921);
    expect(result.acceptedPerSecond).toBeCloseTo(10 / 0.906);
    expect(result.cpuSecondsPer1000).toEqual({ service: 150, servers: 50, all: 200 });
    expect(result.deliveriesPerCpuSecond).toBe(5);
  });

  test('an accepted event that never arrives is lost, and the drain lasts to the end of waiting', () => {
    const result = summarise(observed({ arrivalOf: (index) => (index === 4 ? undefined : 1000 + index * 100 + 21) }));
    expect(result).toMatchObject({ expected: 10, delivered: 9, lost: 1 });
    expect(result.drainSeconds).toBeCloseTo(3.1);
  });

  test('an event that was not accepted is not lost', () => {
    const { published } = observed();
    const given = published.map((one, index) => (index === 4 && one ? { ...one, acknowledged: undefined, repeats: 7 } : one));
    const result = summarise(observed({ published: given, arrivalOf: (index) => (index === 4 ? undefined : 3000) }));
    expect(result).toMatchObject({ published: 10, accepted: 9, expected: 9, delivered: 9, lost: 0, repeats: 7 });
  });

  test('what goes to endpoints that do not respond counts as accepted, not as expected', () => {
    const result = summarise(observed({ isExpected: (index) => index > 1, arrivalOf: (index) => (index > 1 ? 3000 : undefined) }));
    expect(result).toMatchObject({ accepted: 10, expected: 8, delivered: 8, lost: 0, failedAttempts: 4, hungAttempts: 5 });
  });

  test('nothing arrives', () => {
    const result = summarise(observed({ arrivalOf: () => undefined }));
    expect(result).toMatchObject({ delivered: 0, lost: 10, latencyMs: null, deliveredPerSecond: 0, deliveriesPerCpuSecond: 0 });
  });
});
