/** A submission as the client saw it. */
export interface Submission {
  /** On the clock of `performance.now()`. */
  readonly at: number;
  readonly ms: number;
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
}

/** The value below which `share` of the sorted values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Submissions of a span of time. */
export interface SubmissionSummary {
  readonly count: number;
  readonly refused: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Summary of the submissions that began between two instants of `performance.now()`. */
export function summarize(submissions: readonly Submission[], from: number, to: number): SubmissionSummary {
  const inSpan = submissions.filter(({ at }) => at >= from && at < to);
  const times = inSpan.map(({ ms }) => ms);
  return {
    count: inSpan.length,
    refused: inSpan.filter(({ status }) => status !== 200).length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}
