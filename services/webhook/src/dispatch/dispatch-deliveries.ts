import type { Circuit, CircuitState } from '../endpoints/domain/circuit.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { type AttemptResult, isOfFormerReceiver } from '../queue/domain/attempt.ts';
import { LEASE_MS } from '../queue/domain/lease.ts';
import { type AttemptTools, attemptDelivery, type Postponement } from './attempt-delivery.ts';
import { LANE_QUEUE_LIMIT, type Lane } from './dispatch-lane.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';
import { Interruption } from './domain/interruption.ts';
import { DueFeed } from './due-feed.ts';
import { FullPayloads } from './full-payloads.ts';
import { LaneTurns } from './lane-turns.ts';
import { LanesByEndpoint } from './lanes-by-endpoint.ts';
import type { DeliveryRunner } from './ports.ts';
import { ResultRecorder } from './record-results.ts';
import { LeaseReleaser } from './release-leases.ts';

/** An attempt starts only while its lease lasts at least this much longer: its deadline and the writing down. */
const MIN_LEASE_LEFT_MS = 20_000;
/** Attempts of this process side by side. */
const MAX_RUNNING = 512;
/** Beyond this only endpoints that have no attempt running may start one, so that no endpoint waits for another's. */
const SHARED_RUNNING = MAX_RUNNING / 2;
/** Leased deliveries in memory. */
const MAX_KNOWN = 20_000;
/** Results waiting for the store; beyond it nothing is sent. */
const MAX_UNRECORDED = 2_000;

/**
 * Sends what is leased, each endpoint in a lane of its own. Lanes take turns, one attempt a turn; a lane has a limit
 * that follows how well its endpoint answers. So a receiver that hangs holds up its own lane and nothing else.
 */
export class Dispatcher implements DeliveryRunner {
  readonly #options: DispatcherOptions;
  readonly #lanes = new LanesByEndpoint();
  readonly #turns: LaneTurns;
  /** Deliveries in memory, from lease to record, so that none is taken twice by this process. */
  readonly #known = new Set<string>();
  readonly #recorder: ResultRecorder;
  readonly #releaser: LeaseReleaser;
  readonly #feed: DueFeed;
  readonly #full: FullPayloads;
  readonly #tools: AttemptTools;
  #running = 0;
  #stopping = false;
  #onIdle: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#releaser = new LeaseReleaser(options);
    const { content, clock, logger, tools } = options;
    const onFree = (): void => this.#turns.run();
    this.#full = new FullPayloads({ content, clock, logger, random: tools.random, onOutcome: options.onFullPayload, onFree });
    this.#tools = { ...tools, full: this.#full };
    this.#turns = new LaneTurns({
      rateLimiter: options.rateLimiter,
      clock: options.clock,
      logger: options.logger,
      isFull: () => this.#stopping || this.#running >= MAX_RUNNING || this.#recorder.size >= MAX_UNRECORDED,
      mustWait: (lane) => this.#mustWait(lane),
      start: (lane) => this.#startAttempt(lane),
    });
    this.#feed = new DueFeed({
      queue: options.queue,
      clock: options.clock,
      logger: options.logger,
      pollMs: options.pollMs,
      leaseMs: LEASE_MS,
      roomOf: (endpointId) => this.#roomOf(endpointId),
      onLeased: (leased, asked) => this.#takeLeased(leased, asked),
      onPoll: () => this.#lanes.sweep(options.clock.now()),
    });
    this.#recorder = new ResultRecorder({
      queue: options.queue,
      clock: options.clock,
      logger: options.logger,
      onRecorded: (results) => this.#recorded(results),
      onDisabled: (endpoint) => this.#disabled(endpoint),
    });
  }

  /** Starts looking for due deliveries. */
  start(): void {
    this.#feed.start();
  }

  /** Stops taking deliveries, lets running attempts finish until the deadline, writes results down, gives leases back. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopping = true;
    await this.#feed.stop();
    this.#turns.stop();
    const lanes = this.#lanes.all();
    this.#releaser.release(lanes.flatMap((lane) => lane.queue.splice(0)));
    const deadline = setTimeout(() => {
      for (const lane of lanes) lane.interrupt();
    }, deadlineMs);
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    clearTimeout(deadline);
    const giveUp = setTimeout(() => this.#recorder.abandon(), 2_000);
    await this.#recorder.flush();
    clearTimeout(giveUp);
    await this.#releaser.settled();
  }

  hasRoom(endpointId: string): boolean {
    const room = this.#roomOf(endpointId);
    const lane = this.#lanes.get(endpointId);
    // Not taken: it stays in the store, and the lane has to know that there is something to fetch.
    if (room === 0 && lane) lane.backlog = true;
    return room > 0 && !lane?.backlog;
  }

  run(leased: readonly LeasedDelivery[]): void {
    this.#startIn(this.#queue(leased));
  }

  wake(): void {
    this.#feed.wakeAt(this.#options.clock.now());
  }

  endpointChanged(endpoint: Endpoint): void {
    const lane = this.#lanes.get(endpoint.endpointId);
    // What was read before a change may arrive after it.
    if (endpoint.status === 'enabled') this.wake();
    if (!lane || endpoint.updatedAt < lane.endpoint.updatedAt) return;
    lane.change(endpoint);
    if (endpoint.status === 'disabled') this.#drop(lane);
    else this.#startIn(new Set([lane]));
  }

  endpointRemoved(endpointId: string): void {
    const lane = this.#lanes.get(endpointId);
    if (!lane) return;
    lane.removed = true;
    this.#drop(lane);
    lane.interrupt();
  }

  endpointsInUse(): readonly Endpoint[] {
    return this.#lanes.endpointsInUse();
  }

  /** How many circuits of endpoints that this process has to do with are in which state. */
  circuits(): Readonly<Record<CircuitState, number>> {
    return this.#lanes.circuits(this.#options.clock.now());
  }

  #roomOf(endpointId: string): number {
    if (this.#stopping || this.#known.size >= MAX_KNOWN) return 0;
    return this.#lanes.get(endpointId)?.room(this.#options.clock.now()) ?? LANE_QUEUE_LIMIT;
  }

  /** Puts deliveries into their lanes. While stopping, too: from there their leases are given back. @returns those lanes */
  #queue(leased: readonly LeasedDelivery[]): ReadonlySet<Lane> {
    const lanes = new Set<Lane>();
    const now = this.#options.clock.now();
    for (const one of leased) {
      const { deliveryId } = one.delivery;
      if (this.#known.has(deliveryId)) continue;
      const waitsUntil = this.#full.postponement(one, now);
      if (waitsUntil !== undefined) {
        this.#releaser.release([one], waitsUntil);
        continue;
      }
      const lane = this.#lanes.open(one.endpoint, now);
      this.#known.add(deliveryId);
      lane.queue.push(one);
      lanes.add(lane);
    }
    return lanes;
  }

  #takeLeased(leased: readonly LeasedDelivery[], asked: ReadonlyMap<string, number>): void {
    const got = new Map<string, number>();
    for (const { endpoint } of leased) got.set(endpoint.endpointId, (got.get(endpoint.endpointId) ?? 0) + 1);
    const lanes = this.#queue(leased);
    for (const [endpointId, count] of asked) {
      const lane = this.#lanes.get(endpointId);
      if (lane) lane.backlog = (got.get(endpointId) ?? 0) >= count;
    }
    this.#startIn(lanes);
  }

  /** While deliveries were leased a circuit may have opened or a pause begun: what was to wait here for that would wait for ever. */
  #startIn(lanes: ReadonlySet<Lane>): void {
    for (const lane of lanes) {
      this.#giveBackSurplus(lane);
      this.#turns.join(lane);
    }
    this.#turns.run();
  }

  /** True when a lane leaves what is free to others. One with nothing running waits for no receiver of another. */
  #mustWait(lane: Lane): boolean {
    const isFirst = lane.running.size === 0;
    return (this.#running >= SHARED_RUNNING && !isFirst) || this.#full.mustWait(lane.next, isFirst);
  }

  /** @returns false when nothing was there to be sent */
  #startAttempt(lane: Lane): boolean {
    // What has waited here for too long is leased anew.
    this.#giveBack(lane, lane.takeStale(this.#options.clock.now() + MIN_LEASE_LEFT_MS));
    // The one behind it may need what the stale one did not.
    const leased = this.#mustWait(lane) ? undefined : lane.takeNext();
    if (!leased) return false;
    const heldBack = lane.hasHeldBack(leased.origin.occurredAt);
    const interruption = new Interruption();
    lane.running.add(interruption);
    this.#running += 1;
    attemptDelivery(leased, this.#tools, interruption)
      .then(
        (result) => {
          if ('postponedUntil' in result) this.#postponed(lane, result);
          else this.#finished(lane, result, heldBack, interruption);
        },
        (error: unknown) => {
          this.#options.logger.error({ err: error, delivery_id: leased.delivery.deliveryId }, 'a delivery could not be attempted');
          this.#known.delete(leased.delivery.deliveryId);
        },
      )
      .finally(() => {
        lane.running.delete(interruption);
        this.#running -= 1;
        this.#afterAttempt(lane);
      });
    return true;
  }

  #finished(lane: Lane, result: AttemptResult, heldBack: boolean, { done: interrupted }: Interruption): void {
    const { leased } = result;
    if ((interrupted && result.status !== 'succeeded') || isOfFormerReceiver(result, lane.endpoint)) {
      // Ended by us, not by the receiver: not an attempt that says anything. A stopping process gives the lease back.
      this.#known.delete(leased.delivery.deliveryId);
      if (!lane.removed) this.#releaser.release([leased]);
      return;
    }
    this.#options.report(result, heldBack);
    const restraint = lane.learn(result, this.#options.clock.now(), this.#options.tools.random());
    this.#giveBackSurplus(lane);
    this.#recorder.add(restraint ? { ...result, restraint } : result);
    if (restraint?.circuit) this.#circuitOpened(lane.endpoint, restraint.circuit);
  }

  /** It was no attempt: the endpoint is not judged by it. */
  #postponed(lane: Lane, { leased, postponedUntil }: Postponement): void {
    this.#known.delete(leased.delivery.deliveryId);
    if (!lane.removed) this.#releaser.release([leased], postponedUntil);
  }

  /** What a slow endpoint keeps in memory is missing to all others: more than {@link MAX_KNOWN} are never taken. */
  #giveBackSurplus(lane: Lane): void {
    this.#giveBack(lane, lane.takeSurplus(this.#options.clock.now()));
  }

  #giveBack(lane: Lane, leased: readonly LeasedDelivery[]): void {
    if (leased.length === 0) return;
    for (const { delivery } of leased) this.#known.delete(delivery.deliveryId);
    lane.backlog = true;
    this.#releaser.release(leased);
  }

  #afterAttempt(lane: Lane): void {
    if (this.#stopping) {
      if (this.#running === 0) this.#onIdle?.();
      return;
    }
    this.#turns.join(lane);
    if (lane.isThirsty) this.#feed.fetch(lane.endpoint.endpointId);
    if (lane.isIdle || (lane.removed && lane.isEmpty)) this.#lanes.delete(lane);
    this.#turns.run();
  }

  #recorded(results: readonly AttemptResult[]): void {
    let next = Number.POSITIVE_INFINITY;
    for (const { leased, nextAttemptAt } of results) {
      this.#known.delete(leased.delivery.deliveryId);
      if (nextAttemptAt !== null) next = Math.min(next, nextAttemptAt);
    }
    if (Number.isFinite(next)) this.#feed.wakeAt(next);
    this.#turns.run();
  }

  #disabled(endpoint: Endpoint): void {
    const { tenantId, endpointId, disabledReason } = endpoint;
    const fields = { tenant_id: tenantId, endpoint_id: endpointId, reason: disabledReason };
    this.#options.logger.warn(fields, 'webhook endpoint disabled; its events are held until it is enabled and replayed');
    this.endpointChanged(endpoint);
    this.#options.onDisabled();
  }

  #circuitOpened({ tenantId, endpointId }: Endpoint, { openUntil }: Circuit): void {
    const fields = { tenant_id: tenantId, endpoint_id: endpointId, open_until: openUntil };
    this.#options.logger.warn(fields, 'webhook endpoint keeps failing; only probes are sent');
  }

  #drop(lane: Lane): void {
    for (const { delivery } of lane.queue.splice(0)) this.#known.delete(delivery.deliveryId);
    lane.backlog = false;
  }
}
