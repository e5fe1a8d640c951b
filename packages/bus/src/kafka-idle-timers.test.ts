import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { patchIdleTimers } from './kafka-idle-timers.ts';

interface Queue {
  readonly pending: unknown[];
  readonly throttleCheckTimeoutId: NodeJS.Timeout | null;
  scheduleCheckPendingRequests(): void;
  destroy(): void;
}

const newQueue = (): Queue => {
  const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as new (options: object) => Queue;
  return new RequestQueue({ requestTimeout: 1000, maxInFlightRequests: null, enforceRequestTimeout: true, clientId: 'c', broker: 'b' });
};

test('an idle connection plans no look at its requests, a busy one does', () => {
  patchIdleTimers();
  patchIdleTimers();
  const queue = newQueue();
  queue.scheduleCheckPendingRequests();
  expect(queue.throttleCheckTimeoutId).toBeNull();
  queue.pending.push({});
  queue.scheduleCheckPendingRequests();
  expect(queue.throttleCheckTimeoutId).not.toBeNull();
  queue.destroy();
});
