import { expect, test } from '@jest/globals';
import type { DeliveryStatus } from '../../intake/domain/delivery.ts';
import { isChosen, type ReplayWish } from './replay.ts';

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
