import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { RETRY_MS, UpkeepLoop } from './keep-up.ts';
import type { Upkeep } from './ports.ts';

afterEach(() => {
  jest.useRealTimers();
});

/** An upkeep whose store is out for the first call. */
function loopOver(calls: string[]): UpkeepLoop {
  const done = (name: string) => async () => {
    calls.push(name);
    if (calls.length === 1) throw new Error('out');
    return false;
  };
  const none = (name: string) => async () => {
    await done(name)();
    return [];
  };
  const upkeep: Upkeep = {
    pausedBefore: none('paused'),
    untold: none('untold'),
    holdDisabled: done('hold'),
    purgeDeleted: done('purge'),
    expireDeliveries: done('deliveries'),
    expireEvents: done('events'),
    expireSequences: done('sequences'),
  };
  const disablings = { tell: async () => undefined, endPause: async () => undefined };
  return new UpkeepLoop({ upkeep, clock: new ManualClock(0), logger: silentLogger, retentionMs: 1, eventRetentionMs: 1, disablings });
}

describe('the upkeep', () => {
  test('goes on soon after the store was out: a tenant is to be told of a disabling, and its deliveries are to be held', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    const calls: string[] = [];
    const loop = loopOver(calls);
    loop.start();
    await jest.advanceTimersByTimeAsync(RETRY_MS - 1);
    const retention = ['deliveries', 'events', 'sequences'];
    expect(calls).toEqual(['paused', ...retention]);
    await jest.advanceTimersByTimeAsync(1);
    expect(calls).toEqual(['paused', ...retention, 'paused', 'untold', 'hold', 'purge']);
    await loop.stop();
  });
});
