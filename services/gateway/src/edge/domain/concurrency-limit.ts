/** What a limit is kept by. */
export interface ConcurrencyLimitOptions {
  /** The most that the limit grows to. */
  readonly most: number;
  /** Requests at once while it is measured how long one takes that hardly waits, and the least that the limit shrinks to. */
  readonly least: number;
}

/** A request that succeeded. Instants are those of `performance.now()`. */
export interface TimedRequest {
  /** Requests of one kind take about the same: method and path of the route. */
  readonly kind: string;
  readonly sentAt: number;
  /** Until the head of its response, milliseconds. */
  readonly tookMs: number;
}

/** Holders share the service for so long after requests of two of them, milliseconds. */
const SHARED_MS = 60_000;
/** The limit is computed anew so often, from the responses since; milliseconds. */
const WINDOW_MS = 100;
/** Responses that say enough. A window goes on until it has them. */
const WINDOW_RESPONSES = 10;
/** It is measured anew so often how long requests take that hardly wait, milliseconds: that changes with what is stored and asked. */
const MEASURED_EVERY_MS = 10_000;
const MEASURED_RESPONSES = 12;
/** Requests of a kind that say how long one takes. */
const MEASURED_OF_KIND = 3;
/** A measurement raises what it measured before by this factor at most: the service may be busy with something else just then. */
const LARGEST_RISE = 2;
/** A request may take so much longer than one that hardly waits before the limit shrinks. */
const TOLERANCE = 1.25;
/** A window takes at most this part away. */
const LARGEST_CUT = 0.5;
/** By how much the limit grows in a window while somebody waits: one, and this part. */
const GROWTH = 1 / 16;

/** The value in the middle, of at least one. */
const middleOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] as number;

/**
 * How many requests a service is given at once while several holders share it. What a busy service cannot work on yet waits in the gateway, where
 * holders take turns, and not in the service, where the first comes first: its requests then take not much longer than they would alone. While a
 * single holder uses the service there is no limit: many requests at once share commits.
 *
 * The limit follows the time that requests take, as the gradient controller of Envoy's adaptive concurrency filter does. It is measured regularly how long
 * requests of each kind take beside few others. The limit shrinks by as much as requests take longer than that; otherwise it grows while somebody waits.
 */
export class ConcurrencyLimit {
  readonly #options: ConcurrencyLimitOptions;
  /** The limit among several holders, with its fraction. */
  #shared: number;
  #holder: string | undefined;
  /** When requests of two holders came last. */
  #sharedAt = Number.NEGATIVE_INFINITY;
  /** By kind, milliseconds that a request takes which hardly waits. */
  readonly #unhurriedMs = new Map<string, number>();
  /** When the measurement under way began; undefined while there is none. */
  #measuringSince: number | undefined;
  #measuredAt = Number.NEGATIVE_INFINITY;
  /** By kind, times of the measurement under way. */
  readonly #measured = new Map<string, number[]>();
  #responses = 0;
  /** How many times as long requests of this window took as unhurried ones. */
  #delays: number[] = [];
  #isWanted = false;
  #windowAt = 0;

  constructor(options: ConcurrencyLimitOptions) {
    this.#options = options;
    this.#shared = options.least;
  }

  /** A request of a holder came. */
  came(holder: string, now: number): void {
    if (this.#holder !== undefined && this.#holder !== holder) {
      const wasShared = this.#isShared(now);
      this.#sharedAt = now;
      if (!wasShared) this.#measure(now);
    }
    this.#holder = holder;
  }

  /**
   * A request has succeeded; others say nothing of how busy the service is.
   * @param isWanted others wait for their turn
   */
  responded(request: TimedRequest, isWanted: boolean, now: number): void {
    if (!this.#isShared(now)) return;
    if (this.#measuringSince === undefined) this.#follow(request, isWanted, now);
    // What was sent before had more beside it.
    else if (request.sentAt >= this.#measuringSince) this.#takeTime(request, now);
  }

  /** Requests that may be under way at once; undefined while there is no limit. */
  at(now: number): number | undefined {
    if (!this.#isShared(now)) return undefined;
    return this.#measuringSince === undefined ? Math.floor(this.#shared) : this.#options.least;
  }

  #isShared(now: number): boolean {
    return now - this.#sharedAt < SHARED_MS;
  }

  /** Few requests at once, until it is known how long they take. */
  #measure(now: number): void {
    this.#measuringSince = now;
    this.#measured.clear();
    this.#responses = 0;
  }

  #takeTime({ kind, tookMs }: TimedRequest, now: number): void {
    const times = this.#measured.get(kind);
    if (times === undefined) this.#measured.set(kind, [tookMs]);
    else times.push(tookMs);
    this.#responses += 1;
    if (this.#responses < MEASURED_RESPONSES) return;
    for (const [name, all] of this.#measured) {
      if (all.length < MEASURED_OF_KIND) continue;
      const before = this.#unhurriedMs.get(name) ?? Number.POSITIVE_INFINITY;
      this.#unhurriedMs.set(name, Math.min(middleOf(all), before * LARGEST_RISE));
    }
    this.#measuringSince = undefined;
    this.#measuredAt = now;
    this.#beginWindow(now);
  }

  #follow({ kind, tookMs }: TimedRequest, isWanted: boolean, now: number): void {
    this.#isWanted ||= isWanted;
    const unhurriedMs = this.#unhurriedMs.get(kind);
    if (unhurriedMs !== undefined) this.#delays.push(tookMs / unhurriedMs);
    if (now - this.#windowAt >= WINDOW_MS && this.#delays.length >= WINDOW_RESPONSES) this.#endWindow(now);
    if (now - this.#measuredAt >= MEASURED_EVERY_MS) this.#measure(now);
  }

  #endWindow(now: number): void {
    const { least, most } = this.#options;
    const kept = Math.max(LARGEST_CUT, Math.min(1, TOLERANCE / middleOf(this.#delays)));
    // A limit that nobody waits for says nothing, and would be too high for the burst that comes next.
    const growth = this.#isWanted ? 1 + this.#shared * GROWTH : 0;
    this.#shared = Math.min(most, Math.max(least, this.#shared * kept + growth));
    this.#beginWindow(now);
  }

  #beginWindow(now: number): void {
    this.#delays = [];
    this.#isWanted = false;
    this.#windowAt = now;
  }
}
