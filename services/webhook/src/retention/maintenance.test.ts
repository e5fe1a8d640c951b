import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import { MAX_PAUSE_MS } from '../endpoints/domain/disabling.ts';
import { endpointFor } from '../testing/webhook-fixtures.ts';
import { MaintenanceLoop, RETRY_MS } from './maintenance.ts';
import type { Maintenance } from './ports.ts';

afterEach(() => {
  jest.useRealTimers();
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = 1000 * DAY_MS;
const urgent = ['paused', 'disablingsToPublish', 'hold', 'purge'];
const retention = ['deliveries', 'events', 'sequences'];

/** A maintenance whose store finds what the test says; what is not said finds nothing. */
function world(found: Partial<Record<string, () => unknown>> = {}) {
  const calls: string[] = [];
  const given: Record<string, readonly unknown[]> = {};
  const worked: string[] = [];
  const errors: LogFields[] = [];
  const ask = <T>(name: string, nothing: T) => {
    return async (...args: readonly unknown[]): Promise<T> => {
      calls.push(name);
      given[name] = args;
      return ((await found[name]?.()) as T | undefined) ?? nothing;
    };
  };
  const maintenance: Maintenance = {
    pausedBefore: ask('paused', []),
    disablingsToPublish: ask('disablingsToPublish', []),
    holdDisabled: ask('hold', false),
    purgeDeleted: ask('purge', false),
    expireDeliveries: ask('deliveries', false),
    expireEvents: ask('events', false),
    expireSequences: ask('sequences', false),
  };
  const loop = new MaintenanceLoop({
    maintenance,
    clock: new ManualClock(NOW),
    logger: { ...silentLogger, error: (fields) => void errors.push(fields) },
    retentionMs: 5,
    eventRetentionMs: 7,
    disablings: {
      publish: async ({ endpointId }) => void worked.push(`publish ${endpointId}`),
      endPause: async ({ endpointId }) => void worked.push(`end ${endpointId}`),
    },
  });
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  return { loop, calls, given, worked, errors, pass: (ms: number) => jest.advanceTimersByTimeAsync(ms) };
}

/** Finds something for the first `times` calls. */
function some<T>(times: number, value: T): () => T | undefined {
  let left = times;
  return () => (left-- > 0 ? value : undefined);
}

describe('a run of the maintenance', () => {
  test('does what is urgent first, then the retention, each in batches of 200', async () => {
    const { loop, calls, given, pass } = world();
    loop.start();
    await pass(0);
    expect(calls).toEqual([...urgent, ...retention]);
    expect(given).toEqual({
      paused: [NOW - MAX_PAUSE_MS, 200],
      disablingsToPublish: [200],
      hold: [200],
      purge: [200],
      deliveries: [NOW - 5, 200],
      events: [NOW - 7, 200],
      sequences: [NOW - 400 * DAY_MS, 200],
    });
    await loop.stop();
  });

  test('comes every hour', async () => {
    const { loop, calls, pass } = world();
    loop.start();
    await pass(HOUR_MS - 1);
    expect(calls).toHaveLength(7);
    await pass(1);
    expect(calls).toEqual([...urgent, ...retention, ...urgent, ...retention]);
    await loop.stop();
    await pass(2 * HOUR_MS);
    expect(calls).toHaveLength(14);
  });

  test('repeats a batch while there is more, with a pause after each', async () => {
    const { loop, calls, pass } = world({ hold: some(2, true), events: some(1, true) });
    loop.start();
    await pass(0);
    expect(calls).toEqual(['paused', 'disablingsToPublish', 'hold']);
    await pass(19);
    expect(calls).toHaveLength(3);
    await pass(1);
    expect(calls).toEqual(['paused', 'disablingsToPublish', 'hold', 'hold']);
    await pass(100);
    expect(calls).toEqual([
      'paused',
      'disablingsToPublish',
      'hold',
      'hold',
      'hold',
      'purge',
      'deliveries',
      'events',
      'events',
      'sequences',
    ]);
    await loop.stop();
  });

  test('ends long pauses and publishes disablings, endpoint by endpoint', async () => {
    const [one, two] = ['ep_1', 'ep_2'].map((endpointId) => endpointFor('tnt_one', { endpointId }));
    const { loop, worked, pass } = world({ paused: some(1, [one, two]), disablingsToPublish: some(1, [two]) });
    loop.start();
    await pass(100);
    expect(worked).toEqual(['end ep_1', 'end ep_2', 'publish ep_2']);
    await loop.stop();
  });
});

describe('a nudge', () => {
  test('does what is urgent, and nothing else', async () => {
    const { loop, calls, pass } = world();
    loop.start();
    await pass(0);
    calls.length = 0;
    loop.nudge();
    await pass(0);
    expect(calls).toEqual(urgent);
    await loop.stop();
  });

  test('in the middle of a run is done after it, once', async () => {
    const { loop, calls, pass } = world({ purge: some(1, true) });
    loop.start();
    await pass(0);
    loop.nudge();
    loop.nudge();
    await pass(100);
    expect(calls).toEqual([...urgent, 'purge', ...urgent, ...retention]);
    await loop.stop();
  });

  test('before the start and after a stop does nothing', async () => {
    const { loop, calls, pass } = world();
    loop.nudge();
    await pass(0);
    expect(calls).toEqual([]);
    loop.start();
    await loop.stop();
    calls.length = 0;
    loop.nudge();
    await pass(HOUR_MS);
    expect(calls).toEqual([]);
  });
});

describe('a stop', () => {
  test('waits for the batch that runs, and no other follows', async () => {
    let finish = (_more: boolean): void => undefined;
    const { loop, calls, pass } = world({ hold: () => new Promise((resolve) => (finish = resolve)) });
    loop.start();
    await pass(0);
    let isStopped = false;
    const stopping = loop.stop().then(() => {
      isStopped = true;
    });
    await pass(0);
    expect(isStopped).toBe(false);
    finish(true);
    await pass(20);
    await stopping;
    await pass(HOUR_MS);
    expect(calls).toEqual(['paused', 'disablingsToPublish', 'hold']);
  });

  test('ends the wait after a failure, which is logged and tried again', async () => {
    const err = new Error('out');
    const fail = (): never => {
      throw err;
    };
    const { loop, calls, errors, pass } = world({ hold: fail });
    loop.start();
    await pass(0);
    expect(errors).toEqual([{ err }]);
    // The retention does not wait for what is urgent, which is tried again soon.
    expect(calls).toEqual([...urgent.slice(0, 3), ...retention]);
    await pass(RETRY_MS);
    expect(calls).toEqual([...urgent.slice(0, 3), ...retention, ...urgent.slice(0, 3)]);
    await loop.stop();
    calls.length = 0;
    await pass(2 * RETRY_MS);
    expect([calls, jest.getTimerCount()]).toEqual([[], 0]);
  });
});
