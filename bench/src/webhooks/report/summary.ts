import { median, percentile } from '../../statistics.ts';
import type { Published } from '../open-loop.ts';
import type { ReceiverCounts } from '../receiver.ts';
import type { Usage } from '../sides/side.ts';

/** Latencies in milliseconds, from the call that publishes to the arrival. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** What one load gave on one side. */
export interface LoadResult {
  readonly load: string;
  readonly side: string;
  /** Events that the side acknowledged. */
  readonly accepted: number;
  /** From the first publishing to the last acknowledgement. */
  readonly acceptedPerSecond: number;
  /** Accepted events of responding endpoints that have arrived. */
  readonly delivered: number;
  /** From the first publishing to the last arrival. */
  readonly deliveredPerSecond: number;
  /** Accepted events of responding endpoints that have not arrived. */
  readonly lost: number;
  /** Arrivals of events that had arrived before. */
  readonly duplicates: number;
  /** Null when nothing arrived. */
  readonly latencyMs: Latency | null;
  /** From the last publishing that was due to the last arrival, or to the end of waiting when something was lost. */
  readonly drainSeconds: number;
  /** Opened to the receiver, those of the warm-up too. */
  readonly connections: number;
  /** By part, and all together. */
  readonly cpuSecondsPer1000: Usage;
}

/** All that is known of one load once it is over. */
export interface Observed {
  readonly about: Pick<LoadResult, 'load' | 'side'>;
  /** By index of the event; missing when it was never begun. */
  readonly published: readonly (Published | undefined)[];
  /** Whether the endpoint of an event responds. */
  readonly isExpected: (index: number) => boolean;
  /** First arrival of an event. */
  readonly arrivalOf: (index: number) => number | undefined;
  readonly counts: ReceiverCounts;
  readonly used: Usage;
  /** When waiting for arrivals ended. */
  readonly waitedUntil: number;
}

function latencyOf(values: readonly number[]): Latency | null {
  if (values.length === 0) return null;
  return { p50: percentile(values, 50), p95: percentile(values, 95), p99: percentile(values, 99) };
}

const largest = (values: readonly number[], otherwise: number): number => values.reduce((max, value) => Math.max(max, value), otherwise);

/** Works out the figures of a load. Rates and drain are null-free: without arrivals they are 0. */
export function summarise({ about, published, isExpected, arrivalOf, counts, used, waitedUntil }: Observed): LoadResult {
  const begun = published[0]?.intended ?? waitedUntil;
  const all = published.flatMap((one, index) => (one === undefined ? [] : [{ ...one, index, arrived: arrivalOf(index) }]));
  const acknowledged = all.flatMap((one) => (one.acknowledged === undefined ? [] : [one.acknowledged]));
  const expected = all.filter((one) => one.acknowledged !== undefined && isExpected(one.index));
  const arrived = expected.flatMap((one) => (one.arrived === undefined ? [] : [{ called: one.called, at: one.arrived }]));
  const delivered = arrived.length;
  const lost = expected.length - delivered;
  const [lastArrival, lastDue] = [arrived.map(({ at }) => at), all.map(({ intended }) => intended)].map((times) => largest(times, begun));
  const rate = (count: number, until = begun): number => (until > begun ? (count * 1000) / (until - begun) : 0);
  const parts = { ...used, all: Object.values(used).reduce((sum, value) => sum + value, 0) };
  const per1000 = Object.entries(parts).map(([name, value]) => [name, delivered === 0 ? 0 : value / 1000 / delivered]);
  return {
    ...about,
    accepted: acknowledged.length,
    acceptedPerSecond: rate(acknowledged.length, largest(acknowledged, begun)),
    delivered,
    deliveredPerSecond: rate(delivered, lastArrival),
    lost,
    duplicates: counts.duplicates,
    latencyMs: latencyOf(arrived.map(({ called, at }) => at - called)),
    drainSeconds: Math.max(0, (lost > 0 ? waitedUntil : (lastArrival ?? begun)) - (lastDue ?? begun)) / 1000,
    connections: counts.connections,
    cpuSecondsPer1000: Object.fromEntries(per1000),
  };
}

/** One result for all cycles of a load on one side: medians of rates, times and costs; sums of what is counted. */
function typicalOf(load: string, cycles: readonly LoadResult[]): LoadResult {
  const sum = (read: (run: LoadResult) => number): number => cycles.reduce((total, run) => total + read(run), 0);
  const middle = (read: (run: LoadResult) => number): number => median(cycles.map(read));
  const latency = (at: keyof Latency): number => middle(({ latencyMs }) => latencyMs?.[at] ?? Number.NaN);
  const parts = [...new Set(cycles.flatMap(({ cpuSecondsPer1000 }) => Object.keys(cpuSecondsPer1000)))];
  return {
    load,
    side: cycles[0]?.side ?? '',
    accepted: sum((run) => run.accepted),
    acceptedPerSecond: middle((run) => run.acceptedPerSecond),
    delivered: sum((run) => run.delivered),
    deliveredPerSecond: middle((run) => run.deliveredPerSecond),
    lost: sum((run) => run.lost),
    duplicates: sum((run) => run.duplicates),
    // A cycle in which nothing arrived must not be left out of the figure.
    latencyMs: cycles.some(({ latencyMs }) => latencyMs === null)
      ? null
      : { p50: latency('p50'), p95: latency('p95'), p99: latency('p99') },
    drainSeconds: middle((run) => run.drainSeconds),
    connections: middle((run) => run.connections),
    cpuSecondsPer1000: Object.fromEntries(parts.map((part) => [part, middle(({ cpuSecondsPer1000: costs }) => costs[part] ?? 0)])),
  };
}

/** One result for each load of a side, in the order in which the loads came first. @param runs of all cycles */
export function typicalRuns(runs: readonly LoadResult[]): readonly LoadResult[] {
  const loads = [...new Set(runs.map(({ load }) => load))];
  return loads.map((load) =>
    typicalOf(
      load,
      runs.filter((run) => run.load === load),
    ),
  );
}
