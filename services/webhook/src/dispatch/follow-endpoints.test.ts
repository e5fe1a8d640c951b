import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import { EndpointFollower } from './follow-endpoints.ts';

describe('a look at the endpoints in use', () => {
  const EVERY_MS = 1000;
  afterEach(() => {
    jest.useRealTimers();
  });

  /** A follower of some endpoints on a store that says what is present of them. */
  function followerOf(known: readonly Endpoint[], present: (asked: readonly string[]) => Promise<readonly Endpoint[]>) {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    const looks: number[] = [];
    const notified: unknown[] = [];
    const warnings: LogFields[] = [];
    const follower = new EndpointFollower({
      endpoints: {
        present(asked) {
          looks.push(asked.length);
          return present(asked.map(({ endpointId }) => endpointId));
        },
      },
      runner: {
        endpointsInUse: () => known,
        endpointChanged: (endpoint) => void notified.push(endpoint),
        endpointRemoved: (endpointId) => void notified.push(endpointId),
      },
      logger: { ...silentLogger, warn: (fields) => void warnings.push(fields) },
      everyMs: EVERY_MS,
    });
    follower.start();
    const pass = async (ms: number): Promise<void> => {
      await jest.advanceTimersByTimeAsync(ms);
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    return { follower, looks, notified, warnings, pass };
  }

  const circuit = { openUntil: T0 + 1000, cooldownMs: 1000 };
  const known = endpointFor('tnt_one', { endpointId: 'ep_1', circuit, slowedUntil: T0 + 5 });

  test.each<[string, Partial<Endpoint>, boolean]>([
    ['a later change', { updatedAt: T0 + 1 }, true],
    ['an earlier state', { updatedAt: T0 - 1 }, false],
    ['the same state', { circuit: { ...circuit } }, false],
    ['a circuit that has opened for longer', { circuit: { ...circuit, openUntil: T0 + 2000 } }, true],
    ['a circuit that has closed', { circuit: null }, true],
    ['a slow-down that goes on', { slowedUntil: T0 + 6 }, true],
    ['the end of a slow-down', { slowedUntil: null }, true],
  ])('notifies of what is new: %s', async (_name, given, isNotified) => {
    const present = { ...known, ...given };
    const { notified, pass } = followerOf([known], async () => [present]);
    await pass(EVERY_MS);
    expect(notified).toEqual(isNotified ? [present] : []);
  });

  test('comes when it is time, again and again, and not after a stop', async () => {
    const { follower, looks, notified, pass } = followerOf([known], async () => []);
    await pass(EVERY_MS - 1);
    expect(looks).toEqual([]);
    await pass(1);
    expect([looks, notified]).toEqual([[1], ['ep_1']]);
    await pass(EVERY_MS);
    expect(looks).toEqual([1, 1]);
    await follower.stop();
    await pass(5 * EVERY_MS);
    expect([looks.length, jest.getTimerCount()]).toEqual([2, 0]);
  });

  const many = Array.from({ length: 501 }, (_, index) => ({ ...known, endpointId: `ep_${index}` }));

  test('reads five hundred at once', async () => {
    const asked: string[] = [];
    const { looks, notified, pass } = followerOf(many, async (ids) => {
      asked.push(...ids);
      return many;
    });
    await pass(EVERY_MS);
    expect([looks, asked]).toEqual([[500, 1], many.map(({ endpointId }) => endpointId)]);
    expect(notified).toEqual([]);
  });

  test('that runs is waited for by a stop, and no other follows', async () => {
    let finish = (): void => undefined;
    const { follower, looks, pass } = followerOf(many, () => new Promise((resolve) => (finish = () => resolve(many))));
    await pass(EVERY_MS);
    let isStopped = false;
    const stopping = follower.stop().then(() => {
      isStopped = true;
    });
    await pass(0);
    expect(isStopped).toBe(false);
    finish();
    await stopping;
    await pass(5 * EVERY_MS);
    expect([looks, jest.getTimerCount()]).toEqual([[500], 0]);
  });

  test('that fails is logged, and the next one comes', async () => {
    const err = new Error('out');
    const { looks, warnings, pass } = followerOf([known], () => Promise.reject(err));
    await pass(EVERY_MS);
    expect(warnings).toEqual([{ err }]);
    await pass(EVERY_MS);
    expect(looks).toHaveLength(2);
  });
});
