import { describe, expect, test } from '@jest/globals';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import type { AttemptResult } from '../../queue/domain/attempt.ts';
import { endpointFor, T0 } from '../../testing/webhook-fixtures.ts';
import { Interruption } from './interruption.ts';
import { forgetLane, forgetUnused, LANE_QUEUE_LIMIT, Lane, type Lanes, limitAfter, openLane } from './lane.ts';

/** The time of the tests of a lane. */
const NOW = Date.parse('2026-11-21T08:00:00Z');

/** An hour, in milliseconds. */
const HOUR_MS = 3_600_000;

/** The endpoint of a lane. */
const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1', url: 'https://one.example/' });

/** A lane whose endpoint has just failed once. */
function failedLane(): Lane {
  const lane = new Lane(endpoint, NOW - HOUR_MS);
  const attempt = { url: endpoint.url, outcome: 'failed', statusCode: null, errorCode: 'timeout', retryAfter: null };
  lane.learn({ attempt, leased: { delivery: { test: false, eventType: 'parcel.weighed' } } } as unknown as AttemptResult, NOW, 0.5);
  return lane;
}

/** What came of an attempt at the endpoint: by default a 500. */
function resultOf(given: Partial<AttemptResult['attempt']> = {}, delivery = { test: false, eventType: 'parcel.weighed' }): AttemptResult {
  const attempt = { url: endpoint.url, outcome: 'failed', statusCode: 500, errorCode: 'status', retryAfter: null, ...given };
  return { attempt, leased: { delivery } } as unknown as AttemptResult;
}

/** A delivery that was received. */
const succeeded = resultOf({ outcome: 'succeeded', statusCode: 200, errorCode: null });

/** A 429, with the header Retry-After. */
const tooMuch = (retryAfter: string | null): AttemptResult => resultOf({ statusCode: 429, retryAfter });

/** A lane with deliveries that wait. */
function laneWith(waiting: number, given: Partial<typeof endpoint> = {}): Lane {
  const lane = new Lane({ ...endpoint, ...given }, NOW);
  lane.queue.push(...Array.from({ length: waiting }, () => leased(NOW + HOUR_MS)));
  return lane;
}

/** Starts attempts for as long as the lane allows. @returns how many */
function startAll(lane: Lane, now = NOW): number {
  lane.running.clear();
  while (lane.canStart(now)) lane.running.add(new Interruption());
  const { size } = lane.running;
  lane.running.clear();
  return size;
}

/** A leased delivery, named by its lease. */
const leased = (leaseUntil: number): LeasedDelivery => ({ leaseUntil }) as unknown as LeasedDelivery;

describe('the queue of a lane', () => {
  test('gives back what has no place from its end: what was due first stays in front', () => {
    const lane = new Lane(endpoint, NOW);
    const all = Array.from({ length: LANE_QUEUE_LIMIT + 3 }, (_, index) => leased(NOW + index));
    lane.queue.push(...all);
    expect(lane.takeSurplus(NOW)).toEqual(all.slice(LANE_QUEUE_LIMIT));
    expect(lane.queue).toEqual(all.slice(0, LANE_QUEUE_LIMIT));
    expect(lane.takeSurplus(NOW)).toEqual([]);
  });

  test('gives back from its front what is not leased for long enough', () => {
    const lane = new Lane(endpoint, NOW);
    const all = [NOW + 1, NOW + 2, NOW + 3, NOW + 4].map(leased);
    lane.queue.push(...all);
    expect(lane.takeStale(NOW + 1)).toEqual([]);
    expect(lane.takeStale(NOW + 3)).toEqual(all.slice(0, 2));
    expect(lane.queue).toEqual(all.slice(2));
    expect(lane.takeStale(NOW + 5)).toEqual(all.slice(2));
  });
});

describe('a lane is idle', () => {
  test('when nothing waits, runs or is in the store, and nothing bad was learnt', () => {
    const lane = laneWith(0);
    expect([lane.isEmpty, lane.isIdle, lane.mayBeForgotten(NOW)]).toEqual([true, true, true]);
    lane.backlog = true;
    expect([lane.isEmpty, lane.isIdle, lane.mayBeForgotten(NOW)]).toEqual([true, false, false]);
    expect([laneWith(1).isEmpty, laneWith(1).isIdle]).toEqual([false, false]);
    const running = laneWith(0);
    running.running.add(new Interruption());
    expect([running.isEmpty, running.isIdle]).toEqual([false, false]);
    const failed = laneWith(0);
    failed.learn(resultOf(), NOW, 0);
    expect(failed.isIdle).toBe(false);
    const slowed = laneWith(0);
    for (let success = 0; success < 20; success += 1) slowed.learn(succeeded, NOW, 0);
    expect(slowed.isIdle).toBe(true);
    slowed.learn(tooMuch(null), NOW, 0);
    expect(slowed.isIdle).toBe(false);
  });

  test('is forgotten at once when its endpoint is not enabled', () => {
    const lane = failedLane();
    expect(lane.mayBeForgotten(NOW)).toBe(false);
    lane.change({ ...endpoint, status: 'disabled' });
    expect(lane.mayBeForgotten(NOW)).toBe(true);
  });
});

describe('the attempts of a lane', () => {
  test('run side by side up to its limit, which follows how the endpoint responds', () => {
    const lane = laneWith(100);
    expect(startAll(lane)).toBe(8);
    lane.learn(succeeded, NOW, 0);
    expect(startAll(lane)).toBe(9);
    lane.learn(resultOf(), NOW, 0);
    expect(startAll(lane)).toBe(4);
    lane.learn(resultOf({ errorCode: 'timeout', statusCode: null }), NOW, 0);
    expect(startAll(lane)).toBe(1);
  });

  test('do not start when nothing waits, or the rate limit is asked', () => {
    expect(startAll(laneWith(0))).toBe(0);
    const lane = laneWith(1);
    lane.token = 'awaited';
    expect(lane.canStart(NOW)).toBe(false);
    lane.token = 'there';
    expect(lane.canStart(NOW)).toBe(true);
  });

  test('are single probes once a circuit has been open, and none while it is', () => {
    const lane = laneWith(2, { circuit: { openUntil: NOW, cooldownMs: 1000 } });
    expect(startAll(lane, NOW - 1)).toBe(0);
    expect(startAll(lane, NOW)).toBe(1);
  });
});

describe('the circuit of a lane', () => {
  test('opens with the twentieth failure in a row, and a success in between starts again', () => {
    const lane = laneWith(1);
    const fail = (times: number) => Array.from({ length: times }, () => lane.learn(resultOf(), NOW, 0)).at(-1);
    expect(fail(19)).toBeUndefined();
    lane.learn(succeeded, NOW, 0);
    expect(fail(19)).toBeUndefined();
    const circuit = { openUntil: NOW + 1000, cooldownMs: 1000 };
    expect(fail(1)).toEqual({ circuit });
    expect(lane.endpoint.circuit).toEqual(circuit);
    // One that began before the circuit opened says nothing new.
    expect(fail(1)).toBeUndefined();
    lane.learn(succeeded, NOW, 0);
    expect(lane.endpoint.circuit).toBeNull();
  });

  test('takes no notice of tests', () => {
    const lane = laneWith(1);
    for (let failure = 0; failure < 30; failure += 1) lane.learn(resultOf({}, { test: true, eventType: 'parcel.weighed' }), NOW, 0);
    expect(lane.endpoint.circuit).toBeNull();
  });
});

describe('what was learnt of an endpoint', () => {
  test('is kept for an hour in which nothing is sent, and then costs no memory any more', () => {
    const lane = failedLane();
    expect(lane.mayBeForgotten(NOW + HOUR_MS)).toBe(false);
    expect(lane.mayBeForgotten(NOW + HOUR_MS + 1)).toBe(true);
    lane.running.add(new Interruption());
    expect(lane.mayBeForgotten(NOW + 2 * HOUR_MS)).toBe(false);
  });

  test('goes with the endpoint', () => {
    const lane = failedLane();
    lane.removed = true;
    expect(lane.mayBeForgotten(NOW)).toBe(true);
    expect(lane.room(NOW)).toBe(0);
  });
});

describe('a change of the endpoint', () => {
  const slow = (): Lane => {
    const lane = laneWith(1);
    for (let failure = 0; failure < 19; failure += 1) lane.learn(resultOf(), NOW, 0);
    lane.learn(resultOf({ statusCode: 429, url: endpoint.url }, { test: true, eventType: 'parcel.weighed' }), NOW, 0);
    return lane;
  };
  const paused = (lane: Lane): boolean => lane.pausedUntil(NOW) > NOW;

  test('of its URL, or its end of a pause, forgets what was learnt', () => {
    const moved = slow();
    expect(paused(moved)).toBe(true);
    moved.change({ ...endpoint, url: 'https://two.example/' });
    expect(paused(moved)).toBe(false);
    const enabled = slow();
    enabled.change({ ...endpoint, status: 'paused' });
    expect(paused(enabled)).toBe(true);
    enabled.change(endpoint);
    expect(paused(enabled)).toBe(false);
    expect(enabled.learn(resultOf(), NOW, 0)).toBeUndefined();
  });

  test('from paused to disabled keeps it', () => {
    const lane = slow();
    lane.change({ ...endpoint, status: 'paused' });
    lane.change({ ...endpoint, status: 'disabled' });
    expect(paused(lane)).toBe(true);
  });

  test('of anything else keeps it', () => {
    const lane = slow();
    lane.change({ ...endpoint, description: 'x' });
    expect(lane.endpoint.description).toBe('x');
    expect(paused(lane)).toBe(true);
    expect(lane.learn(resultOf(), NOW, 0)).toMatchObject({ circuit: { cooldownMs: 1000 } });
  });

  test('makes an attempt at the former receiver say nothing', () => {
    const lane = laneWith(100);
    expect(lane.learn(resultOf({ url: 'https://former.example/', errorCode: 'timeout' }), NOW, 0)).toBeUndefined();
    expect(startAll(lane)).toBe(8);
  });
});

test.each([
  [8, 'succeeded', 9],
  [31, 'succeeded', 32],
  [32, 'succeeded', 32],
  [9, 'failed', 4],
  [2, 'failed', 1],
  [1, 'failed', 1],
  [32, 'hung', 1],
] as const)('a limit of %i is, after an attempt that has %s, %i', (limit, outcome, next) => expect(limitAfter(limit, outcome)).toBe(next));

describe('a pause of a lane', () => {
  test('is what the receiver asks for, and what comes until its end is held back', () => {
    const lane = laneWith(1);
    expect(lane.hasHeldBack(NOW)).toBe(false);
    expect(lane.learn(tooMuch('5'), NOW, 0)).toEqual({ slowedUntil: NOW + 5000 });
    expect(lane.endpoint.slowedUntil).toBe(NOW + 5000);
    expect(lane.pausedUntil(NOW)).toBe(NOW + 5000);
    expect(lane.canStart(NOW + 4999)).toBe(false);
    expect(lane.hasHeldBack(NOW + 4999)).toBe(true);
    expect(lane.hasHeldBack(NOW + 5000)).toBe(false);
    expect(lane.canStart(NOW + 5000)).toBe(true);
    expect(lane.hasHeldBack(NOW + 5000)).toBe(false);
  });

  test('of another process counts, and what is read of it later replaces it', () => {
    const lane = laneWith(1, { slowedUntil: NOW + 3000 });
    expect(lane.pausedUntil(NOW)).toBe(NOW + 3000);
    lane.noteSlowdown(NOW + 1000);
    expect(lane.pausedUntil(NOW)).toBe(NOW + 1000);
    const { endpoint: before } = lane;
    lane.noteSlowdown(NOW + 1000);
    expect(lane.endpoint).toBe(before);
    lane.noteSlowdown(null);
    expect(lane.canStart(NOW)).toBe(true);
  });

  test('is not stored when it is short', () => {
    const lane = laneWith(1);
    expect(lane.learn(tooMuch(null), NOW, 0)).toBeUndefined();
    expect(lane.endpoint.slowedUntil).toBeNull();
    expect(lane.pausedUntil(NOW)).toBe(NOW + 250);
  });

  test('that lasts ten seconds keeps the queue; a longer one keeps nothing in memory', () => {
    const lane = laneWith(1);
    lane.learn(tooMuch('10'), NOW, 0);
    expect(lane.room(NOW)).toBeGreaterThan(0);
    const longer = laneWith(1);
    longer.learn(tooMuch('11'), NOW, 0);
    expect(longer.room(NOW)).toBe(0);
    expect(longer.takeSurplus(NOW)).toHaveLength(1);
    expect(longer.hasHeldBack(NOW)).toBe(true);
  });

  test('ends with a success, here and for others', () => {
    const lane = laneWith(1, { slowedUntil: NOW + 5000 });
    lane.learn(tooMuch('5'), NOW, 0);
    expect(lane.learn(succeeded, NOW, 0)).toBeUndefined();
    expect(lane.endpoint.slowedUntil).toBeNull();
    expect(lane.canStart(NOW)).toBe(true);
    // The next pause is as short as the first.
    lane.learn(tooMuch(null), NOW, 0);
    expect(lane.pausedUntil(NOW)).toBe(NOW + 250);
  });
});

describe('the room of a lane', () => {
  test('is what its queue has free, and never less than nothing', () => {
    expect(laneWith(0).room(NOW)).toBe(LANE_QUEUE_LIMIT);
    expect(laneWith(4).room(NOW)).toBe(LANE_QUEUE_LIMIT - 4);
    expect(laneWith(LANE_QUEUE_LIMIT + 2).room(NOW)).toBe(0);
  });

  test('is what a rate limit sends within ten seconds', () => {
    expect(laneWith(0, { rateLimit: 3 }).room(NOW)).toBe(30);
    expect(laneWith(0, { rateLimit: 7 }).room(NOW)).toBe(LANE_QUEUE_LIMIT);
  });

  test('is twice the limit behind an endpoint that fails, and one while a circuit is probed', () => {
    const lane = laneWith(0);
    lane.learn(resultOf(), NOW, 0);
    expect(lane.room(NOW)).toBe(8);
    const limited = laneWith(0, { rateLimit: 0.5 });
    limited.learn(resultOf(), NOW, 0);
    expect(limited.room(NOW)).toBe(5);
    expect(laneWith(0, { circuit: { openUntil: NOW, cooldownMs: 1000 } }).room(NOW)).toBe(1);
    expect(laneWith(0, { status: 'paused' }).room(NOW)).toBe(0);
  });

  test('is asked for when half of the limit or less waits, and the store holds more', () => {
    const lane = laneWith(4);
    expect(lane.needsRefill).toBe(false);
    lane.backlog = true;
    expect(lane.needsRefill).toBe(true);
    lane.queue.push(leased(NOW));
    expect(lane.needsRefill).toBe(false);
  });
});

describe('the lanes of a dispatcher', () => {
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
});
