/** A metric as it is exposed: what dashboards, alerts and the documentation are checked against. */
export interface MetricDescription {
  /** Name in Prometheus; seconds and counts as its conventions say. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, of histograms. */
  readonly buckets?: readonly number[];
}

/** Bounds of the times of requests and messages, seconds. */
export const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** Bounds of times that include a wait or another party, seconds. */
export const LATENCY_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const;
