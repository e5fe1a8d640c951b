import { expect, test } from '@jest/globals';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { endpointFor, leasedOf, resultOf, T0 } from '../../testing/webhook-fixtures.ts';
import type { DispatchEffect, DispatchEvent, RunningAttempt } from './dispatch-events.ts';
import {
  circuitsOf,
  createDispatchState,
  endpointsInUse,
  MAX_KNOWN,
  MAX_RUNNING,
  MAX_UNRECORDED,
  roomForNew,
  roomOf,
  SHARED_RUNNING,
} from './dispatch-state.ts';
import { LANE_QUEUE_LIMIT, type Lane, openLane } from './lane.ts';
import { step } from './step.ts';

type SetTimer = Extract<DispatchEffect, { type: 'set_timer' }>;

/** Steps without an executor: attempts end when a test says so, timers run when it passes time. */
function world() {
  const state = createDispatchState();
  const running: RunningAttempt[] = [];
  const effects: DispatchEffect[] = [];
  let timers: SetTimer[] = [];
  let now = T0;
  let deliveries = 0;
  const on = (event: DispatchEvent): void => {
    for (const effect of step(state, event, now, 0)) {
      effects.push(effect);
      if (effect.type === 'attempt') running.push(effect.attempt);
      if (effect.type === 'set_timer') timers.push(effect);
    }
  };
  const lease = (endpointId: string, count: number, given: Partial<Endpoint> = {}): Lane => {
    const endpoint = endpointFor('tnt_one', { endpointId, ...given });
    const leased = Array.from({ length: count }, () => {
      deliveries += 1;
      return { ...leasedOf({ deliveryId: `dlv_${deliveries}`, endpointId }), endpoint, leaseUntil: now + 60_000 };
    });
    on({ type: 'leased', leased });
    return state.lanes.get(endpointId) as Lane;
  };
  const pass = (ms: number): void => {
    now += ms;
    const due = timers.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    timers = timers.filter(({ at }) => at > now);
    for (const { lane, purpose, at } of due) on({ type: 'timer', lane, purpose, at });
  };
  const end = (attempt: RunningAttempt, status: 'succeeded' | 'failed' = 'succeeded'): void =>
    on({ type: 'attempted', attempt, result: resultOf(attempt.leased, status) });
  const started = (): string[] => running.map(({ lane }) => lane.endpoint.endpointId);
  const ofType = (type: DispatchEffect['type']) => effects.filter((effect) => effect.type === type);
  return { state, running, timers: () => timers, on, lease, pass, end, started, ofType };
}

test('lanes take turns, one attempt a turn', () => {
  const w = world();
  w.state.unrecorded = MAX_UNRECORDED;
  w.lease('a', 3);
  const b = w.lease('b', 1);
  expect(w.started()).toEqual([]);
  w.state.unrecorded = 0;
  w.on({ type: 'polled' });
  expect(w.started()).toEqual(['a', 'b', 'a', 'a']);
  expect(b.inLine).toBe(false);
});

test('at most 512 attempts run at a time; the upper half is for lanes without a running attempt', () => {
  const w = world();
  for (let lane = 0; lane < 32; lane += 1) w.lease(`ep_${lane}`, 8);
  expect(w.running).toHaveLength(SHARED_RUNNING);
  w.lease('late', 2);
  expect(w.started().slice(SHARED_RUNNING)).toEqual(['late']);
  for (let lane = 100; lane < 400; lane += 1) w.lease(`ep_${lane}`, 1);
  expect(w.running).toHaveLength(MAX_RUNNING);
  w.end(w.running[0] as RunningAttempt);
  expect(w.running).toHaveLength(MAX_RUNNING + 1);
});

test('a lane has no room while memory is full or the process stops, and none for new deliveries while older ones are stored', () => {
  const { state } = world();
  const room = () => [roomOf(state, 'ep_1', T0), roomForNew(state, 'ep_1', T0)];
  expect(room()).toEqual([LANE_QUEUE_LIMIT, LANE_QUEUE_LIMIT]);
  openLane(state.lanes, endpointFor('tnt_one', { endpointId: 'ep_1' }), T0).backlog = true;
  expect(room()).toEqual([LANE_QUEUE_LIMIT, 0]);
  for (let known = 0; known < MAX_KNOWN; known += 1) state.known.add(`dlv_${known}`);
  expect(room()).toEqual([0, 0]);
  state.known.clear();
  state.phase = 'stopping';
  expect(room()).toEqual([0, 0]);
});

test('endpoints with waiting or stored deliveries are in use unless deleted; circuits are counted by state', () => {
  const { state } = world();
  const circuit = { openUntil: T0 + 10, cooldownMs: 10 };
  const [queued, backlog, removed] = ['ep_q', 'ep_b', 'ep_r', 'ep_idle'].map((endpointId) =>
    openLane(state.lanes, endpointFor('tnt_one', { endpointId, circuit: endpointId === 'ep_q' ? circuit : null }), T0),
  );
  queued?.queue.push(leasedOf());
  if (backlog) backlog.backlog = true;
  if (removed) Object.assign(removed, { backlog: true, removed: true });
  expect(endpointsInUse(state).map(({ endpointId }) => endpointId)).toEqual(['ep_q', 'ep_b']);
  expect(circuitsOf(state, T0)).toEqual({ closed: 3, open: 1, half_open: 0 });
  expect(circuitsOf(state, T0 + 10)).toEqual({ closed: 3, open: 0, half_open: 1 });
});

const slowed = (seconds: number) => ({ slowedUntil: T0 + seconds * 1000 });

test('a lane goes on when its pause ends, and sets no second timer for that', () => {
  const w = world();
  const slow = w.lease('a', 1, slowed(2));
  w.lease('a', 1, slowed(2));
  expect(w.timers()).toHaveLength(1);
  w.pass(1999);
  expect(w.started()).toEqual([]);
  w.pass(1);
  expect(w.started()).toEqual(['a', 'a']);
  expect(slow.resumesAt).toBe(0);
});

test('a pause that has become shorter ends earlier, and the timer of the longer one does nothing', () => {
  const w = world();
  const slow = w.lease('a', 1, slowed(5));
  slow.noteSlowdown(T0 + 3000);
  w.lease('a', 1, slowed(3));
  expect(slow.resumesAt).toBe(T0 + 3000);
  w.pass(3000);
  expect(w.started()).toEqual(['a', 'a']);
  w.pass(2000);
  expect([w.started().length, slow.resumesAt]).toEqual([2, 0]);
});

test('each attempt of a limited lane takes a token, and starts when it is there', () => {
  const w = world();
  const lane = w.lease('a', 2, { rateLimit: 25 });
  expect([w.ofType('take_token'), w.started()]).toEqual([[{ type: 'take_token', lane, perSecond: 25 }], []]);
  w.on({ type: 'token_decided', lane, allowed: true, waitMs: 0 });
  expect([w.ofType('take_token').length, w.started()]).toEqual([2, ['a']]);
  w.on({ type: 'token_decided', lane, allowed: true, waitMs: 0 });
  expect([w.ofType('take_token').length, w.started(), lane.token]).toEqual([2, ['a', 'a'], 'none']);
});

test('a lane without a token waits as long as the limiter says, and then asks again', () => {
  const w = world();
  const lane = w.lease('a', 1, { rateLimit: 1 });
  w.on({ type: 'token_decided', lane, allowed: false, waitMs: 700 });
  expect(lane.token).toBe('awaited');
  w.pass(699);
  expect(w.ofType('take_token')).toHaveLength(1);
  w.pass(1);
  expect(w.ofType('take_token')).toHaveLength(2);
  w.on({ type: 'token_decided', lane, allowed: true, waitMs: 0 });
  expect(w.started()).toEqual(['a']);
});

test('a token that starts nothing is kept for the next attempt', () => {
  const w = world();
  const lane = w.lease('a', 1, { rateLimit: 1 });
  // Its lease runs out while the token is waited for.
  w.pass(50_000);
  w.on({ type: 'token_decided', lane, allowed: true, waitMs: 0 });
  expect([w.started().length, lane.token, w.ofType('release').length]).toEqual([0, 'there', 1]);
  w.lease('a', 1, { rateLimit: 1 });
  expect([w.started(), w.ofType('take_token').length, lane.token]).toEqual([['a'], 1, 'none']);
});

test('what had no room is looked for in the store, at once when its endpoint has nothing else here', () => {
  const w = world();
  w.on({ type: 'leased', leased: [], waiting: new Set(['unknown']) });
  expect(w.ofType('look_at')).toEqual([{ type: 'look_at', at: T0 }]);
  const busy = w.lease('busy', 1);
  w.on({ type: 'leased', leased: [], waiting: new Set(['busy']) });
  expect([busy.backlog, w.ofType('refill')]).toEqual([true, []]);
  w.end(w.running[0] as RunningAttempt);
  expect(w.ofType('refill')).toEqual([{ type: 'refill', endpointId: 'busy' }]);
});

test.each([
  ['failed', 'its lease is given back', { settle: 0, release: 1 }],
  ['succeeded', 'it is recorded: it would be sent twice', { settle: 1, release: 0 }],
] as const)('the deadline of a stop ends an attempt; when it has %s, %s', (status, _what, counts) => {
  const w = world();
  w.lease('a', 1);
  for (const type of ['stopping', 'stopped', 'deadline'] as const) w.on({ type });
  const [attempt] = w.running as [RunningAttempt];
  expect(w.ofType('interrupt')).toEqual([{ type: 'interrupt', interruptions: [attempt.interruption] }]);
  attempt.interruption.interrupt();
  w.end(attempt, status);
  expect({ settle: w.ofType('settle').length, release: w.ofType('release').length }).toEqual(counts);
  expect(w.state.running).toBe(0);
});

test('what was leased before its endpoint changed, and arrives later, goes by the change', () => {
  const w = world();
  const at = (endpointId: string, given: Partial<Endpoint>) => endpointFor('tnt_one', { endpointId, ...given });
  w.on({ type: 'endpoint_removed', endpointId: 'ep_gone' });
  w.on({ type: 'endpoint_changed', endpoint: at('ep_paused', { status: 'paused', updatedAt: T0 + 1 }) });
  w.on({ type: 'endpoint_changed', endpoint: at('ep_moved', { url: 'https://new.example/', updatedAt: T0 + 1 }) });
  // Read before the endpoint was deleted.
  w.on({ type: 'endpoint_changed', endpoint: at('ep_gone', { updatedAt: T0 + 9 }) });
  for (const endpointId of ['ep_gone', 'ep_paused', 'ep_moved']) w.lease(endpointId, 1);
  expect(w.running.map(({ leased }) => leased.endpoint.url)).toEqual(['https://new.example/']);
  expect(w.ofType('release')).toHaveLength(2);
  // A request that is repeated makes an endpoint with the same id.
  w.pass(1);
  w.lease('ep_gone', 1, { createdAt: T0 + 1 });
  w.pass(60_000);
  w.on({ type: 'polled' });
  expect([w.started(), w.state.news.size]).toEqual([['ep_moved', 'ep_gone'], 0]);
});
