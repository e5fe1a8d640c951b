import { createRequire } from 'node:module';

/** The part of kafkajs's request queue that is patched. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

let patched = false;

/**
 * Stops kafkajs 2.2.4 from waking up a thousand times a second on each of its connections: after the first response its request queue plans a look at
 * the waiting requests, and each look plans the next one, after a delay that is below zero unless the broker throttles the client. With nothing waiting
 * there is nothing to look for: `push` plans a look when it makes a request wait.
 *
 * Safe to call more than once.
 * @throws Error when kafkajs is not the version that this was written for
 */
export function patchIdleTimers(): void {
  if (patched) return;
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as { prototype: RequestQueue };
  const original = prototype.scheduleCheckPendingRequests;
  if (typeof original !== 'function') throw new Error('This version of kafkajs has no request queue that could be patched');
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length > 0) original.call(this);
  };
  patched = true;
}
