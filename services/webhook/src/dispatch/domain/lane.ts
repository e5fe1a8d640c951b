import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { FAILURES_TO_PAUSE, isWorthKeeping, type Pace, paceAfter, STEADY, slowdownEnd } from '../../endpoints/domain/pace.ts';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import { type AttemptResult, countsForHealth } from '../../queue/domain/attempt.ts';
import { parseRetryAfter } from './retry-schedule.ts';

/**
 * Ends one attempt early. Like an AbortSignal with a single listener, which is all that an attempt needs: an AbortController for each would be
 * a fifth of the work of sending.
 */
export class Interruption {
  #done = false;
  #end: (() => void) | undefined;

  get done(): boolean {
    return this.#done;
  }

  /** Says what ends the attempt; it is called at most once, at once when the interruption came before. */
  onInterrupt(end: () => void): void {
    if (this.#done) end();
    else this.#end = end;
  }

  interrupt(): void {
    if (this.#done) return;
    this.#done = true;
    this.#end?.();
  }
}

/*
 * How many attempts at one endpoint run side by side. Additive increase, multiplicative decrease, as TCP finds the
 * speed of a path: a receiver that responds well gets more, one that fails gets half, one that hangs gets one at a time,
 * so that it holds next to nothing of what the others need.
 */

/** Attempts side by side at an endpoint that nothing is known of. */
export const INITIAL_LANE_LIMIT = 8;
export const MAX_LANE_LIMIT = 32;

/** The limit after an attempt. `hung`: no response within the deadline. */
export function limitAfter(limit: number, outcome: 'succeeded' | 'failed' | 'hung'): number {
  if (outcome === 'hung') return 1;
  if (outcome === 'failed') return Math.max(1, Math.floor(limit / 2));
  return Math.min(MAX_LANE_LIMIT, limit + 1);
}

/** Leased deliveries that wait in memory for one endpoint, at most; the rest waits in the store. */
export const LANE_QUEUE_LIMIT = 64;
/** A lane with a rate limit keeps what it sends within this time: leases must not run out while it waits. */
const RATE_LIMIT_QUEUE_SECONDS = 10;
/** During a longer pause nothing is kept in memory. */
const MAX_KEPT_PAUSE_MS = 10_000;
/** What was learnt of an endpoint is worth nothing after so long without an attempt. */
const REMEMBERED_MS = 3_600_000;

/** The deliveries of one endpoint in this process: what waits, what runs, and how many may run side by side. */
export class Lane {
  endpoint: Endpoint;
  readonly queue: LeasedDelivery[] = [];
  readonly running = new Set<Interruption>();
  /** True when the store probably holds more that is due than is queued here. */
  backlog = false;
  /** True while the lane is in the line of lanes that can start an attempt. */
  inLine = false;
  /** Set when the endpoint was deleted: results are of no use to anyone. */
  removed = false;
  /** Its right to an attempt under the rate limit: there, or asked and waited for. */
  token: 'none' | 'awaited' | 'there' = 'none';
  /** When a timer is to end a pause; 0 when none is set. */
  resumesAt = 0;
  #limit = INITIAL_LANE_LIMIT;
  #pace: Pace = STEADY;
  /** When something last had to wait for the end of a pause. */
  #heldBackAt = 0;
  #usedAt: number;

  /** @param now epoch milliseconds */
  constructor(endpoint: Endpoint, now: number) {
    this.endpoint = endpoint;
    this.#usedAt = now;
  }

  /** True when an attempt waits and one more may run, as far as the rate limit does not say no. */
  canStart(now: number): boolean {
    if (this.queue.length === 0 || this.token === 'awaited' || this.#holdsBack(now, 0)) return false;
    return this.running.size < this.#limit;
  }

  /** Takes out of the queue what waits first, to be sent to the endpoint as it is now. */
  takeNext(): LeasedDelivery | undefined {
    const leased = this.queue.shift();
    return leased && { ...leased, endpoint: this.endpoint };
  }

  /** When a pause ends, here or of another process; 0 or past when there is none. */
  pausedUntil(now: number): number {
    const { slowedUntil } = this.endpoint;
    return slowedUntil === null ? this.#pace.until : Math.max(this.#pace.until, slowdownEnd(slowedUntil, now));
  }

  /** True when something that came at an instant has had to wait for the end of a pause. */
  hasHeldBack(at: number): boolean {
    return at <= this.#heldBackAt;
  }

  /** True when a pause goes on for longer than `ms`: something waits for that now. */
  #holdsBack(now: number, ms: number): boolean {
    if (this.pausedUntil(now) - now <= ms) return false;
    this.#heldBackAt = now;
    return true;
  }

  /** Takes what has just been read of a slow-down, of which the time of change says nothing. A pause of this process is its own matter. */
  noteSlowdown(slowedUntil: number | null): void {
    if (slowedUntil !== this.endpoint.slowedUntil) this.endpoint = { ...this.endpoint, slowedUntil };
  }

  /** Free places in the queue. Behind an endpoint that fails or hangs few may wait: memory is shared by all lanes. */
  room(now: number): number {
    return Math.max(0, this.#places(now) - this.queue.length);
  }

  #places(now: number): number {
    const { rateLimit, status } = this.endpoint;
    if (this.removed || status !== 'enabled' || this.#holdsBack(now, MAX_KEPT_PAUSE_MS)) return 0;
    const most = rateLimit === null ? LANE_QUEUE_LIMIT : Math.min(LANE_QUEUE_LIMIT, rateLimit * RATE_LIMIT_QUEUE_SECONDS);
    return this.#limit < INITIAL_LANE_LIMIT ? Math.min(most, 2 * this.#limit) : most;
  }

  /** Takes out of the queue, from its end, what it has no place for any more. */
  takeSurplus(now: number): LeasedDelivery[] {
    const places = this.#places(now);
    return this.queue.length > places ? this.queue.splice(places) : [];
  }

  /** Takes out of the queue, from its front, what is not leased until `least` (epoch milliseconds). */
  takeStale(least: number): LeasedDelivery[] {
    const fresh = this.queue.findIndex(({ leaseUntil }) => leaseUntil >= least);
    return this.queue.splice(0, fresh === -1 ? this.queue.length : fresh);
  }

  /** True when the queue is so short that more should be fetched from the store. */
  get needsRefill(): boolean {
    return this.backlog && this.queue.length <= this.#limit / 2;
  }

  /** True when nothing would be lost by forgetting this lane. */
  get isIdle(): boolean {
    return this.isEmpty && !this.backlog && this.#limit >= INITIAL_LANE_LIMIT && this.#pace.slowResponses === 0;
  }

  /** True when so many attempts have failed in a row that each further failure brings a pause. */
  get isFailing(): boolean {
    return this.#pace.failures >= FAILURES_TO_PAUSE;
  }

  /** True when this lane is of no more use, to memory that all endpoints share. */
  mayBeForgotten(now: number): boolean {
    if (this.isIdle) return true;
    return this.isEmpty && (this.removed || this.endpoint.status !== 'enabled' || now - this.#usedAt > REMEMBERED_MS);
  }

  /** True when nothing waits or runs, whatever was learnt of the endpoint's speed. */
  get isEmpty(): boolean {
    return this.queue.length === 0 && this.running.size === 0;
  }

  /** Takes the state of the endpoint after a change. What was learnt of a former receiver, or before a pause, is forgotten. */
  change(endpoint: Endpoint): void {
    const { url, status } = this.endpoint;
    this.endpoint = endpoint;
    if (url === endpoint.url && !(status !== 'enabled' && endpoint.status === 'enabled')) return;
    this.#pace = STEADY;
  }

  /**
   * Learns from a finished attempt; nothing from one at a receiver that the endpoint no longer points to.
   * @param random in [0, 1)
   * @returns the end of a pause that is to be written down with the result, for others to know
   */
  learn({ attempt, leased }: AttemptResult, now: number, random: number): number | undefined {
    this.#usedAt = now;
    if (attempt.url !== this.endpoint.url) return undefined;
    if (attempt.outcome === 'succeeded') return this.#recover();
    this.#limit = limitAfter(this.#limit, attempt.errorCode === 'timeout' ? 'hung' : 'failed');
    const askedMs = attempt.retryAfter === null ? null : parseRetryAfter(attempt.retryAfter, now);
    const failure = { statusCode: attempt.statusCode, askedMs, counts: countsForHealth(leased.delivery) };
    this.#pace = paceAfter(this.#pace, failure, now, random);
    const { until } = this.#pace;
    if (!isWorthKeeping(until, this.endpoint.slowedUntil, now)) return undefined;
    this.endpoint = { ...this.endpoint, slowedUntil: until };
    return until;
  }

  /** A success ends a pause; in the store it ends together with its record. */
  #recover(): undefined {
    this.#pace = STEADY;
    this.#limit = limitAfter(this.#limit, 'succeeded');
    if (this.endpoint.slowedUntil !== null) this.endpoint = { ...this.endpoint, slowedUntil: null };
  }
}

/** The lanes of the endpoints that a process has to do with, by endpoint id. */
export type Lanes = Map<string, Lane>;

/** The lane of an endpoint, opened when there is none; it knows the newest state of the endpoint. */
export function openLane(lanes: Lanes, endpoint: Endpoint, now: number): Lane {
  const known = lanes.get(endpoint.endpointId);
  if (known) {
    if (endpoint.updatedAt > known.endpoint.updatedAt) known.change(endpoint);
    else if (known.isEmpty && endpoint.updatedAt === known.endpoint.updatedAt) known.noteSlowdown(endpoint.slowedUntil);
    return known;
  }
  const lane = new Lane(endpoint, now);
  lanes.set(endpoint.endpointId, lane);
  return lane;
}

export function forgetLane(lanes: Lanes, lane: Lane): void {
  const { endpointId } = lane.endpoint;
  if (lanes.get(endpointId) === lane) lanes.delete(endpointId);
}

export function forgetUnused(lanes: Lanes, now: number): void {
  for (const lane of lanes.values()) if (lane.mayBeForgotten(now)) forgetLane(lanes, lane);
}

/** How many endpoints have failed so often in a row that they are paused after each failure, and how many have not. */
export function endpointStates(lanes: Lanes): Readonly<Record<'well' | 'failing', number>> {
  const failing = [...lanes.values()].filter(({ isFailing }) => isFailing).length;
  return { well: lanes.size - failing, failing };
}
