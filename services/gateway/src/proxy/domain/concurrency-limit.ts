/** What a limit is kept by. */
export interface ConcurrencyLimitOptions {
  /** The most that the limit grows to. */
  readonly most: number;
  /** Requests at once while it is measured how long one takes that hardly waits. */
  readonly measured: number;
  /** The least that the limit shrinks to. Below one, a holder pauses between its requests: with a quarter, for three times as long as the last one took. */
  readonly least: number;
  /** The part of its time that the event loop works in which the service runs, from 0 to 1, at an instant of `performance.now()`; 0 where that is not known. */
  readonly loopUse: (now: number) => number;
}

/** A request that succeeded. Instants are those of `performance.now()`. */
export interface TimedRequest {
  /** Requests of one kind take about the same: method and path of the route, and about how large the body is. */
  readonly kind: string;
  readonly sentAt: number;
  /** Until the head of its response, milliseconds. */
  readonly tookMs: number;
}

/** Requests at once while nothing is known. */
const FIRST_LIMIT = 2;
/** Holders share the service for so long after requests of two of them, milliseconds. */
const SHARED_MS = 60_000;
/** The limit is computed anew so often, from the responses since; milliseconds. */
const WINDOW_MS = 100;
/** Responses that say enough. A window goes on until it has them, or for {@link LONGEST_WINDOW_MS}. */
const WINDOW_RESPONSES = 10;
/** After so long a window ends with what it has, which says nothing of times. */
const LONGEST_WINDOW_MS = 1000;
/** It is measured anew so often how long requests take that hardly wait, milliseconds: that changes with what is stored and asked. */
const MEASURED_EVERY_MS = 10_000;
const MEASURED_RESPONSES = 12;
/** What was sent before has effects for about so long, milliseconds: requests that come in that time are not measured. */
const SETTLED_MS = 250;
/** Requests of a kind that say how long one takes. */
const MEASURED_OF_KIND = 5;
/** The same while holders always have more requests: they pause, so that what their requests cause elsewhere is no part of the measurement. */
const MEASURED_OF_WAITING = 0.5;
/** The last measurements, of which the two least count: what the service is busy with beside them makes them longer, and chance makes one shorter. */
const KEPT_MEASUREMENTS = 6;
/** An older measurement says nothing of today's service, milliseconds. */
const MEASUREMENT_AGE_MS = 120_000;
/**
 * Requests may take so much longer on average than those that hardly wait before the limit shrinks. What follows from a request passes through several
 * services, and each adds its own delay: with 1.4, webhooks took three times as long.
 */
const TOLERANCE = 1.25;
/** One request counts as at most so many times as long as the one in the middle: a single one that hangs says little. */
const LARGEST_OUTLIER = 3;
/** The limit shrinks as well when the event loop works for a larger part of its time: what comes then waits before and behind its request to the service. */
const LARGEST_LOOP_USE = 0.75;
/** A window takes at most this part away. */
const LARGEST_CUT = 0.5;
/** By how much the limit grows in a window in which somebody waits and nothing is crowded: one, but no more than a part of what it is, and another part. */
const GROWTH = { firstPart: 1 / 4, furtherPart: 1 / 10 } as const;

/** Milliseconds that a request took on average which hardly waits, and when that was measured. */
interface Measurement {
  readonly ms: number;
  readonly at: number;
}

/** The average of at least one value, without the excess of outliers. */
function averageOf(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[values.length >> 1] as number;
  return values.reduce((sum, value) => sum + Math.min(value, LARGEST_OUTLIER * middle), 0) / values.length;
}

/**
 * How many requests a service is given at once while several holders share it. What a busy service cannot work on yet waits in the gateway, where
 * holders take turns, and not in the service, where the first comes first: its requests then take not much longer than they would alone. Below one, a holder
 * that has further requests pauses between them, so that there is time left for others, and for what its requests cause elsewhere. While a
 * single holder uses the service there is no limit: many requests at once share commits.
 *
 * The limit follows the time that requests take, as the gradient controller of Envoy's adaptive concurrency filter does. It is measured regularly how long
 * requests of each kind take beside few others. The limit shrinks by as much as requests take longer than that, or as the event loop is busier than it may
 * be; otherwise it grows while somebody waits.
 */
export class ConcurrencyLimit {
  readonly #options: ConcurrencyLimitOptions;
  /** The limit among several holders, with its fraction. */
  #shared: number;
  #holder: string | undefined;
  /** When requests of two holders came last. */
  #sharedAt = Number.NEGATIVE_INFINITY;
  /** By kind, the last measurements, newest first, and what follows from them. */
  readonly #unhurried = new Map<string, { readonly last: readonly Measurement[]; readonly ms: number }>();
  /** When the measurement under way began; undefined while there is none. */
  #measuringSince: number | undefined;
  #measuredAt = Number.NEGATIVE_INFINITY;
  /** By kind, times of the measurement under way. */
  readonly #measured = new Map<string, number[]>();
  #responses = 0;
  /** How many times as long requests of this window took as unhurried ones. */
  #delays: number[] = [];
  #isWanted = false;
  /** Somebody waited in the window before. */
  #wasWanted = false;
  #windowAt = 0;

  constructor(options: ConcurrencyLimitOptions) {
    this.#options = options;
    this.#shared = Math.max(options.least, FIRST_LIMIT);
  }

  /** A request of a holder came. */
  came(holder: string, now: number): void {
    if (this.#holder !== undefined && this.#holder !== holder) {
      const wasShared = this.#isShared(now);
      this.#sharedAt = now;
      if (!wasShared) {
        this.#shared = Math.max(this.#options.least, FIRST_LIMIT);
        this.#measure(now);
      }
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
    else if (request.sentAt >= this.#measuringSince + SETTLED_MS) this.#takeTime(request, now);
  }

  /** Requests that may be under way at once, with a fraction below one; undefined while there is no limit. */
  at(now: number): number | undefined {
    if (!this.#isShared(now)) return undefined;
    const limit = this.#measuringSince === undefined ? this.#shared : Math.min(this.#shared, this.#measuredAtOnce());
    return limit < 1 ? limit : Math.floor(limit);
  }

  #measuredAtOnce(): number {
    const { least, measured } = this.#options;
    return this.#wasWanted ? Math.max(least, Math.min(measured, MEASURED_OF_WAITING)) : measured;
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
      const before = (this.#unhurried.get(name)?.last ?? []).filter(({ at }) => now - at < MEASUREMENT_AGE_MS);
      const last = [{ ms: averageOf(all), at: now }, ...before.slice(0, KEPT_MEASUREMENTS - 1)];
      const sorted = last.map(({ ms }) => ms).toSorted((a, b) => a - b);
      this.#unhurried.set(name, { last, ms: averageOf(sorted.slice(0, 2)) });
    }
    this.#measuringSince = undefined;
    this.#measuredAt = now;
    this.#isWanted ||= this.#wasWanted;
    this.#beginWindow(now);
  }

  #follow({ kind, tookMs }: TimedRequest, isWanted: boolean, now: number): void {
    this.#isWanted ||= isWanted;
    const unhurried = this.#unhurried.get(kind);
    if (unhurried !== undefined) this.#delays.push(tookMs / unhurried.ms);
    const windowMs = now - this.#windowAt;
    if (windowMs >= LONGEST_WINDOW_MS || (windowMs >= WINDOW_MS && this.#delays.length >= WINDOW_RESPONSES)) this.#endWindow(now);
    if (now - this.#measuredAt >= MEASURED_EVERY_MS) this.#measure(now);
  }

  #endWindow(now: number): void {
    const { least, most, loopUse } = this.#options;
    const { firstPart, furtherPart } = GROWTH;
    const before = this.#shared;
    const grown = before + Math.min(1, before * firstPart) + before * furtherPart;
    const delay = this.#delays.length < WINDOW_RESPONSES ? 1 : averageOf(this.#delays);
    const crowding = Math.max(delay / TOLERANCE, loopUse(now) / LARGEST_LOOP_USE);
    if (crowding > 1) this.#shared = Math.max(least, before * Math.max(LARGEST_CUT, 1 / crowding));
    // A limit that nobody waits for says nothing, and would be too high for the burst that comes next.
    else if (this.#isWanted) this.#shared = Math.min(most, grown);
    // What is crowded while nobody waits is not so because of many requests at once: nobody has to pause for it.
    if (!this.#isWanted) this.#shared = Math.max(this.#shared, Math.min(1, grown), least);
    this.#beginWindow(now);
  }

  #beginWindow(now: number): void {
    this.#delays = [];
    this.#wasWanted = this.#isWanted;
    this.#isWanted = false;
    this.#windowAt = now;
  }
}
