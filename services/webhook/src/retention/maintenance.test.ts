import { afterEach, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { MAX_PAUSE_MS } from '../endpoints/domain/disabling.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { endpointFor } from '../testing/webhook-fixtures.ts';
import { createMaintenance } from './maintenance.ts';
import type { Maintenance } from './ports.ts';

afterEach(() => void jest.useRealTimers());

const DAY_MS = 86_400_000;
const NOW = 1000 * DAY_MS;

/**
 * The maintenance of a store that finds what the test says, and nothing else.
 * @param stored the endpoint when the maintenance changes it; undefined: it was deleted
 */
function world(found: Partial<Record<string, () => unknown>> = {}, stored?: Endpoint) {
  const calls: string[] = [];
  const given: Record<string, readonly unknown[]> = {};
  const worked: string[] = [];
  const state = { stored };
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
  };
  const loop = createMaintenance({
    maintenance,
    clock: new ManualClock(NOW),
    logger: silentLogger,
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
  return { loop, calls, given, worked, state, pass: (ms: number) => jest.advanceTimersByTimeAsync(ms) };
}

/** Finds something for the first `times` calls. */
function some<T>(times: number, value: T): () => T | undefined {
  let left = times;
  return () => (left-- > 0 ? value : undefined);
}

test('a round has what is urgent first, then the retention, each in batches of 200', async () => {
  const { loop, calls, given, pass } = world();
  loop.start();
  await pass(0);
  expect(calls).toEqual(['paused', 'disablingsToPublish', 'hold', 'purge', 'deliveries', 'events']);
  expect(given).toEqual({
    paused: [NOW - MAX_PAUSE_MS, 200],
    disablingsToPublish: [200],
    hold: [200],
    purge: [200],
    deliveries: [NOW - 5, 200],
    events: [NOW - 7, 200],
  });
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
