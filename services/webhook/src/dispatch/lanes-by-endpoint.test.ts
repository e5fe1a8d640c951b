import { expect, test } from '@jest/globals';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import { LanesByEndpoint } from './lanes-by-endpoint.ts';

const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });

test('an endpoint has one lane, until it is forgotten', () => {
  const lanes = new LanesByEndpoint();
  expect(lanes.get('ep_1')).toBeUndefined();
  const lane = lanes.open(endpoint, T0);
  expect(lanes.open(endpoint, T0)).toBe(lane);
  expect(lanes.get('ep_1')).toBe(lane);
  lanes.delete(lane);
  expect([lanes.get('ep_1'), lanes.all()]).toEqual([undefined, []]);
});

test('a lane takes a newer state of its endpoint, and no older one', () => {
  const lanes = new LanesByEndpoint();
  const lane = lanes.open(endpoint, T0);
  const newer = { ...endpoint, updatedAt: T0 + 1, description: 'newer' };
  lanes.open(newer, T0);
  lanes.open(endpoint, T0);
  expect(lane.endpoint).toBe(newer);
});

test('of the same state a lane takes the slow-down, as long as nothing waits or runs', () => {
  const lanes = new LanesByEndpoint();
  const lane = lanes.open(endpoint, T0);
  lanes.open({ ...endpoint, slowedUntil: T0 + 1, description: 'other' }, T0);
  expect(lane.endpoint).toEqual({ ...endpoint, slowedUntil: T0 + 1 });
  lane.queue.push({} as LeasedDelivery);
  lanes.open(endpoint, T0);
  expect(lane.endpoint.slowedUntil).toBe(T0 + 1);
  lane.queue.pop();
  lanes.open({ ...endpoint, updatedAt: T0 - 1 }, T0);
  expect(lane.endpoint.slowedUntil).toBe(T0 + 1);
});

test('a sweep forgets lanes that nothing waits for', () => {
  const lanes = new LanesByEndpoint();
  lanes.open(endpoint, T0);
  const kept = lanes.open({ ...endpoint, endpointId: 'ep_2' }, T0);
  kept.backlog = true;
  lanes.sweep(T0);
  expect(lanes.all()).toEqual([kept]);
});

test('endpoints are in use while something waits here or in the store, unless they were deleted', () => {
  const lanes = new LanesByEndpoint();
  const [queued, backlog, removed] = ['ep_q', 'ep_b', 'ep_r', 'ep_idle'].map((endpointId) => lanes.open({ ...endpoint, endpointId }, T0));
  queued?.queue.push({} as LeasedDelivery);
  if (backlog) backlog.backlog = true;
  if (removed) Object.assign(removed, { backlog: true, removed: true });
  expect(lanes.endpointsInUse().map(({ endpointId }) => endpointId)).toEqual(['ep_q', 'ep_b']);
});

test('circuits are counted by their state', () => {
  const lanes = new LanesByEndpoint();
  const circuit = { openUntil: T0 + 10, cooldownMs: 10 };
  lanes.open({ ...endpoint, endpointId: 'ep_closed' }, T0);
  lanes.open({ ...endpoint, endpointId: 'ep_closed_2' }, T0);
  lanes.open({ ...endpoint, endpointId: 'ep_open', circuit }, T0);
  expect(lanes.circuits(T0)).toEqual({ closed: 2, open: 1, half_open: 0 });
  expect(lanes.circuits(T0 + 10)).toEqual({ closed: 2, open: 0, half_open: 1 });
});
