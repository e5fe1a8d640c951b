import { createRequire } from 'node:module';

/** A request that has been sent. */
interface SentRequest {
  /** Epoch milliseconds. */
  readonly sentAt: number;
  readonly requestTimeout: number;
  timeoutRequest(): void;
}

/** The part of kafkajs's request queue that is patched. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  readonly inflight: ReadonlyMap<number, SentRequest>;
  readonly enforceRequestTimeout: boolean;
  isConnected(): boolean;
  destroy(): void;
  scheduleCheckPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
}

/** How late a request that has no response may be found; small beside the timeouts, which are seconds. */
const TIMEOUT_CHECK_MS = 500;

let patched = false;

/** The connections of this process whose requests are looked at. */
const watched = new Set<RequestQueue>();
/** One for all of them; undefined while there is none. */
let watch: NodeJS.Timeout | undefined;

function lookAtRequests(): void {
  const now = Date.now();
  for (const queue of watched) {
    for (const request of [...queue.inflight.values()]) if (now - request.sentAt > request.requestTimeout) request.timeoutRequest();
    if (!queue.isConnected()) queue.destroy();
  }
}

function leave(queue: RequestQueue): void {
  watched.delete(queue);
  if (watched.size > 0) return;
  clearInterval(watch);
  watch = undefined;
}

/**
 * Stops kafkajs 2.2.4 from waking up without need, on each of its connections.
 *
 * - After the first response its request queue plans a look at the waiting requests, and each look plans the next one, after a delay that is below
 *   zero unless the broker throttles the client. With nothing waiting there is nothing to look for: `push` plans a look when it makes a request wait.
 * - Each looks ten times a second for requests whose time is over. Twice is enough, and for all at once.
 *
 * Safe to call more than once.
 * @throws Error when kafkajs is not the version that this was written for
 */
export function patchIdleTimers(): void {
  if (patched) return;
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as { prototype: RequestQueue };
  const { scheduleCheckPendingRequests: original, destroy } = prototype;
  if ([original, destroy, prototype.scheduleRequestTimeoutCheck].some((method) => typeof method !== 'function'))
    throw new Error('This version of kafkajs has no request queue that could be patched');
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length > 0) original.call(this);
  };
  prototype.scheduleRequestTimeoutCheck = function (this: RequestQueue): void {
    if (!this.enforceRequestTimeout) return;
    watched.add(this);
    watch ??= setInterval(lookAtRequests, TIMEOUT_CHECK_MS);
  };
  prototype.destroy = function (this: RequestQueue): void {
    leave(this);
    destroy.call(this);
  };
  patched = true;
}
