import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import { MAX_PAUSE_MS } from '../endpoints/domain/disabling.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
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

/**
 * A maintenance loop whose store finds what the test says, and nothing else.
 * @param stored the endpoint when the loop changes it; undefined: it was deleted
 */
function world(found: Partial<Record<string, () => unknown>> = {}, stored?: Endpoint) {
  const calls: string[] = [];
  const given: Record<string, readonly unknown[]> = {};
  const worked: string[] = [];
  const state = { stored };
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
    endpoints: {
      async update(_tenantId, _endpointId, change) {
        if (state.stored) state.stored = change(state.stored);
        return state.stored;
      },
    },
    acceptance: { publishDisabled: async ({ endpointId }) => void worked.push(`publish ${endpointId}`) },
    runner: { endpointChanged: ({ endpointId, status }) => void worked.push(`${status} ${endpointId}`) },
  });
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  return { loop, calls, given, worked, errors, state, pass: (ms: number) => jest.advanceTimersByTimeAsync(ms) };
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
    expect(calls.slice(4)).toEqual(['hold', 'purge', 'deliveries', 'events', 'events', 'sequences']);
    await loop.stop();
  });

  const disabled = endpointFor('tnt_one', { endpointId: 'ep_1', status: 'disabled', disabledReason: 'failing', disablingToPublish: NOW });
  const paused = endpointFor('tnt_one', { endpointId: 'ep_1', status: 'paused', pausedAt: NOW - MAX_PAUSE_MS });
  const ended = { status: 'disabled', disabledReason: 'pause_expired', disablingToPublish: NOW };

  test.each<[string, string, Endpoint, Endpoint | undefined, string[], object | undefined]>([
    ['publishes a disabling once', 'disablingsToPublish', disabled, disabled, ['publish ep_1'], { disablingToPublish: null }],
    [
      'leaves a later disabling to be published',
      'disablingsToPublish',
      disabled,
      { ...disabled, disablingToPublish: 1 },
      ['publish ep_1'],
      { disablingToPublish: 1 },
    ],
    ['ends a pause that has lasted too long and notifies the dispatcher', 'paused', paused, paused, ['disabled ep_1'], ended],
    [
      'keeps a pause that has restarted',
      'paused',
      paused,
      { ...paused, pausedAt: NOW },
      ['paused ep_1'],
      { status: 'paused', pausedAt: NOW },
    ],
    ['ignores a deleted endpoint', 'paused', paused, undefined, [], undefined],
  ])('%s', async (_what, name, one, stored, work, is) => {
    const { loop, worked, state, pass } = world({ [name]: some(1, [one]) }, stored);
    loop.start();
    await pass(100);
    expect(worked).toEqual(work);
    if (is === undefined) expect(state.stored).toBeUndefined();
    else expect(state.stored).toMatchObject(is);
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
