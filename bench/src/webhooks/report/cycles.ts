import { median } from '../../statistics.ts';
import type { Latency, LoadResult } from './summary.ts';

const medianOf = <T>(all: readonly T[], read: (one: T) => number): number => median(all.map(read));
const sumOf = <T>(all: readonly T[], read: (one: T) => number): number => all.reduce((sum, one) => sum + read(one), 0);

function latencyOf(all: readonly (Latency | null)[]): Latency | null {
  const known = all.filter((one) => one !== null);
  // A cycle in which nothing arrived must not be left out of the figure.
  if (known.length < all.length) return null;
  return {
    p50: medianOf(known, ({ p50 }) => p50),
    p95: medianOf(known, ({ p95 }) => p95),
    p99: medianOf(known, ({ p99 }) => p99),
    max: Math.max(...known.map(({ max }) => max)),
  };
}

function medianOfEach(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const names = [...new Set(all.flatMap((one) => Object.keys(one)))];
  return Object.fromEntries(names.map((name) => [name, medianOf(all, (one) => one[name] ?? 0)]));
}

/** One result for all cycles of a load on one side: medians of rates, times and costs; sums of what is counted. */
function typicalOf(cycles: readonly [LoadResult, ...LoadResult[]]): LoadResult {
  const { shape, load, side, perSecond, seconds } = cycles[0];
  return {
    shape,
    load,
    side,
    perSecond,
    seconds,
    published: sumOf(cycles, (run) => run.published),
    accepted: sumOf(cycles, (run) => run.accepted),
    acceptedPerSecond: medianOf(cycles, (run) => run.acceptedPerSecond),
    expected: sumOf(cycles, (run) => run.expected),
    delivered: sumOf(cycles, (run) => run.delivered),
    deliveredPerSecond: medianOf(cycles, (run) => run.deliveredPerSecond),
    lost: sumOf(cycles, (run) => run.lost),
    duplicates: sumOf(cycles, (run) => run.duplicates),
    latencyMs: latencyOf(cycles.map((run) => run.latencyMs)),
    latencyFromScheduleMs: latencyOf(cycles.map((run) => run.latencyFromScheduleMs)),
    drainSeconds: medianOf(cycles, (run) => run.drainSeconds),
    repeats: sumOf(cycles, (run) => run.repeats),
    failedAttempts: sumOf(cycles, (run) => run.failedAttempts),
    hungAttempts: sumOf(cycles, (run) => run.hungAttempts),
    connections: medianOf(cycles, (run) => run.connections),
    cpuSecondsPer1000: medianOfEach(cycles.map((run) => run.cpuSecondsPer1000)),
    deliveriesPerCpuSecond: medianOf(cycles, (run) => run.deliveriesPerCpuSecond),
  };
}

/** One result for each load of a side, in the order in which the loads came first. @param runs of all cycles */
export function typicalRuns(runs: readonly LoadResult[]): readonly LoadResult[] {
  const loads = [...new Set(runs.map(({ load }) => load))];
  return loads.map((load) => typicalOf(runs.filter((run) => run.load === load) as [LoadResult, ...LoadResult[]]));
}
