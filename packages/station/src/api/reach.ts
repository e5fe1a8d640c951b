import type { Call, Client } from '@parcelway/page/api/client';
import { ApiFailure } from '@parcelway/page/api/failure';

/** Codes of calls to which no platform responded. */
const OUT_OF_REACH = new Set(['offline', 'timeout', 'unreadable']);

/** True when a call found no platform, so that it is worth another try later. */
export function isOutOfReach(failure: unknown): boolean {
  return failure instanceof ApiFailure && OUT_OF_REACH.has(failure.code);
}

/** A client that reports after each call whether the platform was reached. */
export function watchReach(client: Client, onReach: (reached: boolean) => void): Client {
  return {
    environment: client.environment,
    async call<T>(path: string, call?: Call): Promise<T> {
      try {
        const data = await client.call<T>(path, call);
        onReach(true);
        return data;
      } catch (error) {
        // An aborted call says nothing about the network.
        if (call?.signal?.aborted !== true) onReach(!isOutOfReach(error));
        throw error;
      }
    },
  };
}
