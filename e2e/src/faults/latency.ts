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

/** Begins a work again and again at a steady pace, whether or not the earlier ones have ended, up to a bound. */
export class Metronome {
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Set<Promise<void>>();
  #failure: unknown;

  /**
   * @param work must not reject on account of what is tested
   * @param maxUnderWay a beat that finds so many unfinished begins none: a machine that is too slow for the pace is not driven into overload
   */
  constructor(perSecond: number, work: () => Promise<void>, maxUnderWay = Number.POSITIVE_INFINITY) {
    this.#timer = setInterval(() => {
      if (this.#running.size >= maxUnderWay) return;
      const one = work()
        .catch((error: unknown) => {
          this.#failure ??= error;
        })
        .finally(() => this.#running.delete(one));
      this.#running.add(one);
    }, 1000 / perSecond);
  }

  /** Begins no more and waits for what has begun. @throws what the first work that failed threw */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
    if (this.#failure !== undefined) throw this.#failure;
  }
}
