import { describe, expect, test } from '@jest/globals';
import { loadsOf, type ShapeName } from '../shapes.ts';
import { judge } from './goals.ts';
import { type LoadResult, summarise } from './summary.ts';

/** A run of a shape whose every figure but those given is that of nothing at all. */
function runOf(shape: ShapeName, p95: number, more: Partial<LoadResult> = {}): LoadResult {
  const { name: load, perSecond } = loadsOf(shape)[0] ?? { name: shape, perSecond: 1 };
  const nothing = summarise({
    about: { shape, load, side: 'ours', perSecond, seconds: 1 },
    published: [],
    isExpected: () => true,
    arrivalOf: () => undefined,
    counts: { arrived: 0, duplicates: 0, failed: 0, hung: 0, unnamed: 0, connections: 0 },
    used: { cpuMicroseconds: {}, operations: {} },
    waitedUntil: 0,
  });
  return { ...nothing, latencyMs: { p50: 1, p95, p99: p95, max: p95 }, ...more };
}

const met = (runs: readonly LoadResult[], peers: readonly LoadResult[] = [], others = 0): (boolean | null)[] =>
  judge(runs, peers, 'embedded', others).map((goal) => goal.met);

describe('judge', () => {
  test('A by its p95, with another bound in each mode, and next to what Convoy publishes', () => {
    expect(met([runOf('A', 4)])).toEqual([true, true]);
    expect(met([runOf('A', 4.1)])).toEqual([false, true]);
    expect(judge([runOf('A', 60)], [], 'distributed', 0).map((goal) => goal.met)).toEqual([true, true]);
    expect(met([runOf('A', 125)])).toEqual([false, false]);
    expect(met([runOf('A', 1, { latencyMs: null })])).toEqual([false, false]);
  });

  test('B and C by what is lost, and by the deliveries per CPU second of the peer', () => {
    const ours = runOf('B', 5, { deliveriesPerCpuSecond: 1050 });
    expect(met([ours])).toEqual([true, null]);
    expect(met([ours], [runOf('B', 5, { deliveriesPerCpuSecond: 300 })])).toEqual([true, true]);
    expect(met([ours], [runOf('B', 5, { deliveriesPerCpuSecond: 301 })])).toEqual([true, false]);
    // Next to other programs batches are larger, and the work for each delivery smaller.
    expect(met([ours], [runOf('B', 5, { deliveriesPerCpuSecond: 300 })], 0.06)).toEqual([true, null]);
    expect(met([{ ...ours, lost: 1 }], [runOf('C', 5, { deliveriesPerCpuSecond: 1 })])).toEqual([false, null]);
  });

  test('several cycles by their medians, the ratio cycle by cycle', () => {
    const runs = [runOf('B', 5, { deliveriesPerCpuSecond: 700 }), runOf('B', 9, { deliveriesPerCpuSecond: 1000 }), runOf('B', 7)];
    const ours = runs.map((run, cycle) => (cycle === 2 ? { ...run, deliveriesPerCpuSecond: 400, lost: 1 } : run));
    const peers = [200, 250, 100].map((deliveriesPerCpuSecond) => runOf('B', 5, { deliveriesPerCpuSecond }));
    // 3.5, 4 and 4 times; one lost in any cycle is one too many.
    expect(judge(ours, peers, 'embedded', 0).map(({ value, met }) => ({ value, met }))).toEqual([
      { value: 1, met: false },
      { value: 4, met: true },
    ]);
    expect(met(ours, peers.slice(1))).toEqual([false, null]);
    expect(judge([runOf('A', 3), runOf('A', 9), runOf('A', 4)], [], 'embedded', 0)[0]).toMatchObject({ value: 4, met: true });
  });

  test('D by the p95 of B in the same run', () => {
    const b = runOf('B', 10, { deliveredPerSecond: 1000 });
    expect(met([b, runOf('D', 15)]).at(-1)).toBe(true);
    expect(met([b, runOf('D', 15.1)]).at(-1)).toBe(false);
    expect(met([runOf('D', 1)])).toEqual([null]);
    // A B that fell behind is as slow as its queue is long: no measure for D.
    expect(met([{ ...b, deliveredPerSecond: 900 }, runOf('D', 1)]).at(-1)).toBeNull();
  });

  test('E by what is lost', () => {
    expect(met([runOf('E', 1000)])).toEqual([true]);
    expect(met([runOf('E', 1000, { lost: 1 })])).toEqual([false]);
  });
});
