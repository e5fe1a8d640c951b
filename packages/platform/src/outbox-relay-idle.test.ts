import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { createOutboxRelay } from './outbox-relay.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

test('an outbox is looked at less often once nothing was there for some seconds, and at once when it is written to', async () => {
  let looks = 0;
  const source = {
    lease: async (): Promise<readonly []> => {
      looks += 1;
      return [];
    },
    remove: async (): Promise<void> => undefined,
    depth: async () => ({ count: 0, oldestAt: null }),
  };
  const relay = createOutboxRelay({ source, publish: async () => undefined, logger: silentLogger, clock: systemClock, idlePollMs: 1000 });
  relay.start();
  await jest.advanceTimersByTimeAsync(10_500);
  expect(looks).toBe(11);
  await jest.advanceTimersByTimeAsync(40_000);
  expect(looks).toBeGreaterThanOrEqual(20);
  expect(looks).toBeLessThanOrEqual(22);
  const before = looks;
  relay.notify();
  await new Promise((resolve) => setImmediate(resolve));
  await jest.advanceTimersByTimeAsync(0);
  expect(looks).toBe(before + 1);
  await relay.stop();
});
