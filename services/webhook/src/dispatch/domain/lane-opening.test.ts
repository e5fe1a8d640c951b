import { expect, test } from '@jest/globals';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import { endpointFor, T0 } from '../../testing/webhook-fixtures.ts';
import { forgetLane, forgetUnused, type Lanes, openLane } from './lane.ts';

const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });

test('an endpoint has one lane, until it is forgotten', () => {
  const lanes: Lanes = new Map();
  expect(lanes.get('ep_1')).toBeUndefined();
  const lane = openLane(lanes, endpoint, T0);
  expect(openLane(lanes, endpoint, T0)).toBe(lane);
  expect(lanes.get('ep_1')).toBe(lane);
  forgetLane(lanes, lane);
  expect([lanes.get('ep_1'), [...lanes.values()]]).toEqual([undefined, []]);
});

test('a lane takes a newer state of its endpoint, and no older one', () => {
  const lanes: Lanes = new Map();
  const lane = openLane(lanes, endpoint, T0);
  const newer = { ...endpoint, updatedAt: T0 + 1, description: 'newer' };
  openLane(lanes, newer, T0);
  openLane(lanes, endpoint, T0);
  expect(lane.endpoint).toBe(newer);
});

test('of the same state a lane takes the slow-down, as long as nothing waits or runs', () => {
  const lanes: Lanes = new Map();
  const lane = openLane(lanes, endpoint, T0);
  openLane(lanes, { ...endpoint, slowedUntil: T0 + 1, description: 'other' }, T0);
  expect(lane.endpoint).toEqual({ ...endpoint, slowedUntil: T0 + 1 });
  lane.queue.push({} as LeasedDelivery);
  openLane(lanes, endpoint, T0);
  expect(lane.endpoint.slowedUntil).toBe(T0 + 1);
  lane.queue.pop();
  openLane(lanes, { ...endpoint, updatedAt: T0 - 1 }, T0);
  expect(lane.endpoint.slowedUntil).toBe(T0 + 1);
});

test('a sweep forgets lanes that nothing waits for', () => {
  const lanes: Lanes = new Map();
  openLane(lanes, endpoint, T0);
  const kept = openLane(lanes, { ...endpoint, endpointId: 'ep_2' }, T0);
  kept.backlog = true;
  forgetUnused(lanes, T0);
  expect([...lanes.values()]).toEqual([kept]);
});
