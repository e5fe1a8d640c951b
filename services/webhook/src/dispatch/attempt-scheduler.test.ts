import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { endpointFor, leasedOf, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { AttemptScheduler, MAX_KNOWN, MAX_UNRECORDED, type RunningAttempt } from './attempt-scheduler.ts';
import { LANE_QUEUE_LIMIT, type Lane, openLane } from './domain/lane.ts';
import { MAX_RUNNING, SHARED_RUNNING } from './domain/turns.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A scheduler without an executor: attempts end, and tokens are decided, when a test says so. */
function world() {
  const clock = new ManualClock(T0);
  const running: RunningAttempt[] = [];
  const tokens: [perSecond: number, decided: (token: { allowed: boolean; waitMs: number }) => void][] = [];
  const [released, woken, refilled]: [string[], number[], string[]] = [[], [], []];
  const heldBack: boolean[] = [];
  let deliveries = 0;
  const scheduler = new AttemptScheduler({
    clock,
    random: () => 0,
    feed: { wakeAt: (at) => void woken.push(at), fetch: (endpointId) => void refilled.push(endpointId) },
    attempt: (attempt) => void running.push(attempt),
    release: (leased, until) =>
      void released.push(...leased.map(({ delivery }) => `${delivery.deliveryId}${until ? ` +${until - T0}` : ''}`)),
    settle: (_result, isHeldBack) => void heldBack.push(isHeldBack),
    takeToken: (_endpointId, perSecond, decided) => void tokens.push([perSecond, decided]),
  });
  const lease = (endpointId: string, count: number, given: Partial<Endpoint> = {}, asked?: number): Lane => {
    const endpoint = endpointFor('tnt_one', { endpointId, ...given });
    const leased = Array.from({ length: count }, () => {
      deliveries += 1;
      return { ...leasedOf({ deliveryId: `dlv_${deliveries}`, endpointId }), endpoint, leaseUntil: clock.now() + 60_000 };
    });
    scheduler.leased(leased, asked === undefined ? undefined : new Map([[endpointId, asked]]));
    return scheduler.lanes.get(endpointId) as Lane;
  };
  const pass = (ms: number): void => {
    clock.advance(ms);
    jest.advanceTimersByTime(ms);
  };
  const decide = (allowed: boolean, waitMs = 0): void => tokens.at(-1)?.[1]({ allowed, waitMs });
  const end = (attempt: RunningAttempt, status: 'succeeded' | 'failed' = 'succeeded'): void =>
    scheduler.attempted(attempt, resultOf(attempt.leased, status));
  const started = (): string[] => running.map(({ lane }) => lane.endpoint.endpointId);
  return { scheduler, running, tokens, released, heldBack, woken, refilled, lease, pass, decide, end, started };
}

test('lanes take turns, one attempt a turn, unless too many results wait for the store', () => {
  const w = world();
  for (let count = 0; count < MAX_UNRECORDED; count += 1) {
    w.lease('done', 1);
    w.end(w.running.pop() as RunningAttempt);
  }
  w.lease('a', 3);
  const b = w.lease('b', 1);
  expect(w.started()).toEqual([]);
  w.scheduler.recorded([resultOf(leasedOf(), 'succeeded')]);
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
  const { scheduler } = world();
  const room = () => [scheduler.roomOf('ep_1'), scheduler.roomFor('ep_1')];
  expect(room()).toEqual([LANE_QUEUE_LIMIT, LANE_QUEUE_LIMIT]);
  openLane(scheduler.lanes, endpointFor('tnt_one', { endpointId: 'ep_1' }), T0).backlog = true;
  expect(room()).toEqual([LANE_QUEUE_LIMIT, 0]);
  for (let known = 0; known < MAX_KNOWN; known += 1) scheduler.known.add(`dlv_${known}`);
  expect(room()).toEqual([0, 0]);
  scheduler.known.clear();
  scheduler.stopping();
  expect(room()).toEqual([0, 0]);
});

test('endpoints with waiting or stored deliveries are in use unless deleted', () => {
  const { scheduler } = world();
  const [queued, backlog, removed] = ['ep_q', 'ep_b', 'ep_r', 'ep_idle'].map((endpointId) =>
    openLane(scheduler.lanes, endpointFor('tnt_one', { endpointId }), T0),
  );
  queued?.queue.push(leasedOf());
  if (backlog) backlog.backlog = true;
  if (removed) Object.assign(removed, { backlog: true, removed: true });
  expect(scheduler.endpointsInUse().map(({ endpointId }) => endpointId)).toEqual(['ep_q', 'ep_b']);
});

const slowed = (seconds: number) => ({ slowedUntil: T0 + seconds * 1000 });

test('a lane continues after its pause with one timer, and reports the waiting attempt as held back', () => {
  const w = world();
  const slow = w.lease('a', 1, slowed(2));
  w.lease('a', 1, slowed(2));
  expect(jest.getTimerCount()).toBe(1);
  w.pass(1999);
  expect(w.started()).toEqual([]);
  w.pass(1);
  expect(w.started()).toEqual(['a', 'a']);
  expect(slow.resumesAt).toBe(0);
  w.lease('b', 1);
  for (const one of w.running) w.end(one);
  expect(w.heldBack).toEqual([true, true, false]);
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

test('a token that starts nothing is kept for the next attempt', () => {
  const w = world();
  const lane = w.lease('a', 1, { rateLimit: 1 });
  // Its lease runs out while the token is waited for.
  w.pass(50_000);
  w.decide(true);
  expect([w.started().length, lane.token, w.released]).toEqual([0, 'there', ['dlv_1']]);
  w.lease('a', 1, { rateLimit: 1 });
  expect([w.started(), w.tokens.length, lane.token]).toEqual([['a'], 1, 'none']);
});

test('what had no room is looked for in the store, at once when its endpoint has nothing else here', () => {
  const w = world();
  w.scheduler.run([], new Set(['unknown']));
  expect(w.woken).toEqual([T0]);
  const busy = w.lease('busy', 1);
  w.scheduler.run([], new Set(['busy']));
  expect([busy.backlog, w.refilled]).toEqual([true, []]);
  w.end(w.running[0] as RunningAttempt);
  expect(w.refilled).toEqual(['busy']);
});

test('looks through the store when a retry is due, and at once when an endpoint is enabled', () => {
  const w = world();
  w.scheduler.recorded([resultOf(leasedOf(), 'pending', T0 + 90), resultOf(leasedOf(), 'pending', T0 + 50)]);
  w.scheduler.recorded([resultOf(leasedOf(), 'failed')]);
  w.scheduler.endpointChanged(endpointFor('tnt_one', { status: 'paused' }));
  expect(w.woken).toEqual([T0 + 50]);
  w.scheduler.endpointChanged(endpointFor('tnt_one'));
  expect(w.woken).toEqual([T0 + 50, T0]);
});

test('the store may hold more when it gave as much as was asked for', () => {
  const w = world();
  expect([w.lease('a', 2, {}, 2).backlog, w.lease('b', 2, {}, 3).backlog, w.lease('c', 2).backlog]).toEqual([true, false, false]);
});

test('what was leased before its endpoint changed, and arrives later, goes by the change', () => {
  const w = world();
  const at = (endpointId: string, given: Partial<Endpoint>) => endpointFor('tnt_one', { endpointId, ...given });
  w.scheduler.endpointRemoved('ep_gone');
  w.scheduler.endpointChanged(at('ep_paused', { status: 'paused', updatedAt: T0 + 1 }));
  w.scheduler.endpointChanged(at('ep_moved', { url: 'https://new.example/', updatedAt: T0 + 1 }));
  // Read before the endpoint was deleted.
  w.scheduler.endpointChanged(at('ep_gone', { updatedAt: T0 + 9 }));
  for (const endpointId of ['ep_gone', 'ep_paused', 'ep_moved']) w.lease(endpointId, 1);
  expect(w.running.map(({ leased }) => leased.endpoint.url)).toEqual(['https://new.example/']);
  expect(w.released).toHaveLength(2);
  // A request that is repeated makes an endpoint with the same id.
  w.pass(1);
  w.lease('ep_gone', 1, { createdAt: T0 + 1 });
  w.pass(60_000);
  w.scheduler.polled();
  expect([w.started(), w.scheduler.news.size]).toEqual([['ep_moved', 'ep_gone'], 0]);
});
