import { FairShares, type FairSharesOptions, FairTurns } from '@parcelway/kernel/fair-shares';
import type { ConcurrencyLimit } from '../domain/concurrency-limit.ts';

/** A request as far as its turn is concerned. */
export interface TurnTaker {
  /** Who makes it. */
  readonly holder: string;
  /** Method and path of its route, and about how large its body is. */
  readonly kind: string;
  /** When it was sent, an instant of `performance.now()`. */
  sentAt: number;
  /** It has left its place to another. */
  isSlow: boolean;
}

/** A request that takes longer waits for something else than a processor, such as its own client: it leaves its place in the limit to another. Milliseconds. */
const SLOW_MS = 1000;
/** While requests wait, it is looked so often whether others have become slow; milliseconds. */
const LOOK_EVERY_MS = 250;
/** A limit is small. A holder may have nearly all of it while nobody else wants a place: each that has none gets one beyond it. */
const PART_OF_LIMIT = 64;
/** A holder pauses at most so long between two requests, milliseconds. */
const LONGEST_PAUSE_MS = 500;
/** The pauses of all requests of a holder that wait add up to this time at most, milliseconds: far less than they may wait. */
const ALL_PAUSES_MS = 5000;

/** Who may send a request to a service, and who waits for a turn. */
export class ServiceTurns {
  readonly #shape: FairSharesOptions;
  readonly #limit: ConcurrencyLimit | undefined;
  readonly #turns: FairTurns;
  /** Places of those that have become slow: a holder may have half of them. */
  readonly #slow: FairShares;
  /** Requests under way that are not slow, in the order in which they were sent; kept for the limit. */
  readonly #sent = new Set<TurnTaker>();
  /** Holders that pause: each of these holds a place for one until it ends. */
  readonly #pauses = new Map<NodeJS.Timeout, string>();
  #look: NodeJS.Timeout | undefined;

  /**
   * @param shape places in all, and the part of a holder
   * @param limit how many requests the service is given at once; default as many as there are places
   */
  constructor(shape: FairSharesOptions, limit?: ConcurrencyLimit) {
    this.#shape = shape;
    this.#limit = limit;
    this.#turns = new FairTurns(shape);
    this.#slow = new FairShares({ capacity: Math.floor(shape.capacity / 2), part: 1 });
  }

  /** Takes a place for a request that has come. @returns false when its holder has to wait */
  take({ holder }: TurnTaker): boolean {
    this.#limit?.came(holder, performance.now());
    this.#reshape();
    return this.#turns.take(holder);
  }

  /** Takes a place as soon as it is the holder's turn. @returns stops waiting */
  wait({ holder }: TurnTaker, go: () => void): () => void {
    const forget = this.#turns.wait(holder, go);
    this.#watch();
    return () => {
      forget();
      // Nothing is left to pause for.
      if (this.#turns.waitingOf(holder) === 0) this.#endPauses((pausing) => pausing === holder);
    };
  }

  /** A request that has a place is sent now. */
  sent(request: TurnTaker): void {
    request.sentAt = performance.now();
    if (this.#limit !== undefined) this.#sent.add(request);
  }

  /** The head of its response came. Only a success says how busy the service is. */
  responded({ kind, sentAt, isSlow }: TurnTaker, status: number): void {
    if (this.#limit === undefined || isSlow || status < 200 || status >= 400) return;
    const now = performance.now();
    this.#limit.responded({ kind, sentAt, tookMs: now - sentAt }, this.#turns.wanted, now);
  }

  /** A request that was sent is over: its place goes to who waits, or to its holder after a pause. */
  ended(request: TurnTaker): void {
    const { holder } = request;
    this.#sent.delete(request);
    const pauseMs = this.#pauseAfter(request);
    if (request.isSlow) this.#slow.give(holder);
    else if (pauseMs === 0) this.#turns.give(holder);
    else this.#giveAfter(holder, pauseMs);
    this.#reshape();
  }

  /** Requests that have a place, and have been sent or are about to be. */
  get underWay(): number {
    return this.#turns.used + this.#slow.used - this.#pauses.size;
  }

  /** How many requests the service is given at once now, without those that have become slow; undefined while there is no limit. */
  get limit(): number | undefined {
    return this.#limit?.at(performance.now());
  }

  close(): void {
    clearInterval(this.#look);
    for (const pause of this.#pauses.keys()) clearTimeout(pause);
  }

  /** How long a holder with further requests pauses, milliseconds: below one at once, the limit is the part of the time that it uses the service. */
  #pauseAfter({ holder, sentAt, isSlow }: TurnTaker): number {
    const now = performance.now();
    const limit = this.#limit?.at(now) ?? 1;
    const waiting = this.#turns.waitingOf(holder);
    if (limit >= 1 || isSlow || waiting === 0) return 0;
    return Math.min(LONGEST_PAUSE_MS, ALL_PAUSES_MS / waiting, (now - sentAt) * (1 / limit - 1));
  }

  #giveAfter(holder: string, milliseconds: number): void {
    const pause = setTimeout(() => {
      this.#pauses.delete(pause);
      this.#turns.give(holder);
      this.#reshape();
    }, milliseconds);
    this.#pauses.set(pause, holder);
  }

  /** Ends the pauses of some holders before their time. */
  #endPauses(isOver: (holder: string) => boolean): void {
    for (const [pause, holder] of this.#pauses) {
      if (!isOver(holder)) continue;
      clearTimeout(pause);
      this.#pauses.delete(pause);
      this.#turns.give(holder);
    }
  }

  /** As many places as the limit says, without those of the slow. */
  #reshape(): void {
    if (this.#limit === undefined) return;
    const now = performance.now();
    const limit = this.#limit.at(now);
    this.#turns.reshape(this.#shapeOf(limit));
    if (this.#pauses.size > 0 && (limit === undefined || limit >= 1)) this.#endPauses(() => true);
    if (limit === undefined) return;
    this.#leaveSlow(now);
    this.#turns.reshape(this.#shapeOf(limit));
  }

  #shapeOf(limit: number | undefined): FairSharesOptions {
    const { capacity, part } = this.#shape;
    const left = capacity - this.#slow.used;
    if (limit === undefined) return { capacity: left, part };
    const places = Math.min(left, Math.max(1, limit));
    return { capacity: places, part: PART_OF_LIMIT, spare: left - places };
  }

  /** Requests that have become slow leave their places. */
  #leaveSlow(now: number): void {
    for (const request of this.#sent) {
      if (now - request.sentAt < SLOW_MS) return;
      if (!this.#slow.take(request.holder)) continue;
      request.isSlow = true;
      this.#sent.delete(request);
      this.#turns.give(request.holder);
    }
  }

  /** Looks for slow requests as long as others wait, even when nothing comes and nothing ends. */
  #watch(): void {
    if (this.#limit === undefined || this.#look !== undefined || !this.#turns.wanted) return;
    this.#look = setInterval(() => {
      this.#reshape();
      if (this.#turns.wanted) return;
      clearInterval(this.#look);
      this.#look = undefined;
    }, LOOK_EVERY_MS);
  }
}
