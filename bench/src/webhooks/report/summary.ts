import { percentile } from '../../statistics.ts';
import type { Published } from '../open-loop.ts';
import type { ReceiverCounts } from '../receiver.ts';
import type { ShapeName } from '../shapes.ts';
import type { Usage } from '../sides/usage.ts';

/** Latencies in milliseconds; null when nothing arrived. */
export interface Latency {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** What one load gave on one side. */
export interface LoadResult {
  readonly shape: ShapeName;
  readonly load: string;
  readonly side: string;
  readonly perSecond: number;
  readonly seconds: number;
  /** Events that were published. */
  readonly published: number;
  /** Of them, those that the side acknowledged. */
  readonly accepted: number;
  /** From the first publishing to the last acknowledgement. */
  readonly acceptedPerSecond: number;
  /** Accepted events whose endpoint responds; these have to arrive. */
  readonly expected: number;
  readonly delivered: number;
  /** From the first publishing to the last arrival. */
  readonly deliveredPerSecond: number;
  readonly lost: number;
  /** Arrivals of events that had arrived before. */
  readonly duplicates: number;
  /** From the call that publishes to the arrival. */
  readonly latencyMs: Latency | null;
  /** From the instant that the schedule had for it: with what the publisher itself was late. */
  readonly latencyFromScheduleMs: Latency | null;
  /** From the last publishing that was due to the last arrival, or to the end of waiting when something was lost. */
  readonly drainSeconds: number;
  /** Times that an event had to be published again because it was not acknowledged. */
  readonly repeats: number;
  /** Requests that endpoints responded with 500, or left without a response. */
  readonly failedAttempts: number;
  readonly hungAttempts: number;
  /** Opened to the receiver, those of the warm-up too. */
  readonly connections: number;
  /** By part, and all together. */
  readonly cpuSecondsPer1000: Readonly<Record<string, number>>;
  readonly deliveriesPerCpuSecond: number;
}

/** All that is known of one load once it is over. */
export interface Observed {
  readonly about: Pick<LoadResult, 'shape' | 'load' | 'side' | 'perSecond' | 'seconds'>;
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
  const at = (percent: number): number => percentile(values, percent);
  return { p50: at(50), p95: at(95), p99: at(99), max: at(100) };
}

function per1000(values: Readonly<Record<string, number>>, delivered: number, scale = 1): Record<string, number> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, delivered === 0 ? 0 : (value * scale * 1000) / delivered]),
  );
}

const largest = (values: readonly number[], otherwise: number): number => values.reduce((max, value) => Math.max(max, value), otherwise);

/** Works out the figures of a load. Rates and drain are null-free: without arrivals they are 0. */
export function summarise({ about, published, isExpected, arrivalOf, counts, used, waitedUntil }: Observed): LoadResult {
  const begun = published[0]?.intended ?? waitedUntil;
  const all = published.flatMap((one, index) => (one === undefined ? [] : [{ ...one, index, arrived: arrivalOf(index) }]));
  const accepted = all.filter(({ acknowledged }) => acknowledged !== undefined);
  const expected = accepted.filter(({ index }) => isExpected(index));
  const arrived = expected.flatMap((one) => (one.arrived === undefined ? [] : [{ ...one, arrived: one.arrived }]));
  const lost = expected.length - arrived.length;
  const lastArrival = largest(
    arrived.map((one) => one.arrived),
    begun,
  );
  const lastDue = largest(
    all.map(({ intended }) => intended),
    begun,
  );
  const rate = (count: number, until: number): number => (until > begun ? (count * 1000) / (until - begun) : 0);
  const cpu = Object.values(used.cpuMicroseconds).reduce((sum, value) => sum + value, 0);
  return {
    ...about,
    published: all.length,
    accepted: accepted.length,
    acceptedPerSecond: rate(
      accepted.length,
      largest(
        accepted.map(({ acknowledged }) => acknowledged ?? begun),
        begun,
      ),
    ),
    expected: expected.length,
    delivered: arrived.length,
    deliveredPerSecond: rate(arrived.length, lastArrival),
    lost,
    duplicates: counts.duplicates,
    latencyMs: latencyOf(arrived.map((one) => one.arrived - one.called)),
    latencyFromScheduleMs: latencyOf(arrived.map((one) => one.arrived - one.intended)),
    drainSeconds: Math.max(0, (lost > 0 ? waitedUntil : lastArrival) - lastDue) / 1000,
    repeats: all.reduce((sum, { repeats }) => sum + repeats, 0),
    failedAttempts: counts.failed,
    hungAttempts: counts.hung,
    connections: counts.connections,
    cpuSecondsPer1000: per1000({ ...used.cpuMicroseconds, all: cpu }, arrived.length, 1e-6),
    deliveriesPerCpuSecond: cpu === 0 ? 0 : (arrived.length * 1e6) / cpu,
  };
}
