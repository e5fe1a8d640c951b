import type { RateLimiter } from '@parcelway/cache/rate-limiter';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { CircuitState } from '../endpoints/domain/circuit.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { EndpointObserver } from '../endpoints/manage-endpoints.ts';
import type { FirstAttempts } from '../intake/accept-events.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { type DeliveryQueue, LEASE_MS } from '../queue/delivery-queue.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import type { QueueWaker } from '../queue/redeliver.ts';
import { type AttemptOptions, attemptDelivery } from './attempt-delivery.ts';
import type { DispatchEffect, DispatchEvent, RunningAttempt } from './domain/dispatch-events.ts';
import { circuitsOf, createDispatchState, type DispatchState, endpointsInUse, roomForNew, roomOf } from './domain/dispatch-state.ts';
import type { Lane } from './domain/lane.ts';
import { step } from './domain/step.ts';
import { DueFeed } from './due-feed.ts';
import type { FullPayloads } from './full-payloads.ts';
import { ResultRecorder } from './record-results.ts';

/** A rate limiter that fails, instead of counting locally, is asked again after this. */
const TOKEN_RETRY_MS = 1_000;
const NONE: ReadonlySet<string> = new Set();
/** After a stop the store may refuse results for so long. */
const RECORD_DEADLINE_MS = 2_000;

export interface DispatcherOptions {
  readonly queue: Omit<DeliveryQueue, 'backlogOf'>;
  readonly rateLimiter: Pick<RateLimiter, 'take'>;
  readonly attempts: AttemptOptions;
  readonly full: Pick<FullPayloads, 'waitsUntil' | 'notePostponed'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Due deliveries are looked for this often; only a fallback for those that nothing announces. */
  readonly pollMs: number;
  /** Called with every attempt that counts, and whether it had to wait because its receiver had asked for less. */
  readonly report: (result: AttemptResult, heldBack: boolean) => void;
  /** Called when responses have disabled an endpoint: its pending deliveries are to be held. */
  readonly onDisabled: () => void;
}

/**
 * Sends what is leased. Decides nothing: it passes events to {@link step} and performs the effects that follow, with the
 * store, the rate limiter, the sender and timers.
 */
export class Dispatcher implements EndpointObserver, FirstAttempts, QueueWaker {
  readonly #options: DispatcherOptions;
  readonly #state: DispatchState;
  readonly #recorder: ResultRecorder;
  readonly #feed: DueFeed;
  /** Leases on their way back to the store. A stop waits for them: afterwards the store is closed. */
  readonly #releasing = new Set<Promise<unknown>>();
  /** Events that came while effects were being performed. */
  #events: DispatchEvent[] = [];
  #isStepping = false;
  #onIdle: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { queue, clock, logger, pollMs, full } = options;
    this.#state = createDispatchState((leased) => full.waitsUntil(leased));
    this.#feed = new DueFeed({
      queue,
      clock,
      logger,
      pollMs,
      leaseMs: LEASE_MS,
      roomOf: (endpointId) => roomOf(this.#state, endpointId, clock.now()),
      onLeased: (leased, asked) => this.#on({ type: 'leased', leased, asked }),
      onPoll: () => this.#on({ type: 'polled' }),
    });
    this.#recorder = new ResultRecorder({
      queue,
      clock,
      logger,
      onRecorded: (results) => this.#on({ type: 'recorded', results }),
      onDisabled: (endpoint) => this.#disabled(endpoint),
    });
  }

  start(): void {
    this.#feed.start();
  }

  /** Stops taking deliveries, lets running attempts finish until the deadline, records results, gives leases back. */
  async stop(deadlineMs: number): Promise<void> {
    this.#on({ type: 'stopping' });
    await this.#feed.stop();
    this.#on({ type: 'stopped' });
    const deadline = setTimeout(() => this.#on({ type: 'deadline' }), deadlineMs);
    if (this.#state.running > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    clearTimeout(deadline);
    const abandoning = setTimeout(() => this.#recorder.abandon(), RECORD_DEADLINE_MS);
    await this.#recorder.flush();
    clearTimeout(abandoning);
    await Promise.all(this.#releasing);
  }

  roomFor(endpointId: string): number {
    return roomForNew(this.#state, endpointId, this.#options.clock.now());
  }

  run(leased: readonly LeasedDelivery[], waiting: ReadonlySet<string> = NONE): void {
    if (leased.length > 0 || waiting.size > 0) this.#on({ type: 'leased', leased, waiting });
  }

  wake(): void {
    this.#feed.wakeAt(this.#options.clock.now());
  }

  endpointChanged(endpoint: Endpoint): void {
    this.#on({ type: 'endpoint_changed', endpoint });
  }

  endpointRemoved(endpointId: string): void {
    this.#on({ type: 'endpoint_removed', endpointId });
  }

  /** The endpoints that deliveries of this process wait for or run at, as it knows them. */
  endpointsInUse(): readonly Endpoint[] {
    return endpointsInUse(this.#state);
  }

  /** How many circuits of endpoints that this process has to do with are in which state. */
  circuits(): Readonly<Record<CircuitState, number>> {
    return circuitsOf(this.#state, this.#options.clock.now());
  }

  /** Takes a step, and performs what follows. What that brings at once follows in its order. */
  #on(first: DispatchEvent): void {
    this.#events.push(first);
    if (this.#isStepping) return;
    this.#isStepping = true;
    const { clock, attempts } = this.#options;
    try {
      for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) {
        for (const effect of step(this.#state, event, clock.now(), attempts.random())) this.#perform(effect);
      }
    } finally {
      this.#isStepping = false;
    }
    if (this.#state.phase !== 'running' && this.#state.running === 0) this.#onIdle?.();
  }

  #perform(effect: DispatchEffect): void {
    switch (effect.type) {
      case 'attempt':
        this.#attempt(effect.attempt);
        break;
      case 'interrupt':
        for (const interruption of effect.interruptions) interruption.interrupt();
        break;
      case 'release':
        this.#release(effect.leased, effect.until);
        if (effect.until !== undefined) this.#feed.wakeAt(effect.until);
        break;
      case 'postpone':
        this.#options.full.notePostponed(effect.leased);
        this.#release([effect.leased], effect.until);
        this.#feed.wakeAt(effect.until);
        break;
      case 'settle':
        this.#options.report(effect.result, effect.heldBack);
        this.#recorder.add(effect.result);
        break;
      case 'circuit_opened':
        this.#warn(effect.endpoint, { open_until: effect.circuit.openUntil }, 'webhook endpoint keeps failing; only probes are sent');
        break;
      case 'take_token':
        this.#takeToken(effect.lane, effect.perSecond);
        break;
      case 'set_timer':
        this.#setTimer(effect);
        break;
      case 'look_at':
        this.#feed.wakeAt(effect.at);
        break;
      case 'refill':
        this.#feed.fetch(effect.endpointId);
    }
  }

  #release(leased: readonly LeasedDelivery[], until: number | undefined): void {
    const { queue, logger } = this.#options;
    const release = queue
      .release(leased, until)
      .catch((error: unknown) => logger.warn({ err: error }, 'cannot release leases of webhook deliveries; they expire by themselves'))
      .finally(() => this.#releasing.delete(release));
    this.#releasing.add(release);
  }

  #attempt(attempt: RunningAttempt): void {
    const { leased, interruption } = attempt;
    attemptDelivery(leased, this.#options.attempts, interruption).then(
      (result) => {
        if ('postponedUntil' in result) this.#on({ type: 'postponed', attempt, until: result.postponedUntil });
        else this.#on({ type: 'attempted', attempt, result });
      },
      (error: unknown) => {
        this.#options.logger.error(
          { err: error, delivery_id: leased.delivery.deliveryId },
          'webhook attempt failed unexpectedly; the delivery is sent again when its lease expires',
        );
        this.#on({ type: 'crashed', attempt });
      },
    );
  }

  /** The limit holds over all processes. A small burst: no second has more than a tenth above it. */
  #takeToken(lane: Lane, perSecond: number): void {
    const { endpointId } = lane.endpoint;
    const decision = this.#options.rateLimiter.take(`webhook ${endpointId}`, { perSecond, burst: Math.ceil(perSecond / 10) });
    if (!('then' in decision)) {
      this.#on({ type: 'token_decided', lane, ...decision });
      return;
    }
    decision.then(
      (decided) => this.#on({ type: 'token_decided', lane, ...decided }),
      (error: unknown) => {
        this.#options.logger.warn(
          { err: error, endpoint_id: endpointId },
          'cannot check the rate limit of a webhook endpoint; trying again',
        );
        this.#on({ type: 'token_decided', lane, allowed: false, waitMs: TOKEN_RETRY_MS });
      },
    );
  }

  #setTimer({ lane, purpose, at }: Extract<DispatchEffect, { type: 'set_timer' }>): void {
    setTimeout(() => this.#on({ type: 'timer', lane, purpose, at }), at - this.#options.clock.now()).unref();
  }

  #disabled(endpoint: Endpoint): void {
    this.#warn(
      endpoint,
      { reason: endpoint.disabledReason },
      'webhook endpoint disabled; its events are held until it is enabled and replayed',
    );
    this.endpointChanged(endpoint);
    this.#options.onDisabled();
  }

  #warn({ tenantId, endpointId }: Endpoint, fields: object, message: string): void {
    this.#options.logger.warn({ tenant_id: tenantId, endpoint_id: endpointId, ...fields }, message);
  }
}
