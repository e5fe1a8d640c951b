import { expect, test } from '@jest/globals';
import type { DeliveryStatus } from '../../intake/domain/delivery.ts';
import { endpointFor, T0 } from '../../testing/webhook-fixtures.ts';
import type { DeliveryProgress } from './in-flight.ts';
import { decideReplay, isChosen, type ReplayableEvent, type ReplayWish } from './replay.ts';

const event = { type: 'parcel.weighed', body: '{"a":1}' } as const;
const wish = (given: Partial<ReplayWish> = {}): ReplayWish => ({ types: ['parcel.weighed'], only: 'all', matches: () => true, ...given });
const statuses: readonly (DeliveryStatus | undefined)[] = ['pending', 'succeeded', 'failed', 'held', undefined];

test.each([
  ['all', [true, true, true, true, true]],
  ['undelivered', [true, false, true, true, true]],
  ['failed', [false, false, true, false, false]],
] as const)('a replay of %s chooses by the status of the delivery, events that never had one included', (only, chosen) => {
  expect(statuses.map((status) => isChosen(event, status, wish({ only })))).toEqual(chosen);
});

test('other types are left out, and so is what the endpoint does not want', () => {
  expect(isChosen(event, undefined, wish({ types: ['tracking.changed'] }))).toBe(false);
  expect(isChosen(event, undefined, wish({ matches: (body) => body !== event.body }))).toBe(false);
});

test('a body is only looked at when all else fits', () => {
  const matches = (): never => {
    throw new Error('looked at');
  };
  expect(isChosen(event, 'succeeded', wish({ only: 'undelivered', matches }))).toBe(false);
});

test('a replay restarts what is not in flight, and makes a delivery of an event that never had one', () => {
  const one: ReplayableEvent = { eventId: 'evt_1', poNumber: 'PO', test: false, ...event };
  const failed: DeliveryProgress = { status: 'failed', nextAttemptAt: null, isLeased: false };
  const due: DeliveryProgress = { status: 'pending', nextAttemptAt: T0, isLeased: false };
  const candidates = [failed, due, undefined].flatMap((delivery) => [one, { ...one, test: true }].map((of) => ({ event: of, delivery })));
  const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });
  const { restarts, inserts } = decideReplay(endpoint, candidates, wish(), T0, () => 'dlv_1');
  expect(restarts).toEqual([failed]);
  const ids = {
    tenantId: 'tnt_one',
    endpointId: 'ep_1',
    deliveryId: 'dlv_1',
    eventId: 'evt_1',
    eventType: 'parcel.weighed',
    poNumber: 'PO',
  };
  const state = { status: 'pending', attemptCount: 0, step: 0, test: false, nextAttemptAt: T0, nextReason: 'first', lastStatusCode: null };
  expect(inserts).toEqual([{ ...ids, ...state, createdAt: T0 }]);
});
