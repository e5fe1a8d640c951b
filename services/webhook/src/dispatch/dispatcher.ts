import type { RateLimiter } from '@parcelway/cache/rate-limiter';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { DeliveryQueue } from '../queue/delivery-queue.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import { type AttemptOptions, attemptDelivery } from './attempt-delivery.ts';
import { AttemptScheduler, type RunningAttempt } from './attempt-scheduler.ts';
import { DueFeed } from './due-feed.ts';
import { ResultRecorder } from './record-results.ts';

/** A rate limiter that fails, instead of counting locally, is asked again after this. */
const TOKEN_RETRY_MS = 1_000;
/** After a stop the store may refuse results for so long. */
const RECORD_DEADLINE_MS = 2_000;

export interface DispatcherOptions {
  readonly queue: Omit<DeliveryQueue, 'backlog'>;
  readonly rateLimiter: Pick<RateLimiter, 'take'>;
  readonly attempts: AttemptOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called with every attempt that counts, and whether it had to wait because its receiver had asked for less. */
  readonly report: (result: AttemptResult, heldBack: boolean) => void;
  /** Called when responses have disabled an endpoint: its pending deliveries are to be held. */
  readonly onDisabled: () => void;
}

/** Sends what is leased. The {@link AttemptScheduler} decides; the store, the rate limiter and the sender do what it wants. */
export class Dispatcher {
  readonly scheduler: AttemptScheduler;
  readonly #options: DispatcherOptions;
  readonly #recorder: ResultRecorder;
  readonly #feed: DueFeed;
  /** Leases on their way back to the store. A stop waits for them: afterwards the store is closed. */
  readonly #releasing = new Set<Promise<unknown>>();
  #onIdle: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { queue, clock, logger, attempts } = options;
    this.#feed = new DueFeed({
      queue,
      clock,
      logger,
      roomOf: (endpointId) => this.scheduler.roomOf(endpointId),
      onLeased: (leased, asked) => this.scheduler.leased(leased, asked),
      onPoll: () => this.scheduler.polled(),
    });
    this.scheduler = new AttemptScheduler({
      clock,
      random: attempts.random,
      feed: this.#feed,
      attempt: (attempt) => void this.#attempt(attempt),
      release: (leased, until) => this.#release(leased, until),
      settle: (result, heldBack) => this.#settle(result, heldBack),
      takeToken: (endpointId, perSecond, decided) => this.#takeToken(endpointId, perSecond, decided),
    });
    this.#recorder = new ResultRecorder({
      queue,
      clock,
      logger,
      onRecorded: (results) => this.scheduler.recorded(results),
      onDisabled: (endpoint) => this.#disabled(endpoint),
    });
  }

  start(): void {
    this.#feed.start();
  }

  /** Stops taking deliveries, lets running attempts finish until the deadline, records results, gives leases back. */
  async stop(deadlineMs: number): Promise<void> {
    this.scheduler.stopping();
    await this.#feed.stop();
    this.scheduler.stopped();
    const deadline = setTimeout(() => this.scheduler.interrupt(), deadlineMs);
    if (this.scheduler.running > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    clearTimeout(deadline);
    const abandoning = setTimeout(() => this.#recorder.abandon(), RECORD_DEADLINE_MS);
    await this.#recorder.flush();
    clearTimeout(abandoning);
    await Promise.all(this.#releasing);
  }

  #settle(result: AttemptResult, heldBack: boolean): void {
    const { slowedUntil, leased } = result;
    // First, so that a report that fails costs no result.
    this.#recorder.add(result);
    this.#options.report(result, heldBack);
    if (slowedUntil === undefined) return;
    this.#warn(
      leased.endpoint,
      { paused_until: slowedUntil },
      'webhook endpoint is paused for a while: it keeps failing, or asks for less',
    );
  }

  #release(leased: readonly LeasedDelivery[], until: number | undefined): void {
    const { queue, logger } = this.#options;
    const release = queue
      .release(leased, until)
      .catch((error: unknown) => logger.warn({ err: error }, 'cannot release leases of webhook deliveries; they expire by themselves'))
      .finally(() => this.#releasing.delete(release));
    this.#releasing.add(release);
    if (until !== undefined) this.#feed.wakeAt(until);
  }

  async #attempt(attempt: RunningAttempt): Promise<void> {
    const { leased, interruption } = attempt;
    try {
      const result = await attemptDelivery(leased, this.#options.attempts, interruption);
      if ('postponedUntil' in result) this.scheduler.postponed(attempt, result.postponedUntil);
      else this.scheduler.attempted(attempt, result);
    } catch (error) {
      this.#options.logger.error(
        { err: error, delivery_id: leased.delivery.deliveryId },
        'webhook attempt failed unexpectedly; the delivery is sent again when its lease expires',
      );
      this.scheduler.crashed(attempt);
    }
    if (this.scheduler.running === 0) this.#onIdle?.();
  }

  /** The limit holds over all processes. A small burst: no second has more than a tenth above it. */
  #takeToken(endpointId: string, perSecond: number, decided: (token: { allowed: boolean; waitMs: number }) => void): void {
    const decision = this.#options.rateLimiter.take(`webhook ${endpointId}`, { perSecond, burst: Math.ceil(perSecond / 10) });
    if (!('then' in decision)) {
      decided(decision);
      return;
    }
    decision.then(decided, (error: unknown) => {
      this.#options.logger.warn({ err: error, endpoint_id: endpointId }, 'cannot check the rate limit of a webhook endpoint; trying again');
      decided({ allowed: false, waitMs: TOKEN_RETRY_MS });
    });
  }

  #disabled(endpoint: Endpoint): void {
    this.#warn(
      endpoint,
      { reason: endpoint.disabledReason },
      'webhook endpoint disabled; its events are held until it is enabled and replayed',
    );
    this.scheduler.endpointChanged(endpoint);
    this.#options.onDisabled();
  }

  #warn({ tenantId, endpointId }: Endpoint, fields: object, message: string): void {
    this.#options.logger.warn({ tenant_id: tenantId, endpoint_id: endpointId, ...fields }, message);
  }
}
