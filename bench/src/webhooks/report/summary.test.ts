import { describe, expect, test } from '@jest/globals';
import type { Published } from '../open-loop.ts';
import { type Observed, summarise, typicalRuns } from './summary.ts';

/** Ten events, one every 100 ms from 1000 on, each called 1 ms late, acknowledged after 5 and arrived after 20. */
function observed(change: Partial<Observed> = {}): Observed {
  const published: Published[] = Array.from({ length: 10 }, (_, index) => {
    const intended = 1000 + index * 100;
    return { intended, called: intended + 1, acknowledged: intended + 6 };
  });
  return {
    about: { load: 'B, 10/s', side: 'ours' },
    published,
    isExpected: () => true,
    arrivalOf: (index) => 1000 + index * 100 + 21,
    counts: { arrived: 0, duplicates: 3, connections: 6 },
    used: { service: 1_500_000, servers: 500_000 },
    waitedUntil: 5000,
    ...change,
  };
}

describe('summarise', () => {
  test('everything arrives', () => {
    const result = summarise(observed());
    expect(result).toMatchObject({ accepted: 10, delivered: 10, lost: 0, duplicates: 3, connections: 6 });
    expect(result.latencyMs).toEqual({ p50: 20, p95: 20, p99: 20 });
    // The last was due at 1900 and arrived at 1921.
    expect(result.drainSeconds).toBeCloseTo(0.021);
    expect(result.deliveredPerSecond).toBeCloseTo(10 / 0.921);
    expect(result.acceptedPerSecond).toBeCloseTo(10 / 0.906);
    expect(result.cpuSecondsPer1000).toEqual({ service: 150, servers: 50, all: 200 });
  });

  test('an accepted event that never arrives is lost, and the drain lasts to the end of waiting', () => {
    const result = summarise(observed({ arrivalOf: (index) => (index === 4 ? undefined : 1000 + index * 100 + 21) }));
    expect(result).toMatchObject({ delivered: 9, lost: 1 });
    expect(result.drainSeconds).toBeCloseTo(3.1);
  });

  test('an event that was not accepted is not lost', () => {
    const published = observed().published.map((one, index) => (index === 4 && one ? { ...one, acknowledged: undefined } : one));
    const result = summarise(observed({ published, arrivalOf: (index) => (index === 4 ? undefined : 3000) }));
    expect(result).toMatchObject({ accepted: 9, delivered: 9, lost: 0 });
  });

  test('an event to an endpoint that does not respond is accepted and not lost', () => {
    const result = summarise(observed({ isExpected: (index) => index > 1, arrivalOf: (index) => (index > 1 ? 3000 : undefined) }));
    expect(result).toMatchObject({ accepted: 10, delivered: 8, lost: 0 });
  });

  test('nothing arrives', () => {
    const result = summarise(observed({ arrivalOf: () => undefined }));
    expect(result).toMatchObject({ delivered: 0, lost: 10, latencyMs: null, deliveredPerSecond: 0, cpuSecondsPer1000: { all: 0 } });
  });
});

test('several cycles give median rates and times, the sum of losses, and no latency when one has no arrivals', () => {
  const at = (ms: number) => summarise(observed({ arrivalOf: (index) => 1001 + index * 100 + ms }));
  const [typical] = typicalRuns([at(10), at(30), at(20)]);
  expect(typical).toMatchObject({ delivered: 30, lost: 0, latencyMs: { p95: 20 } });
  const lossy = typicalRuns([at(10), summarise(observed({ arrivalOf: () => undefined }))]);
  expect(lossy).toMatchObject([{ delivered: 10, lost: 10, latencyMs: null }]);
});
