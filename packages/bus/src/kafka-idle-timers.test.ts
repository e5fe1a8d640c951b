import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { patchIdleTimers } from './kafka-idle-timers.ts';

interface Queue {
  readonly pending: unknown[];
  readonly throttleCheckTimeoutId: NodeJS.Timeout | null;
  scheduleCheckPendingRequests(): void;
  destroy(): void;
}

test('a connection of kafkajs that is idle plans no look at its requests, a busy one does', () => {
  patchIdleTimers();
  patchIdleTimers();
  const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as new (options: object) => Queue;
  const queue = new RequestQueue({ maxInFlightRequests: null, clientId: 'c', broker: 'b', isConnected: () => true });
  queue.scheduleCheckPendingRequests();
  expect(queue.throttleCheckTimeoutId).toBeNull();
  queue.pending.push({});
  queue.scheduleCheckPendingRequests();
  expect(queue.throttleCheckTimeoutId).not.toBeNull();
  queue.destroy();
});
