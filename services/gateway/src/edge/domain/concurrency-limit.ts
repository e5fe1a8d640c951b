/** What a limit is kept by. */
export interface ConcurrencyLimitOptions {
  /** Requests at once while nobody shares the service, and the most that the limit grows to. */
  readonly most: number;
  /** Requests at once by which the time of a request that hardly waits is measured, and the least that the limit shrinks to. */
  readonly least: number;
}

/** Holders share the service for so long after requests of two of them, milliseconds. */
const SHARED_MS = 60_000;
/** The limit is computed anew so often, from the responses since; milliseconds. */
const WINDOW_MS = 100;
/** Responses that say enough. A window goes on until it has them. */
const WINDOW_RESPONSES = 10;
/** The time of a request that hardly waits is measured anew so often, milliseconds: what a request costs changes with what is stored and asked. */
const MEASURED_EVERY_MS = 10_000;
const MEASURED_RESPONSES = 20;
/** A request may take so much longer than one that hardly waits before the limit shrinks. */
const TOLERANCE = 1.25;
/** Requests above what the measurement justifies, by which the limit grows. */
const HEADROOM = 1;
/** A window changes the limit by this factor at most. */
const LARGEST_STEP = 2;

/** The value in the middle, of at least one. */
const middleOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

/**
 * How many requests a service is given at once while several holders share it. What a busy service cannot work on yet waits in the gateway, where
 * holders take turns, and not in the service, where the first comes first: its requests then take not much longer than they would alone. While a
 * single holder uses the service, it may have all: many requests at once share commits.
 *
 * The limit follows the time that requests take, as the gradient controller of Envoy's adaptive concurrency filter does: it is measured regularly how long a
 * request takes beside few others; the limit shrinks by as much as requests take longer than that, and grows otherwise.
 */
export class ConcurrencyLimit {
  readonly #options: ConcurrencyLimitOptions;
  /** The limit among several holders, with its fraction. */
  #shared: number;
  #holder: string | undefined;
  /** When requests of two holders came last. Instants of `performance.now()`, as all here. */
  #sharedAt = Number.NEGATIVE_INFINITY;
  /** Time of a request that hardly waits, milliseconds; undefined before it was measured. */
  #unhurriedMs: number | undefined;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #times: number[] = [];
  #mostUnderWay = 0;
  #windowAt = 0;

  constructor(options: ConcurrencyLimitOptions) {
    this.#options = options;
    this.#shared = options.least;
  }

  /** A request of a holder came. */
  came(holder: string, now: number): void {
    if (this.#holder !== undefined && this.#holder !== holder) {
      if (!this.#isShared(now)) this.#measure(now);
      this.#sharedAt = now;
    }
    this.#holder = holder;
  }

  /**
   * A request got its response after `tookMs`.
   * @param underWay requests that were, with this one
   */
  responded(tookMs: number, underWay: number, now: number): void {
    if (!this.#isShared(now)) return;
    this.#times.push(tookMs);
    this.#mostUnderWay = Math.max(this.#mostUnderWay, underWay);
    if (this.#isMeasuring) this.#endMeasurement(now);
    else this.#follow(now);
  }

  /** Requests that may be under way at once. */
  limitAt(now: number): number {
    return this.#isShared(now) ? Math.floor(this.#shared) : this.#options.most;
  }

  get #isMeasuring(): boolean {
    return this.#unhurriedMs === undefined;
  }

  #isShared(now: number): boolean {
    return now - this.#sharedAt < SHARED_MS;
  }

  /** Few requests at once, until it is known how long one takes. */
  #measure(now: number): void {
    this.#unhurriedMs = undefined;
    this.#shared = this.#options.least;
    this.#restart(now);
  }

  #endMeasurement(now: number): void {
    if (this.#times.length < MEASURED_RESPONSES) return;
    this.#unhurriedMs = middleOf(this.#times);
    this.#measuredAt = now;
    this.#restart(now);
  }

  #follow(now: number): void {
    if (now - this.#windowAt < WINDOW_MS || this.#times.length < WINDOW_RESPONSES) return;
    const allowedMs = (this.#unhurriedMs as number) * TOLERANCE;
    const step = Math.min(LARGEST_STEP, Math.max(1 / LARGEST_STEP, allowedMs / middleOf(this.#times)));
    const { least, most } = this.#options;
    // A limit that nobody reaches says nothing, and would be too high for the burst that comes next.
    const headroom = this.#mostUnderWay >= Math.floor(this.#shared) ? HEADROOM : 0;
    this.#shared = Math.min(most, Math.max(least, this.#shared * Math.min(1, step) + headroom));
    this.#restart(now);
    if (now - this.#measuredAt >= MEASURED_EVERY_MS) this.#measure(now);
  }

  #restart(now: number): void {
    this.#times = [];
    this.#mostUnderWay = 0;
    this.#windowAt = now;
  }
}
