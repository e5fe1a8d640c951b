import { describe, expect, test } from '@jest/globals';
import { typicalRuns } from './cycles.ts';
import { type LoadResult, summarise } from './summary.ts';

const nothing = summarise({
  about: { shape: 'B', load: 'B, 10/s', side: 'ours', perSecond: 10, seconds: 1 },
  published: [],
  isExpected: () => true,
  arrivalOf: () => undefined,
  counts: { arrived: 0, duplicates: 0, failed: 0, hung: 0, unnamed: 0, connections: 0 },
  used: { cpuMicroseconds: {} },
  waitedUntil: 0,
});

const runOf = (change: Partial<LoadResult>): LoadResult => ({ ...nothing, ...change });
const latency = (ms: number) => ({ p50: ms, p95: ms, p99: ms, max: ms });

describe('typicalRuns', () => {
  test('medians of rates, times and costs; sums of what is counted; the largest latency of all', () => {
    const cycle = (lost: number, ms: number, cpu: number): LoadResult =>
      runOf({
        lost,
        duplicates: lost,
        latencyMs: latency(ms),
        deliveriesPerCpuSecond: cpu,
        cpuSecondsPer1000: { all: cpu, [`part${lost}`]: 3 },
      });
    const [typical, ...others] = typicalRuns([cycle(1, 5, 30), cycle(2, 9, 10), cycle(0, 4, 20)]);
    expect(others).toEqual([]);
    expect(typical).toMatchObject({ load: 'B, 10/s', lost: 3, duplicates: 3, deliveriesPerCpuSecond: 20 });
    expect(typical?.latencyMs).toEqual({ p50: 5, p95: 5, p99: 5, max: 9 });
    expect(typical?.cpuSecondsPer1000).toEqual({ all: 20, part0: 0, part1: 0, part2: 0 });
  });

  test('one result a load, in the order of the loads; one cycle stays as it is', () => {
    const runs = [runOf({ load: 'x', latencyMs: latency(1) }), runOf({ load: 'a', latencyMs: latency(2) })];
    expect(typicalRuns(runs)).toEqual(runs);
  });

  test('a cycle in which nothing arrived leaves no latency', () => {
    expect(typicalRuns([runOf({ latencyMs: latency(1) }), runOf({ latencyMs: null })])[0]?.latencyMs).toBeNull();
  });
});
