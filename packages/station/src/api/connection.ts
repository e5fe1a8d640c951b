import type { Call, Client } from '@parcelway/page/api/client';
import { ApiFailure } from '@parcelway/page/api/failure';

/** Codes of calls to which the platform did not respond. */
const NO_RESPONSE = new Set(['offline', 'timeout', 'unreadable']);
/** True for the code of a call to which the platform did not respond. */
export const isOffline = (code: string): boolean => NO_RESPONSE.has(code);

/** A client that reports after each call whether the platform responded: the page is online, or it is offline. */
export function watchConnection(client: Client, onConnection: (online: boolean) => void): Client {
  return {
    environment: client.environment,
    async call<T>(path: string, call?: Call): Promise<T> {
      try {
        const data = await client.call<T>(path, call);
        onConnection(true);
        return data;
      } catch (error) {
        // An aborted call says nothing about the network.
        if (call?.signal?.aborted !== true) onConnection(!(error instanceof ApiFailure && isOffline(error.code)));
        throw error;
      }
    },
  };
}

/** The clock of the platform, by the `Date` of its last response; the one of the device until there is one. */
export class PlatformClock {
  #aheadMs = 0;

  note(response: Response): Response {
    const at = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(at)) this.#aheadMs = at - Date.now();
    return response;
  }

  /** Epoch milliseconds. */
  now(): number {
    return Date.now() + this.#aheadMs;
  }
}
