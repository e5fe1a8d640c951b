import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Client } from '@parcelway/page/api/client';
import { ApiFailure } from '@parcelway/page/api/failure';
import { PlatformClock, watchConnection } from './connection.ts';

async function connectionAfter(failure?: Error, signal?: AbortSignal): Promise<boolean[]> {
  const seen: boolean[] = [];
  const client: Client = {
    environment: 'sandbox',
    async call<T>(): Promise<T> {
      if (failure !== undefined) throw failure;
      return 'data' as T;
    },
  };
  const called = watchConnection(client, (online) => seen.push(online)).call('/warehouse/v1/warehouse', signal && { signal });
  await (failure === undefined ? expect(called).resolves.toBe('data') : expect(called).rejects.toBe(failure));
  return seen;
}

test('a response means online', async () => {
  expect(await connectionAfter()).toEqual([true]);
});

test.each(['offline', 'timeout', 'unreadable'])('a call that ends with `%s` means offline', async (code) => {
  expect(await connectionAfter(new ApiFailure(code))).toEqual([false]);
});

test.each(['40301', '42201', '50301'])('the code %s is a response: online', async (code) => {
  expect(await connectionAfter(new ApiFailure(code))).toEqual([true]);
});

test('an aborted call says nothing', async () => {
  expect(await connectionAfter(new ApiFailure('offline'), AbortSignal.abort())).toEqual([]);
});

const NOW = Date.parse('2026-11-23T04:00:00Z');

beforeEach(() => {
  jest.useFakeTimers({ now: NOW });
});

afterEach(() => {
  jest.useRealTimers();
});

test('goes by the last response, whatever the device thinks', () => {
  const clock = new PlatformClock();
  expect(clock.now()).toBe(NOW);
  clock.note(new Response(null, { headers: { Date: 'Sun, 22 Nov 2026 04:00:00 GMT' } }));
  jest.advanceTimersByTime(5000);
  expect(new Date(clock.now()).toISOString()).toBe('2026-11-22T04:00:05.000Z');
  clock.note(new Response());
  expect(new Date(clock.now()).toISOString()).toBe('2026-11-22T04:00:05.000Z');
});
