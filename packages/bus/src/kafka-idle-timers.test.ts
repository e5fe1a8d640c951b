import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { patchIdleTimers } from './kafka-idle-timers.ts';

interface Queue {
  readonly pending: unknown[];
  readonly inflight: Map<number, object>;
  readonly throttleCheckTimeoutId: NodeJS.Timeout | null;
  scheduleCheckPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
  destroy(): void;
}

describe('a connection of kafkajs', () => {
  let isConnected: boolean;
  /** Requests whose time was over, in the order in which that was found. */
  let late: string[];
  let queue: Queue;

  const newQueue = (enforceRequestTimeout: boolean): Queue => {
    const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js') as new (options: object) => Queue;
    const options = { requestTimeout: 1000, maxInFlightRequests: null, clientId: 'c', broker: 'b' };
    return new RequestQueue({ ...options, enforceRequestTimeout, isConnected: () => isConnected });
  };
  const send = (id: number, name: string, requestTimeout: number): void => {
    const timeoutRequest = (): void => {
      late.push(name);
      queue.inflight.delete(id);
    };
    queue.inflight.set(id, { sentAt: Date.now(), requestTimeout, timeoutRequest });
  };

  beforeEach(() => {
    jest.useFakeTimers();
    patchIdleTimers();
    patchIdleTimers();
    isConnected = true;
    late = [];
    queue = newQueue(true);
  });
  afterEach(() => {
    queue.destroy();
    jest.useRealTimers();
  });

  test('that is idle plans no look at its requests, a busy one does', () => {
    queue.scheduleCheckPendingRequests();
    expect(queue.throttleCheckTimeoutId).toBeNull();
    queue.pending.push({});
    queue.scheduleCheckPendingRequests();
    expect(queue.throttleCheckTimeoutId).not.toBeNull();
  });

  test('finds every request whose time is over, at most half a second late, and no other', () => {
    queue.scheduleRequestTimeoutCheck();
    send(1, 'short', 600);
    send(2, 'long', 5000);
    send(3, 'short as well', 700);
    jest.advanceTimersByTime(600);
    expect(late).toEqual([]);
    jest.advanceTimersByTime(400);
    expect(late).toEqual(['short', 'short as well']);
    jest.advanceTimersByTime(4499);
    expect(late).toHaveLength(2);
    jest.advanceTimersByTime(1);
    expect(late).toEqual(['short', 'short as well', 'long']);
  });

  test('looks once at a time, however often that is planned, and no more once it has ended', () => {
    queue.scheduleRequestTimeoutCheck();
    queue.scheduleRequestTimeoutCheck();
    expect(jest.getTimerCount()).toBe(1);
    isConnected = false;
    jest.advanceTimersByTime(500);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('shares the look with all connections of the process, until the last has ended', () => {
    const other = newQueue(true);
    queue.scheduleRequestTimeoutCheck();
    other.scheduleRequestTimeoutCheck();
    expect(jest.getTimerCount()).toBe(1);
    queue.destroy();
    other.inflight.set(1, { sentAt: Date.now(), requestTimeout: 100, timeoutRequest: () => late.push('of the other') });
    jest.advanceTimersByTime(500);
    expect(late).toEqual(['of the other']);
    other.destroy();
    expect(jest.getTimerCount()).toBe(0);
  });

  test('looks for none when timeouts are not enforced', () => {
    queue = newQueue(false);
    queue.scheduleRequestTimeoutCheck();
    expect(jest.getTimerCount()).toBe(0);
  });
});
