import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { RateDecision, RateLimit } from '@parcelway/cache/rate-limiter';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import { Lane } from './dispatch-lane.ts';
import { Interruption } from './domain/interruption.ts';
import { LaneTurns } from './lane-turns.ts';

const allowed: RateDecision = { allowed: true, limit: 1, remaining: 0, resetSeconds: 1, waitMs: 0, retryAfterSeconds: 0 };
const refusedFor = (waitMs: number): RateDecision => ({ ...allowed, allowed: false, waitMs });

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Turns with as many places as a test wants; attempts never end. */
function world() {
  const clock = new ManualClock(T0);
  const started: string[] = [];
  const asked: [string, RateLimit][] = [];
  const warnings: LogFields[] = [];
  const state = {
    full: false,
    waits: new Set<string>(),
    startsNothing: false,
    decide: (): RateDecision | Promise<RateDecision> => allowed,
  };
  const turns = new LaneTurns({
    rateLimiter: {
      take(bucket, limit) {
        asked.push([bucket, limit]);
        return state.decide();
      },
    },
    clock,
    logger: { ...silentLogger, warn: (fields) => void warnings.push(fields) },
    isFull: () => state.full,
    mustWait: ({ endpoint }) => state.waits.has(endpoint.endpointId),
    start(lane) {
      if (state.startsNothing) {
        lane.queue.length = 0;
        return false;
      }
      lane.queue.shift();
      lane.running.add(new Interruption());
      started.push(lane.endpoint.endpointId);
      return true;
    },
  });
  const lane = (endpointId: string, waiting: number, given: Partial<Endpoint> = {}): Lane => {
    const made = new Lane(endpointFor('tnt_one', { endpointId, ...given }), T0);
    made.queue.push(...Array.from({ length: waiting }, () => ({}) as LeasedDelivery));
    return made;
  };
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await jest.advanceTimersByTimeAsync(ms);
  };
  return { turns, started, asked, warnings, state, lane, pass };
}

/** Lets a receiver ask for less. */
function slowDown(lane: Lane, seconds: number): void {
  const attempt = { url: lane.endpoint.url, outcome: 'failed', statusCode: 429, errorCode: 'status', retryAfter: String(seconds) };
  lane.learn({ attempt, leased: { delivery: { test: true } } } as unknown as AttemptResult, T0, 0);
}

test('lanes take turns, one attempt a turn', () => {
  const { turns, started, lane } = world();
  turns.join(lane('a', 3));
  const b = lane('b', 1);
  turns.join(b);
  turns.join(b);
  turns.run();
  expect(started).toEqual(['a', 'b', 'a', 'a']);
  expect(b.inLine).toBe(false);
});

test('nothing starts while all places are taken, and the line stays as it is', () => {
  const { turns, started, lane, state } = world();
  turns.join(lane('a', 1));
  state.full = true;
  turns.run();
  expect(started).toEqual([]);
  state.full = false;
  turns.run();
  expect(started).toEqual(['a']);
});

test('a lane that has to leave free places to others is passed, and keeps its place', () => {
  const { turns, started, lane, state } = world();
  state.waits.add('a');
  turns.join(lane('a', 1));
  turns.join(lane('b', 1));
  turns.run();
  expect(started).toEqual(['b']);
  state.waits.clear();
  turns.join(lane('c', 1));
  turns.run();
  expect(started).toEqual(['b', 'a', 'c']);
});

test('after a stop nothing starts any more', () => {
  const { turns, started, lane } = world();
  turns.join(lane('a', 1));
  turns.stop();
  turns.join(lane('b', 1));
  turns.run();
  expect(started).toEqual([]);
});

test('a lane goes on when its pause ends, and sets no second timer for that', async () => {
  const { turns, started, lane, pass } = world();
  const slow = lane('a', 1);
  slowDown(slow, 2);
  turns.join(slow);
  turns.join(slow);
  expect(jest.getTimerCount()).toBe(1);
  await pass(1999);
  expect(started).toEqual([]);
  await pass(1);
  expect(started).toEqual(['a']);
  expect(slow.resumesAt).toBe(0);
});

test('a pause without anything that waits sets no timer', () => {
  const { turns, lane } = world();
  const slow = lane('a', 0);
  slowDown(slow, 2);
  turns.join(slow);
  expect([jest.getTimerCount(), slow.resumesAt]).toEqual([0, 0]);
  const busy = lane('b', 1);
  busy.token = 'awaited';
  turns.join(busy);
  expect([jest.getTimerCount(), busy.resumesAt]).toEqual([0, 0]);
});

test('a pause that has become shorter ends earlier, and the timer of the longer one does nothing', async () => {
  const { turns, started, lane, pass } = world();
  const slow = lane('a', 2, { slowedUntil: T0 + 5000 });
  turns.join(slow);
  slow.noteSlowdown(T0 + 3000);
  turns.join(slow);
  expect(slow.resumesAt).toBe(T0 + 3000);
  await pass(3000);
  expect(started).toEqual(['a', 'a']);
  await pass(2000);
  expect([started.length, slow.resumesAt]).toEqual([2, 0]);
});

test('the timer of a pause leaves that of a shorter one alone', async () => {
  const { turns, started, lane, pass } = world();
  const slow = lane('a', 1, { slowedUntil: T0 + 5000 });
  turns.join(slow);
  await pass(4000);
  slow.noteSlowdown(T0 + 4500);
  turns.join(slow);
  slow.noteSlowdown(T0 + 9000);
  await pass(500);
  // The shorter one is over, and a further one has begun: it waits for that.
  expect([started.length, slow.resumesAt]).toEqual([0, T0 + 9000]);
  await pass(500);
  expect([started.length, slow.resumesAt, jest.getTimerCount()]).toEqual([0, T0 + 9000, 1]);
  await pass(4000);
  expect(started).toEqual(['a']);
});

test('without a rate limit nobody is asked', () => {
  const { turns, asked, lane } = world();
  turns.join(lane('a', 1));
  turns.run();
  expect(asked).toEqual([]);
});

test('each attempt takes a token of its endpoint, in bursts of a tenth', () => {
  const { turns, started, asked, lane } = world();
  turns.join(lane('a', 2, { rateLimit: 25 }));
  turns.run();
  expect(started).toEqual(['a', 'a']);
  const limit = { perSecond: 25, burst: 3 };
  expect(asked).toEqual([
    ['webhook a', limit],
    ['webhook a', limit],
  ]);
});

test('a lane without a token waits as long as the limiter says, and then asks again', async () => {
  const { turns, started, asked, lane, pass, state } = world();
  const limited = lane('a', 1, { rateLimit: 1 });
  state.decide = () => refusedFor(700);
  turns.join(limited);
  turns.run();
  expect(limited.token).toBe('awaited');
  state.decide = () => allowed;
  await pass(699);
  expect(asked).toHaveLength(1);
  await pass(1);
  expect(started).toEqual(['a']);
  expect([asked.length, limited.token]).toEqual([2, 'none']);
});

test('a limiter that is asked over the network is asked once an attempt, and its yes starts it', async () => {
  const { turns, started, asked, lane, pass, state } = world();
  state.decide = async () => allowed;
  const limited = lane('a', 1, { rateLimit: 1 });
  turns.join(limited);
  turns.run();
  expect([limited.token, started.length]).toEqual(['awaited', 0]);
  await pass(0);
  expect(started).toEqual(['a']);
  expect([asked.length, limited.token]).toEqual([1, 'none']);
});

test('its no is waited for as well', async () => {
  const { turns, started, lane, pass, state } = world();
  state.decide = async () => refusedFor(300);
  turns.join(lane('a', 1, { rateLimit: 1 }));
  turns.run();
  await pass(299);
  state.decide = async () => allowed;
  expect(started).toEqual([]);
  await pass(1);
  await pass(0);
  expect(started).toEqual(['a']);
});

test('a limiter that fails is asked again a second later, and the failure is logged', async () => {
  const { turns, started, warnings, lane, pass, state } = world();
  const err = new Error('out');
  state.decide = () => Promise.reject(err);
  const limited = lane('a', 1, { rateLimit: 1 });
  turns.join(limited);
  turns.run();
  await pass(0);
  expect(warnings).toEqual([{ err, endpoint_id: 'a' }]);
  state.decide = () => allowed;
  await pass(999);
  expect([started.length, limited.token]).toEqual([0, 'awaited']);
  await pass(1);
  expect(started).toEqual(['a']);
});

test('a token that starts nothing is kept for the next attempt', () => {
  const { turns, started, asked, lane, state } = world();
  state.startsNothing = true;
  const limited = lane('a', 1, { rateLimit: 1 });
  turns.join(limited);
  turns.run();
  expect([started.length, limited.token]).toEqual([0, 'there']);
  state.startsNothing = false;
  limited.queue.push({} as LeasedDelivery);
  turns.join(limited);
  turns.run();
  expect(started).toEqual(['a']);
  expect([asked.length, limited.token]).toEqual([1, 'none']);
});
