import type { Logger } from '@parcelway/kernel/logger';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { EndpointStore } from '../endpoints/ports.ts';
import type { DeliveryRunner } from './ports.ts';

/** Endpoints read at once. */
const BATCH = 500;

export interface FollowerOptions {
  readonly endpoints: Pick<EndpointStore, 'present'>;
  readonly runner: Pick<DeliveryRunner, 'endpointsInUse' | 'endpointChanged' | 'endpointRemoved'>;
  readonly logger: Logger;
  /** A change made through another process is known here within this time. */
  readonly everyMs: number;
}

/** A circuit or a slow-down does not count as a change of the endpoint: other processes learn of them all the same. */
function hasChanged(known: Endpoint, present: Endpoint): boolean {
  if (present.updatedAt > known.updatedAt) return true;
  return present.circuit?.openUntil !== known.circuit?.openUntil || present.slowedUntil !== known.slowedUntil;
}

/**
 * Notifies the dispatcher of what other processes have changed: an endpoint that was paused, moved, given a new secret or
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
        for (const one of known) {
          const endpoint = present.get(one.endpointId);
          if (!endpoint) runner.endpointRemoved(one.endpointId);
          else if (hasChanged(one, endpoint)) runner.endpointChanged(endpoint);
        }
      }
    } catch (error) {
      logger.warn({ err: error }, 'cannot read changes of webhook endpoints; trying again');
    }
  }
}
