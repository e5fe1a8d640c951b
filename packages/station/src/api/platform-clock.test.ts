import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { PlatformClock } from './platform-clock.ts';

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
