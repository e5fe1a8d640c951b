import type { Clock } from '@parcelway/kernel/clock';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { EndpointObserver } from '../endpoints/manage-endpoints.ts';
import type { FirstAttempts } from '../intake/accept-events.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { type AttemptResult, isOfFormerReceiver } from '../queue/domain/attempt.ts';
import type { QueueWaker } from '../queue/redeliver.ts';
import { forgetLane, forgetUnused, Interruption, LANE_QUEUE_LIMIT, type Lane, type Lanes, openLane } from './domain/lane.ts';
import { Turns } from './domain/turns.ts';
import type { DueFeed } from './due-feed.ts';

/** What was read of an endpoint before it changed may arrive so long after the change, and far sooner as a rule. */
const KEPT_MS = 60_000;

/** What has become of endpoints lately: what was leased just before arrives later. Instants are epoch milliseconds. */
class EndpointNews {
  /** In the order of their time; none for an endpoint that was deleted. */
  readonly #news = new Map<string, { readonly endpoint: Endpoint | undefined; readonly at: number }>();

  get size(): number {
    return this.#news.size;
  }

  /** @param endpoint its new state; undefined when it was deleted */
  note(endpointId: string, endpoint: Endpoint | undefined, at: number): void {
    this.#news.delete(endpointId);
    this.#news.set(endpointId, { endpoint, at });
  }

  /** An endpoint that was read at some time, as it is by what is known; undefined when it was deleted since. */
  newestOf(endpoint: Endpoint): Endpoint | undefined {
    const known = this.#news.get(endpoint.endpointId);
    if (known === undefined) return endpoint;
    // One that was made later has the id again.
    if (known.endpoint === undefined) return endpoint.createdAt > known.at ? endpoint : undefined;
    return known.endpoint.updatedAt > endpoint.updatedAt ? known.endpoint : endpoint;
  }

  /** Forgets news that everything which arrives has followed. */
  forgetOld(now: number): void {
    for (const [endpointId, { at }] of this.#news) {
      if (Math.abs(now - at) < KEPT_MS) return;
      this.#news.delete(endpointId);
    }
  }
}

export interface RunningAttempt {
  readonly lane: Lane;
  /** With the endpoint as it was when the attempt started. */
  readonly leased: LeasedDelivery;
  /** It had to wait because its receiver had asked for less. */
  readonly heldBack: boolean;
  readonly interruption: Interruption;
}

/** What the scheduler has done. Instants are epoch milliseconds. */
interface SchedulerOptions {
  readonly clock: Clock;
  /** In [0, 1), for jitter. */
  readonly random: () => number;
  readonly feed: Pick<DueFeed, 'wakeAt' | 'fetch'>;
  /** Makes an attempt. `attempted`, `postponed` or `crashed` says later how it ended. */
  readonly attempt: (attempt: RunningAttempt) => void;
  /** Gives leases back. @param until they cannot be leased before */
  readonly release: (leased: readonly LeasedDelivery[], until?: number) => void;
  /** Reports an attempt, and has its result stored. */
  readonly settle: (result: AttemptResult, heldBack: boolean) => void;
  /** Asks the rate limiter for one attempt. */
  readonly takeToken: (endpointId: string, perSecond: number, decided: (token: { allowed: boolean; waitMs: number }) => void) => void;
}

/** Leased deliveries in memory. */
export const MAX_KNOWN = 20_000;
/** Results that wait for the store; beyond it nothing is sent. */
export const MAX_UNRECORDED = 2_000;
/** An attempt starts only while its lease lasts at least this much longer: its deadline and the recording. */
export const MIN_LEASE_LEFT_MS = 20_000;

const NONE: ReadonlySet<string> = new Set();

/**
 * Decides which attempts start when, by what its methods say has happened.
 *
 * Each endpoint has a lane. Lanes take turns, one attempt a turn; a lane has a limit that follows how well its endpoint
 * responds. So a receiver that hangs holds up its own lane and nothing else.
 */
export class AttemptScheduler implements EndpointObserver, FirstAttempts, QueueWaker {
  readonly #do: SchedulerOptions;
  readonly lanes: Lanes = new Map();
  /** Of endpoints that have changed lately, whether they have a lane or not. */
  readonly news = new EndpointNews();
  /** Deliveries in memory, from lease to record, so that none is taken twice by this process. */
  readonly known = new Set<string>();
  readonly #turns = new Turns({
    mayStart: () => this.#phase === 'running' && this.#unrecorded < MAX_UNRECORDED,
    start: (lane) => this.#startNext(lane),
    review: (lane) => this.#review(lane),
  });
  #unrecorded = 0;
  /** `stopping`: nothing is leased or started. `stopped`: what waits has been given back; attempts may still run. */
  #phase: 'running' | 'stopping' | 'stopped' = 'running';

  constructor(options: SchedulerOptions) {
    this.#do = options;
  }

  get running(): number {
    return this.#turns.running;
  }

  /** How many more deliveries of an endpoint may be leased from the store. */
  roomOf(endpointId: string): number {
    if (this.#phase !== 'running' || this.known.size >= MAX_KNOWN) return 0;
    return this.lanes.get(endpointId)?.room(this.#do.clock.now()) ?? LANE_QUEUE_LIMIT;
  }

  /** How many attempts of new deliveries would start soon; none while older ones wait in the store. */
  roomFor(endpointId: string): number {
    return this.lanes.get(endpointId)?.backlog === true ? 0 : this.roomOf(endpointId);
  }

  /** Endpoints that something is sent to, or waits for here or in the store. */
  endpointsInUse(): readonly Endpoint[] {
    return [...this.lanes.values()].filter((lane) => (!lane.isEmpty || lane.backlog) && !lane.removed).map(({ endpoint }) => endpoint);
  }

  /**
   * Takes deliveries of this process.
   * @param asked how many were asked of the store, by endpoint; default: they were not asked for
   */
  leased(leased: readonly LeasedDelivery[], asked?: ReadonlyMap<string, number>): void {
    const lanes = new Set<Lane>();
    const got = new Map<string, number>();
    for (const one of leased) {
      const { endpointId } = one.endpoint;
      if (asked) got.set(endpointId, (got.get(endpointId) ?? 0) + 1);
      const lane = this.#arrive(one);
      if (lane) lanes.add(lane);
    }
    for (const [endpointId, count] of asked ?? []) {
      const lane = this.lanes.get(endpointId);
      if (lane) lane.backlog = (got.get(endpointId) ?? 0) >= count;
    }
    for (const lane of lanes) this.#review(lane);
    this.#turns.take();
  }

  /** Takes new deliveries. Fetches those of `waiting` endpoints from the store, which had no room here. */
  run(leased: readonly LeasedDelivery[], waiting = NONE): void {
    this.leased(leased);
    for (const endpointId of waiting) {
      const lane = this.lanes.get(endpointId);
      if (lane === undefined) this.wake();
      else {
        lane.backlog = true;
        if (lane.isEmpty && this.#phase === 'running') this.#do.feed.fetch(endpointId);
      }
    }
  }

  attempted(attempt: RunningAttempt, result: AttemptResult): void {
    const { lane, heldBack, interruption } = attempt;
    if (result.status !== 'succeeded' && (interruption.done || isOfFormerReceiver(result, lane.endpoint))) {
      // Ended by us, not by the receiver: not an attempt that says anything.
      this.postponed(attempt);
      return;
    }
    const slowedUntil = lane.learn(result, this.#do.clock.now(), this.#do.random());
    this.#unrecorded += 1;
    this.#do.settle(slowedUntil === undefined ? result : { ...result, slowedUntil }, heldBack);
    this.#ended(attempt);
  }

  /** Gives back the lease of an attempt that was none: the endpoint is not judged by it. @param until it cannot be leased before */
  postponed(attempt: RunningAttempt, until?: number): void {
    const { lane, leased } = attempt;
    this.known.delete(leased.delivery.deliveryId);
    if (!lane.removed) this.#do.release([leased], until);
    this.#ended(attempt);
  }

  /** An attempt threw, or its end did; its lease runs out. */
  crashed(attempt: RunningAttempt): void {
    this.known.delete(attempt.leased.delivery.deliveryId);
    this.#ended(attempt);
  }

  recorded(results: readonly AttemptResult[]): void {
    let next = Number.POSITIVE_INFINITY;
    for (const { leased, nextAttemptAt } of results) {
      this.known.delete(leased.delivery.deliveryId);
      if (nextAttemptAt !== null) next = Math.min(next, nextAttemptAt);
    }
    this.#unrecorded -= results.length;
    if (Number.isFinite(next)) this.#do.feed.wakeAt(next);
    this.#turns.take();
  }

  /** Looks for what is due. */
  wake(): void {
    this.#do.feed.wakeAt(this.#do.clock.now());
  }

  endpointChanged(endpoint: Endpoint): void {
    const lane = this.lanes.get(endpoint.endpointId);
    if (endpoint.status === 'enabled') this.wake();
    // What was read before a change may arrive after it.
    if (this.news.newestOf(endpoint) !== endpoint || (lane && endpoint.updatedAt < lane.endpoint.updatedAt)) return;
    this.news.note(endpoint.endpointId, endpoint, this.#do.clock.now());
    if (!lane) return;
    lane.change(endpoint);
    if (endpoint.status === 'disabled') this.#drop(lane);
    else this.#review(lane);
    this.#turns.take();
  }

  endpointRemoved(endpointId: string): void {
    this.news.note(endpointId, undefined, this.#do.clock.now());
    const lane = this.lanes.get(endpointId);
    if (!lane) return;
    lane.removed = true;
    this.#drop(lane);
    for (const interruption of lane.running) interruption.interrupt();
  }

  /** The store is about to be looked through. */
  polled(): void {
    forgetUnused(this.lanes, this.#do.clock.now());
    this.news.forgetOld(this.#do.clock.now());
  }

  /** From now on nothing is leased or started. */
  stopping(): void {
    this.#phase = 'stopping';
  }

  /** Nothing comes from the store any more: what waits is given back. */
  stopped(): void {
    this.#phase = 'stopped';
    this.#turns.clear();
    for (const lane of this.lanes.values()) if (lane.queue.length > 0) this.#giveBack(lane, lane.queue.splice(0));
  }

  /** Ends the attempts that still run. */
  interrupt(): void {
    for (const { running } of this.lanes.values()) for (const interruption of running) interruption.interrupt();
  }

  /** @returns the lane that a delivery waits in; undefined when it does not */
  #arrive(leased: LeasedDelivery): Lane | undefined {
    const { deliveryId } = leased.delivery;
    if (this.known.has(deliveryId)) return undefined;
    const endpoint = this.news.newestOf(leased.endpoint);
    // What a deleted endpoint had is deleted with it.
    if (this.#phase === 'stopped' || endpoint === undefined) {
      this.#do.release([leased]);
      return undefined;
    }
    const lane = openLane(this.lanes, endpoint, this.#do.clock.now());
    this.known.add(deliveryId);
    lane.queue.push(leased);
    return lane;
  }

  /**
   * Brings a lane in order after something has changed: gives back what it has no place for, and puts it in line when it can start
   * an attempt. While deliveries were leased a pause may have begun, for which nothing is to wait here.
   */
  #review(lane: Lane): void {
    const now = this.#do.clock.now();
    const surplus = lane.takeSurplus(now);
    if (surplus.length > 0) this.#giveBack(lane, surplus);
    if (this.#phase === 'stopped' || lane.inLine || lane.queue.length === 0) return;
    if (lane.canStart(now)) {
      this.#turns.add(lane);
      return;
    }
    const at = lane.pausedUntil(now);
    // A timer that ends a longer pause sooner finds nothing to do.
    if (at <= now || (lane.resumesAt !== 0 && lane.resumesAt <= at)) return;
    lane.resumesAt = at;
    this.#setTimer(lane, at, () => {
      if (lane.resumesAt === at) lane.resumesAt = 0;
    });
  }

  #setTimer(lane: Lane, at: number, run: () => void): void {
    const timer = setTimeout(() => {
      run();
      this.#review(lane);
      this.#turns.take();
    }, at - this.#do.clock.now());
    timer.unref();
  }

  /** Starts the attempt of a lane, if it has one and a token for it. */
  #startNext(lane: Lane): void {
    const now = this.#do.clock.now();
    if (!lane.canStart(now) || (lane.endpoint.rateLimit !== null && !this.#holdsToken(lane, lane.endpoint.rateLimit))) return;
    const stale = lane.takeStale(now + MIN_LEASE_LEFT_MS);
    // What has waited here for too long is leased again.
    if (stale.length > 0) this.#giveBack(lane, stale);
    const leased = lane.takeNext();
    if (!leased) {
      lane.token = 'there';
      return;
    }
    const interruption = new Interruption();
    lane.running.add(interruption);
    this.#turns.running += 1;
    this.#do.attempt({ lane, leased, heldBack: lane.hasHeldBack(leased.origin.occurredAt), interruption });
  }

  /** Takes the right to one attempt under the rate limit. @returns false when it is asked for; the lane goes on when it is decided */
  #holdsToken(lane: Lane, perSecond: number): boolean {
    if (lane.token === 'there') {
      lane.token = 'none';
      return true;
    }
    lane.token = 'awaited';
    this.#do.takeToken(lane.endpoint.endpointId, perSecond, ({ allowed, waitMs }) => {
      if (!allowed) {
        this.#setTimer(lane, this.#do.clock.now() + waitMs, () => {
          lane.token = 'none';
        });
        return;
      }
      lane.token = 'there';
      this.#review(lane);
      this.#turns.take();
    });
    return false;
  }

  #ended({ lane, interruption }: RunningAttempt): void {
    // One that failed while it ended has ended already.
    if (!lane.running.delete(interruption)) return;
    this.#turns.running -= 1;
    if (this.#phase !== 'running') return;
    this.#review(lane);
    if (lane.needsRefill) this.#do.feed.fetch(lane.endpoint.endpointId);
    if (lane.isIdle || (lane.removed && lane.isEmpty)) forgetLane(this.lanes, lane);
    this.#turns.take();
  }

  /** What a slow endpoint keeps in memory is missing to all others. */
  #giveBack(lane: Lane, leased: readonly LeasedDelivery[]): void {
    for (const { delivery } of leased) this.known.delete(delivery.deliveryId);
    lane.backlog = true;
    this.#do.release(leased);
  }

  #drop(lane: Lane): void {
    for (const { delivery } of lane.queue.splice(0)) this.known.delete(delivery.deliveryId);
    lane.backlog = false;
  }
}
