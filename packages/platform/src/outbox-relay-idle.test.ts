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

/** Looks at an outbox: in the first ten seconds, in the forty behind them, and at a notification. */
async function looksAt(isNotified: boolean): Promise<readonly number[]> {
  let looks = 0;
  const source = {
    isNotified,
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
  const first = looks;
  await jest.advanceTimersByTimeAsync(40_000);
  const second = looks - first;
  const before = looks;
  relay.notify();
  await new Promise((resolve) => setImmediate(resolve));
  await jest.advanceTimersByTimeAsync(0);
  const notified = looks - before;
  await relay.stop();
  return [first, second, notified];
}

test('an outbox whose writes are notified is looked at less often once nothing was there for some seconds, and at once when it is written to', async () => {
  const [first, second, notified] = await looksAt(true);
  expect(first).toBe(11);
  expect(second).toBeGreaterThanOrEqual(9);
  expect(second).toBeLessThanOrEqual(11);
  expect(notified).toBe(1);
});

test('one whose writes nobody notifies is looked at as often as ever', async () => {
  expect(await looksAt(false)).toEqual([11, 40, 1]);
});
