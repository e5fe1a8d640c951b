import { expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import { followEndpoints } from './follow-endpoints.ts';

/** Looks once at endpoints in use, on a store that says what is present of them. */
async function lookAt(known: readonly Endpoint[], present: readonly Endpoint[]) {
  const asked: (readonly Pick<Endpoint, 'endpointId'>[])[] = [];
  const notified: unknown[] = [];
  const follower = followEndpoints({
    endpoints: {
      present: async (some) => {
        asked.push(some);
        return present;
      },
    },
    runner: {
      endpointsInUse: () => known,
      endpointChanged: (endpoint) => void notified.push(endpoint),
      endpointRemoved: (endpointId) => void notified.push(endpointId),
    },
    logger: silentLogger,
  });
  follower.start();
  await new Promise(setImmediate);
  await follower.stop();
  return { asked, notified };
}

const known = endpointFor('tnt_one', { endpointId: 'ep_1', slowedUntil: T0 + 5 });

test.each<[string, Partial<Endpoint>, boolean]>([
  ['a later change', { updatedAt: T0 + 1 }, true],
  ['an earlier state', { updatedAt: T0 - 1 }, false],
  ['the same state', {}, false],
  ['a slow-down that goes on', { slowedUntil: T0 + 6 }, true],
  ['the end of a slow-down', { slowedUntil: null }, true],
])('notifies of what is new: %s', async (_name, given, isNotified) => {
  const present = { ...known, ...given };
  expect((await lookAt([known], [present])).notified).toEqual(isNotified ? [present] : []);
});

test('notifies of what was deleted, and reads five hundred at once', async () => {
  const many = Array.from({ length: 501 }, (_, index) => ({ ...known, endpointId: `ep_${index}` }));
  const { asked, notified } = await lookAt(many, many.slice(1));
  expect(asked).toEqual([many.slice(0, 500), many.slice(500)]);
  expect(notified).toEqual(['ep_0']);
});
