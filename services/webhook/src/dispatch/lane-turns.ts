import type { RateDecision, RateLimiter } from '@parcelway/cache/rate-limiter';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { Lane } from './dispatch-lane.ts';

/** A limiter that fails, instead of counting locally, is asked again after this. */
const TOKEN_RETRY_MS = 1_000;

/** What the turns are taken with. */
export interface LaneTurnsOptions {
  /** Shared by all processes, so that an endpoint's rate limit holds over all of them. */
  readonly rateLimiter: Pick<RateLimiter, 'take'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** True when no attempt at all may start. */
  readonly isFull: () => boolean;
  /** True when this lane has to leave the free places to others. */
  readonly mustWait: (lane: Lane) => boolean;
  /** Starts the attempt of a lane. @returns false when it has none to start after all */
  readonly start: (lane: Lane) => boolean;
}

/**
 * The lanes that can start an attempt, one attempt a turn. A lane that has to pause, or to wait for its rate limit, leaves the line
 * and comes back by itself.
 */
export class LaneTurns {
  readonly #options: LaneTurnsOptions;
  #line: Lane[] = [];
  #stopped = false;

  constructor(options: LaneTurnsOptions) {
    this.#options = options;
  }

  /** Puts a lane at the end of the line when it can start an attempt. */
  join(lane: Lane): void {
    if (lane.inLine || this.#stopped) return;
    const now = this.#options.clock.now();
    if (!lane.canStart(now)) {
      this.#rejoinAfterPause(lane, now);
      return;
    }
    lane.inLine = true;
    this.#line.push(lane);
  }

  /** Starts as many attempts as there are places for. */
  run(): void {
    const { clock, isFull, mustWait, start } = this.#options;
    const passed: Lane[] = [];
    while (this.#line.length > 0 && !isFull()) {
      const lane = this.#line.shift() as Lane;
      if (mustWait(lane)) {
        passed.push(lane);
        continue;
      }
      lane.inLine = false;
      // Under a rate limit the right to an attempt is kept for the next one.
      if (lane.canStart(clock.now()) && this.#takeToken(lane) && !start(lane)) lane.token = 'there';
      this.join(lane);
    }
    if (passed.length > 0) this.#line = [...passed, ...this.#line];
  }

  /** Starts nothing any more. */
  stop(): void {
    this.#stopped = true;
    this.#line = [];
  }

  /** What is kept in memory during a pause goes on when it ends; what waits in the store is found by the feed. */
  #rejoinAfterPause(lane: Lane, now: number): void {
    const pausedUntil = lane.pausedUntil(now);
    if (lane.queue.length === 0 || pausedUntil <= now) return;
    // One that was to end a longer pause finds nothing to do.
    if (lane.resumesAt !== 0 && lane.resumesAt <= pausedUntil) return;
    lane.resumesAt = pausedUntil;
    this.#rejoin(lane, pausedUntil - now, () => {
      if (lane.resumesAt === pausedUntil) lane.resumesAt = 0;
    });
  }

  #rejoin(lane: Lane, waitMs: number, change: () => void): void {
    const rejoin = (): void => {
      change();
      this.join(lane);
      this.run();
    };
    setTimeout(rejoin, waitMs).unref();
  }

  /** Takes the right to one attempt. @returns false when it is waited for; the lane goes on by itself */
  #takeToken(lane: Lane): boolean {
    const { endpointId, rateLimit } = lane.endpoint;
    if (rateLimit === null) return true;
    if (lane.token === 'there') {
      lane.token = 'none';
      return true;
    }
    // A small burst: no second has more than a tenth above the limit.
    const limit = { perSecond: rateLimit, burst: Math.ceil(rateLimit / 10) };
    const answer = this.#options.rateLimiter.take(`webhook ${endpointId}`, limit);
    if (!('then' in answer)) {
      if (!answer.allowed) this.#awaitToken(lane, answer);
      return answer.allowed;
    }
    lane.token = 'awaited';
    this.#whenAnswered(lane, answer);
    return false;
  }

  #whenAnswered(lane: Lane, answer: Promise<RateDecision>): void {
    answer.then(
      (decision) => {
        if (!decision.allowed) {
          this.#awaitToken(lane, decision);
          return;
        }
        lane.token = 'there';
        this.join(lane);
        this.run();
      },
      (error: unknown) => {
        const fields = { err: error, endpoint_id: lane.endpoint.endpointId };
        this.#options.logger.warn(fields, 'the rate limit of a webhook endpoint could not be asked; trying again');
        this.#awaitToken(lane, { waitMs: TOKEN_RETRY_MS });
      },
    );
  }

  #awaitToken(lane: Lane, { waitMs }: Pick<RateDecision, 'waitMs'>): void {
    lane.token = 'awaited';
    this.#rejoin(lane, waitMs, () => (lane.token = 'none'));
  }
}
