import type { Logger } from '@parcelway/kernel/logger';
import type { DeliveryRunner, EndpointStore } from './ports.ts';

/** Endpoints read at once. */
const BATCH = 500;

/** What the follower works with. */
export interface FollowerOptions {
  readonly endpoints: Pick<EndpointStore, 'present'>;
  readonly runner: Pick<DeliveryRunner, 'endpointsInUse' | 'endpointChanged' | 'endpointRemoved'>;
  readonly logger: Logger;
  /** A change made through another process is known here within this time. */
  readonly everyMs: number;
}

/**
 * Tells the dispatcher what other processes have changed: an endpoint that was paused, moved, given a new secret or
 * deleted there must not get what waits here for as long as the leases last. Looks only at endpoints in use.
 */
export class EndpointFollower {
  readonly #options: FollowerOptions;
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();
  #stopped = true;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Starts looking. */
  start(): void {
    this.#stopped = false;
    this.#arm();
  }

  /** Stops and waits for the query that runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#work;
  }

  #arm(): void {
    this.#timer = setTimeout(() => {
      this.#work = this.#look().finally(() => {
        if (!this.#stopped) this.#arm();
      });
    }, this.#options.everyMs).unref();
  }

  async #look(): Promise<void> {
    const { endpoints, runner, logger } = this.#options;
    const inUse = runner.endpointsInUse();
    try {
      for (let start = 0; start < inUse.length && !this.#stopped; start += BATCH) {
        const known = inUse.slice(start, start + BATCH);
        const present = new Map((await endpoints.present(known)).map((endpoint) => [endpoint.endpointId, endpoint]));
        for (const { endpointId, updatedAt, circuit } of known) {
          const endpoint = present.get(endpointId);
          if (!endpoint) runner.endpointRemoved(endpointId);
          else if (endpoint.updatedAt > updatedAt || endpoint.circuit?.openUntil !== circuit?.openUntil) runner.endpointChanged(endpoint);
        }
      }
    } catch (error) {
      logger.warn({ err: error }, 'changes of webhook endpoints could not be looked for; trying again');
    }
  }
}
