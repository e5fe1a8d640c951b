import { expect, test } from '@jest/globals';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import { endpointFor, T0 } from '../../testing/webhook-fixtures.ts';
import { circuitsOf, createDispatchState, endpointsInUse, MAX_KNOWN, roomForNew, roomOf } from './dispatch-state.ts';
import { LANE_QUEUE_LIMIT, openLane } from './lane.ts';

const noFull = { concerns: () => false, mustWait: () => false, waitsUntil: () => undefined };

const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });

test('endpoints are in use while something waits here or in the store, unless they were deleted', () => {
  const state = createDispatchState(noFull);
  const [queued, backlog, removed] = ['ep_q', 'ep_b', 'ep_r', 'ep_idle'].map((endpointId) =>
    openLane(state.lanes, { ...endpoint, endpointId }, T0),
  );
  queued?.queue.push({} as LeasedDelivery);
  if (backlog) backlog.backlog = true;
  if (removed) Object.assign(removed, { backlog: true, removed: true });
  expect(endpointsInUse(state).map(({ endpointId }) => endpointId)).toEqual(['ep_q', 'ep_b']);
});

test('circuits are counted by their state', () => {
  const state = createDispatchState(noFull);
  const circuit = { openUntil: T0 + 10, cooldownMs: 10 };
  openLane(state.lanes, { ...endpoint, endpointId: 'ep_closed' }, T0);
  openLane(state.lanes, { ...endpoint, endpointId: 'ep_closed_2' }, T0);
  openLane(state.lanes, { ...endpoint, endpointId: 'ep_open', circuit }, T0);
  expect(circuitsOf(state, T0)).toEqual({ closed: 2, open: 1, half_open: 0 });
  expect(circuitsOf(state, T0 + 10)).toEqual({ closed: 2, open: 0, half_open: 1 });
});

test('there is room for what a lane may keep, none while memory is full or the process stops', () => {
  const state = createDispatchState(noFull);
  expect(roomOf(state, 'ep_1', T0)).toBe(LANE_QUEUE_LIMIT);
  for (let known = 0; known < MAX_KNOWN; known += 1) state.known.add(`dlv_${known}`);
  expect([roomOf(state, 'ep_1', T0), roomForNew(state, 'ep_1', T0)]).toEqual([0, 0]);
  state.known.clear();
  state.phase = 'stopping';
  expect(roomOf(state, 'ep_1', T0)).toBe(0);
});

test('there is no room for new deliveries while older ones wait in the store', () => {
  const state = createDispatchState(noFull);
  const lane = openLane(state.lanes, endpoint, T0);
  expect(roomForNew(state, 'ep_1', T0)).toBe(LANE_QUEUE_LIMIT);
  lane.backlog = true;
  expect([roomOf(state, 'ep_1', T0), roomForNew(state, 'ep_1', T0)]).toEqual([LANE_QUEUE_LIMIT, 0]);
});
