import type { Logger } from '@parcelway/kernel/logger';
import { Upkeep } from '@parcelway/kernel/upkeep';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import type { AttemptScheduler } from './attempt-scheduler.ts';

/** Endpoints read at once. */
const BATCH = 500;
/** A change made through another process is known here within this time. */
const EVERY_MS = 1000;

export interface FollowerOptions {
  readonly endpoints: Pick<EndpointStore, 'present'>;
  readonly runner: Pick<AttemptScheduler, 'endpointsInUse' | 'endpointChanged' | 'endpointRemoved'>;
  readonly logger: Logger;
}

/** A slow-down does not count as a change of the endpoint: other processes learn of it all the same. */
function hasChanged(known: Endpoint, present: Endpoint): boolean {
  return present.updatedAt > known.updatedAt || present.slowedUntil !== known.slowedUntil;
}

/**
 * Notifies the dispatcher of what other processes have changed: an endpoint that was paused, moved, given a new secret or
 * deleted there must not get what waits here for as long as the leases last. Looks only at endpoints in use.
 */
export function followEndpoints({ endpoints, runner, logger }: FollowerOptions): Upkeep {
  async function look(): Promise<void> {
    const inUse = runner.endpointsInUse();
    for (let start = 0; start < inUse.length; start += BATCH) {
      const known = inUse.slice(start, start + BATCH);
      const present = new Map((await endpoints.present(known)).map((endpoint) => [endpoint.endpointId, endpoint]));
      for (const one of known) {
        const endpoint = present.get(one.endpointId);
        if (!endpoint) runner.endpointRemoved(one.endpointId);
        else if (hasChanged(one, endpoint)) runner.endpointChanged(endpoint);
      }
    }
  }
  const steps = [{ what: 'Reading changes of webhook endpoints', run: () => look().then(() => false) }];
  return new Upkeep({ steps, everyMs: EVERY_MS, logger });
}
