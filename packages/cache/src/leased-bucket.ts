import { levelAt, TOKEN } from '@parcelway/kernel/token-bucket';
import { HORIZON_MS, IDLE_MS, LEASE_MS, leasableTokens, MAX_REFUSAL_MS, MIN_PERIOD_MS, reserveOf } from './lease-rules.ts';
import { decisionOf } from './rate-decision.ts';
import type { RateDecision, RateLimit } from './rate-limiter.ts';
import type { TokenGrant, TokenRequest } from './token-store.ts';

/**
 * What one process knows and holds of a shared bucket. Decides alone while it holds tokens, or while none can be there.
 * Times are milliseconds of a clock that is never set back.
 */
export class LeasedBucket {
  #limit: RateLimit;
  /** Tokens held and not used yet. */
  #left = 0;
  /** So few are left when the next lease is requested; -1: none is requested ahead. */
  #reserve = -1;
  /** When the exchange was sent that gave or renewed them. */
  #leasedAt = Number.NEGATIVE_INFINITY;
  /** Thousandths of a token in the store at `#at`, as far as known here. */
  #level: number;
  #at: number;
  /** Thousandths that other processes held then and had not used, as far as known: half of their leases. */
  #unused = 0;
  /** Thousandths that other processes use up in a millisecond. */
  #taken = 0;
  #refusedUntil = Number.NEGATIVE_INFINITY;
  /** A request was refused since the last exchange: more come than the bucket refills. */
  #hasRefused = false;
  /** Requests since `#since`. */
  #requests = 0;
  #since: number;
  /** Requests expected in {@link HORIZON_MS}. */
  #demand = 0;

  constructor(limit: RateLimit, now: number) {
    this.#limit = limit;
    this.#level = limit.burst * TOKEN;
    this.#at = now;
    this.#since = now;
  }

  get limit(): RateLimit {
    return this.#limit;
  }

  /** True while tokens are held, whether they may still be used or only returned. */
  get holdsTokens(): boolean {
    return this.#left > 0;
  }

  /** Counts a request, by which the next lease is sized. */
  count(limit: RateLimit): void {
    this.#requests += 1;
    if (limit !== this.#limit) this.#follow(limit);
  }

  /** Takes a token without asking the store. @returns undefined when only the store can decide */
  take(now: number): RateDecision | undefined {
    if (this.#left > 0 && now - this.#leasedAt < LEASE_MS) {
      this.#left -= 1;
      return decisionOf(true, this.#knownLevel(now) + this.#left * TOKEN, this.#limit);
    }
    if (now >= this.#refusedUntil) return undefined;
    this.#hasRefused = true;
    return this.#refusal(now);
  }

  /** True when the next lease is to be requested while tokens of this one are left, or because it was given long ago. */
  needsRenewal(now: number): boolean {
    return this.#left <= this.#reserve || now - this.#leasedAt >= HORIZON_MS;
  }

  /** True when nobody has asked for the tokens held for some time. */
  isIdle(now: number): boolean {
    return this.#left > 0 && now - this.#leasedAt >= IDLE_MS;
  }

  /** What to ask the store for. @param needed requests that wait for it */
  request(needed: number, now: number): TokenRequest {
    const period = now - this.#since;
    if (period >= MIN_PERIOD_MS) {
      this.#demand = (this.#requests * HORIZON_MS) / period;
      this.#requests = 0;
      this.#since = now;
    }
    const wanted = this.#wanted();
    const held = now - this.#leasedAt < LEASE_MS ? Math.min(this.#left, wanted) : 0;
    const back = this.#left - held;
    this.#left = held;
    return { needed, ahead: wanted - held, held, back };
  }

  /** Returns the tokens held. @returns the request that says so to the store */
  release(): TokenRequest {
    const back = this.#left;
    this.#left = 0;
    return { needed: 0, ahead: 0, held: 0, back };
  }

  /**
   * Takes up what the store has given.
   * @param sentAt when the request was sent: tokens may not be used for longer than `LEASE_MS` from then on
   * @returns the decisions on the requests that waited, in their order
   */
  receive(request: TokenRequest, grant: TokenGrant, sentAt: number, now: number): RateDecision[] {
    this.#learn(request, grant, now);
    this.#left += grant.leased;
    if (this.#left > 0) this.#leasedAt = sentAt;
    this.#reserve = reserveOf(this.#left);
    // Under too much load, the next exchange waits until as much is there as other processes leave to be leased.
    const isShort = this.#hasRefused || grant.taken < request.needed;
    this.#hasRefused = false;
    const awaited = isShort ? Math.max(1, grant.free) * TOKEN : TOKEN;
    const missing = grant.level < TOKEN ? awaited - grant.level : 0;
    this.#refusedUntil = sentAt + Math.min(MAX_REFUSAL_MS, missing / this.#limit.perSecond);
    const decisions: RateDecision[] = [];
    const level = grant.level + this.#left * TOKEN;
    for (let later = grant.taken - 1; later >= 0; later -= 1) decisions.push(decisionOf(true, level + later * TOKEN, this.#limit));
    while (decisions.length < request.needed) decisions.push(this.#refusal(now));
    return decisions;
  }

  /** Forgets what the store knows: the tokens held are lost. */
  forget(): void {
    this.#left = 0;
    this.#refusedUntil = Number.NEGATIVE_INFINITY;
  }

  /** Goes on under another limit. What is held under the old one is returned with the next exchange. */
  #follow(limit: RateLimit): void {
    const { perSecond, burst } = this.#limit;
    this.#limit = limit;
    if (limit.perSecond === perSecond && limit.burst === burst) return;
    this.#leasedAt = Number.NEGATIVE_INFINITY;
    this.#refusedUntil = Number.NEGATIVE_INFINITY;
  }

  #wanted(): number {
    return Math.min(leasableTokens(this.#limit), Math.floor(this.#demand));
  }

  /** What is missing that this process has not taken, others have: they are expected to go on. */
  #learn({ back }: TokenRequest, { taken, leased, level, free }: TokenGrant, now: number): void {
    const passed = now - this.#at;
    const expected = levelAt({ level: this.#level, at: this.#at }, this.#limit, now) + (back - taken - leased) * TOKEN;
    if (passed >= MIN_PERIOD_MS) this.#taken = (this.#taken + Math.max(0, expected - level) / passed) / 2;
    this.#level = level;
    this.#unused = ((leasableTokens(this.#limit) - free) * TOKEN) / 2;
    this.#at = now;
  }

  #knownLevel(now: number): number {
    const left = this.#level + this.#unused - (now - this.#at) * this.#taken;
    return Math.max(0, levelAt({ level: left, at: this.#at }, this.#limit, now));
  }

  #refusal(now: number): RateDecision {
    const level = levelAt({ level: this.#level, at: this.#at }, this.#limit, now);
    const decision = decisionOf(false, Math.min(level, TOKEN - 1), this.#limit);
    const waitMs = Math.max(decision.waitMs, Math.ceil(this.#refusedUntil - now));
    return { ...decision, waitMs, retryAfterSeconds: Math.max(decision.retryAfterSeconds, Math.ceil(waitMs / 1000)) };
  }
}
