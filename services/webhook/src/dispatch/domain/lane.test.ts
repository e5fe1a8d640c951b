import { describe, expect, test } from '@jest/globals';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import type { AttemptResult } from '../../queue/domain/attempt.ts';
import { endpointFor, leasedOf } from '../../testing/webhook-fixtures.ts';
import { endpointStates, Interruption, LANE_QUEUE_LIMIT, Lane, type Lanes, limitAfter, openLane } from './lane.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOUR_MS = 3_600_000;
const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1', url: 'https://one.example/', createdAt: NOW, updatedAt: NOW });

/** The result of an attempt at the endpoint; by default a 500. */
function resultOf(given: Partial<AttemptResult['attempt']> = {}, isTest = false): AttemptResult {
  const attempt = { url: endpoint.url, outcome: 'failed', statusCode: 500, errorCode: 'status', retryAfter: null, ...given };
  return { attempt, leased: leasedOf({ test: isTest }) } as unknown as AttemptResult;
}
const succeeded = resultOf({ outcome: 'succeeded', statusCode: 200, errorCode: null });
const hung = resultOf({ errorCode: 'timeout', statusCode: null });
const tooMuch = (retryAfter: string | null): AttemptResult => resultOf({ statusCode: 429, retryAfter });

/** A leased delivery, named by its lease. */
const leased = (leaseUntil: number): LeasedDelivery => ({ ...leasedOf(), leaseUntil });

/** A lane with deliveries that wait. */
function laneWith(waiting: number, given: Partial<typeof endpoint> = {}): Lane {
  const lane = new Lane({ ...endpoint, ...given }, NOW);
  lane.queue.push(...Array.from({ length: waiting }, () => leased(NOW + HOUR_MS)));
  return lane;
}

function laneAfter(waiting: number, ...results: readonly AttemptResult[]): Lane {
  const lane = laneWith(waiting);
  for (const result of results) lane.learn(result, NOW, 0);
  return lane;
}

/** Starts attempts for as long as the lane allows. @returns how many */
function startAll(lane: Lane, now = NOW): number {
  while (lane.canStart(now)) lane.running.add(new Interruption());
  const { size } = lane.running;
  lane.running.clear();
  return size;
}

describe('the queue of a lane', () => {
  test('gives back what has no place from its end: what was due first stays in front', () => {
    const lane = laneWith(0);
    const all = Array.from({ length: LANE_QUEUE_LIMIT + 3 }, (_, index) => leased(NOW + index));
    lane.queue.push(...all);
    expect(lane.takeSurplus(NOW)).toEqual(all.slice(LANE_QUEUE_LIMIT));
    expect(lane.queue).toEqual(all.slice(0, LANE_QUEUE_LIMIT));
    expect(lane.takeSurplus(NOW)).toEqual([]);
  });

  test('gives back from its front what is not leased for long enough', () => {
    const lane = laneWith(0);
    const all = [NOW + 1, NOW + 2, NOW + 3, NOW + 4].map(leased);
    lane.queue.push(...all);
    expect(lane.takeStale(NOW + 1)).toEqual([]);
    expect(lane.takeStale(NOW + 3)).toEqual(all.slice(0, 2));
    expect(lane.takeStale(NOW + 5)).toEqual(all.slice(2));
  });
});

describe('a lane', () => {
  test('is idle when nothing waits, runs or is in the store, and nothing bad was learnt', () => {
    const of = ({ isEmpty, isIdle }: Lane) => [isEmpty, isIdle];
    expect(of(laneWith(0))).toEqual([true, true]);
    expect(of(Object.assign(laneWith(0), { backlog: true }))).toEqual([true, false]);
    expect(of(laneWith(1))).toEqual([false, false]);
    const running = laneWith(0);
    running.running.add(new Interruption());
    expect(of(running)).toEqual([false, false]);
    expect(of(laneAfter(0, resultOf()))).toEqual([true, false]);
    const quick = Array.from({ length: 20 }, () => succeeded);
    expect(of(laneAfter(0, ...quick))).toEqual([true, true]);
    expect(of(laneAfter(0, ...quick, tooMuch(null)))).toEqual([true, false]);
  });

  test('of a failing endpoint is forgotten after an hour without attempts, or with its endpoint', () => {
    const lane = laneAfter(0, hung);
    expect([lane.mayBeForgotten(NOW + HOUR_MS), lane.mayBeForgotten(NOW + HOUR_MS + 1)]).toEqual([false, true]);
    lane.running.add(new Interruption());
    expect(lane.mayBeForgotten(NOW + 2 * HOUR_MS)).toBe(false);
    const disabled = laneAfter(0, hung);
    disabled.change({ ...endpoint, status: 'disabled' });
    expect(disabled.mayBeForgotten(NOW)).toBe(true);
    const removed = Object.assign(laneAfter(0, hung), { removed: true });
    expect([removed.mayBeForgotten(NOW), removed.room(NOW)]).toEqual([true, 0]);
  });
});

describe('the attempts of a lane', () => {
  test.each([
    [8, 'succeeded', 9],
    [31, 'succeeded', 32],
    [32, 'succeeded', 32],
    [9, 'failed', 4],
    [1, 'failed', 1],
    [32, 'hung', 1],
  ] as const)('a limit of %i, after an attempt that %s, becomes %i', (limit, outcome, next) =>
    expect(limitAfter(limit, outcome)).toBe(next),
  );
});

describe('a lane whose endpoint keeps failing', () => {
  const fail = (lane: Lane, times: number, now = NOW) => Array.from({ length: times }, () => lane.learn(resultOf(), now, 1)).at(-1);

  test('is paused with the twentieth failure in a row and each further one, and a success in between starts again', () => {
    const lane = laneWith(1);
    expect(fail(lane, 19)).toBeUndefined();
    lane.learn(succeeded, NOW, 0);
    expect(fail(lane, 19)).toBeUndefined();
    expect(fail(lane, 1)).toBe(NOW + 1000);
    expect([lane.endpoint.slowedUntil, lane.canStart(NOW + 999), lane.canStart(NOW + 1000)]).toEqual([NOW + 1000, false, true]);
    // One that began before the pause says nothing new.
    expect(fail(lane, 1)).toBeUndefined();
    expect(fail(lane, 1, NOW + 1000)).toBe(NOW + 3000);
    expect(endpointStates(new Map([['ep_1', lane]]))).toEqual({ well: 0, failing: 1 });
    lane.learn(succeeded, NOW, 0);
    expect(lane.endpoint.slowedUntil).toBeNull();
    expect(endpointStates(new Map([['ep_1', lane]]))).toEqual({ well: 1, failing: 0 });
  });

  test('takes no notice of tests', () => {
    expect(laneAfter(1, ...Array.from({ length: 30 }, () => resultOf({}, true))).endpoint.slowedUntil).toBeNull();
  });
});

describe('a change of the endpoint', () => {
  test.each<[string, readonly Partial<typeof endpoint>[], boolean]>([
    ['its URL', [{ url: 'https://two.example/' }], false],
    ['a pause, as long as that lasts', [{ status: 'paused' }], true],
    ['a pause that ends', [{ status: 'paused' }, {}], false],
    ['a pause that becomes a disabling', [{ status: 'paused' }, { status: 'disabled' }], true],
    ['anything else', [{ description: 'x' }], true],
  ])('of %s keeps or forgets what was learnt', (_what, changes, isKept) => {
    const lane = laneAfter(1, ...Array.from({ length: 19 }, () => resultOf()), resultOf({ statusCode: 429 }, true));
    for (const given of changes) lane.change({ ...endpoint, ...given });
    expect(lane.endpoint).toMatchObject(changes.at(-1) ?? {});
    expect(lane.pausedUntil(NOW) > NOW).toBe(isKept);
    const { url } = lane.endpoint;
    expect(lane.learn(resultOf({ url }), NOW + 60_000, 1)).toBe(isKept ? NOW + 61_000 : undefined);
  });

  test('makes an attempt at the former receiver say nothing', () => {
    expect(startAll(laneAfter(100, resultOf({ url: 'https://former.example/', errorCode: 'timeout' })))).toBe(8);
  });
});

describe('a pause of a lane', () => {
  test('is what the receiver asks for, and what comes until its end is held back', () => {
    const lane = laneWith(1);
    expect(lane.hasHeldBack(NOW)).toBe(false);
    expect(lane.learn(tooMuch('5'), NOW, 0)).toBe(NOW + 5000);
    expect([lane.endpoint.slowedUntil, lane.pausedUntil(NOW)]).toEqual([NOW + 5000, NOW + 5000]);
    expect(lane.canStart(NOW + 4999)).toBe(false);
    expect([lane.hasHeldBack(NOW + 4999), lane.hasHeldBack(NOW + 5000)]).toEqual([true, false]);
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

  test('that is short is not stored; one of more than ten seconds keeps nothing in memory', () => {
    const short = laneWith(1);
    expect(short.learn(tooMuch(null), NOW, 0)).toBeUndefined();
    expect([short.endpoint.slowedUntil, short.pausedUntil(NOW)]).toEqual([null, NOW + 250]);
    expect(laneAfter(1, tooMuch('10')).room(NOW)).toBeGreaterThan(0);
    const longer = laneAfter(1, tooMuch('11'));
    expect(longer.room(NOW)).toBe(0);
    expect(longer.takeSurplus(NOW)).toHaveLength(1);
    expect(longer.hasHeldBack(NOW)).toBe(true);
  });

  test('ends with a success, here and for others', () => {
    const lane = laneAfter(1, tooMuch('5'));
    expect(lane.learn(succeeded, NOW, 0)).toBeUndefined();
    expect(lane.endpoint.slowedUntil).toBeNull();
    expect(lane.canStart(NOW)).toBe(true);
    // The next pause is as short as the first.
    lane.learn(tooMuch(null), NOW, 0);
    expect(lane.pausedUntil(NOW)).toBe(NOW + 250);
  });
});

describe('the room of a lane', () => {
  test.each<[string, number, Partial<typeof endpoint>, readonly AttemptResult[], number]>([
    ['what its queue has free', 4, {}, [], LANE_QUEUE_LIMIT - 4],
    ['never less than nothing', LANE_QUEUE_LIMIT + 2, {}, [], 0],
    ['what a rate limit sends within ten seconds', 0, { rateLimit: 3 }, [], 30],
    ['the queue limit, with a high rate limit', 0, { rateLimit: 7 }, [], LANE_QUEUE_LIMIT],
    ['twice the limit of attempts after a failure', 0, {}, [resultOf()], 8],
    ['the smaller of the two', 0, { rateLimit: 0.5 }, [resultOf()], 5],
    ['none while it is paused', 0, { status: 'paused' }, [], 0],
  ])('is %s', (_what, waiting, given, results, room) => {
    const lane = laneWith(waiting, given);
    for (const result of results) lane.learn(result, NOW, 0);
    expect(lane.room(NOW)).toBe(room);
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
  test('take a newer state of the endpoint, and no older one', () => {
    const lanes: Lanes = new Map();
    const newer = { ...endpoint, updatedAt: NOW + 1, description: 'newer' };
    const lane = openLane(lanes, endpoint, NOW);
    for (const one of [newer, endpoint]) openLane(lanes, one, NOW);
    expect(lane.endpoint).toBe(newer);
  });

  test('take the slow-down of the same state, as long as nothing waits or runs', () => {
    const lanes: Lanes = new Map();
    const lane = openLane(lanes, endpoint, NOW);
    openLane(lanes, { ...endpoint, slowedUntil: NOW + 1, description: 'other' }, NOW);
    expect(lane.endpoint).toEqual({ ...endpoint, slowedUntil: NOW + 1 });
    lane.queue.push(leasedOf());
    openLane(lanes, endpoint, NOW);
    lane.queue.pop();
    openLane(lanes, { ...endpoint, updatedAt: NOW - 1 }, NOW);
    expect(lane.endpoint.slowedUntil).toBe(NOW + 1);
  });
});
