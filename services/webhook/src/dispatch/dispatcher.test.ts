import { describe, expect, jest, test } from '@jest/globals';
import type { RateDecision, RateLimit } from '@parcelway/cache/rate-limiter';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { bad, endpoint, fleet, other, POLL_MS, some, useFakeTimers, world } from '../testing/scripted-dispatcher.ts';
import { endpointFor, T0 } from '../testing/webhook-fixtures.ts';
import { LANE_QUEUE_LIMIT } from './domain/lane.ts';

/* What the dispatcher keeps in memory, and what it asks of the store. */

useFakeTimers();

describe('attempts side by side', () => {
  test('are 512, however many endpoints there are', async () => {
    const w = world();
    w.dispatcher.run(fleet(520).flatMap((one) => some(1, one)));
    await w.turns();
    expect(w.sent).toHaveLength(512);
    w.sent[0]?.response();
    await w.turns();
    expect(w.sent).toHaveLength(513);
  });

  test('leave the upper half to endpoints that have none yet', async () => {
    const w = world();
    w.dispatcher.run(fleet(100).flatMap((one) => some(4, one)));
    await w.turns();
    expect(w.sent).toHaveLength(256);
    const late = endpointFor('tnt_one', { endpointId: 'ep_late' });
    w.dispatcher.run(some(2, late));
    await w.turns();
    expect(w.sent).toHaveLength(257);
  });

  test('stop while two thousand results wait for the store', async () => {
    const w = world();
    const kept: (() => void)[] = [];
    w.state.onSent = ({ response }) => response();
    w.state.record = () => new Promise((resolve) => kept.push(() => resolve([])));
    w.dispatcher.run(fleet(50).flatMap((one) => some(LANE_QUEUE_LIMIT, one)));
    for (let round = 0; round < 20; round += 1) await w.turns();
    expect(w.sent.length).toBeGreaterThanOrEqual(2000);
    expect(w.sent.length).toBeLessThan(2512);
    w.state.record = async () => [];
    for (const write of kept) write();
    for (let round = 0; round < 20; round += 1) await w.turns();
    expect([w.sent.length, w.recorded.length]).toEqual([3200, 3200]);
  });
});

describe('a delivery', () => {
  test('is in flight until its result is on disk: the same one is not taken twice', async () => {
    const w = world();
    const [one] = some(1) as [LeasedDelivery];
    let write = (): void => undefined;
    w.state.record = () => new Promise((resolve) => (write = () => resolve([])));
    w.dispatcher.run([one, one]);
    w.dispatcher.run([one]);
    await w.turns();
    w.sent[0]?.response();
    await w.turns();
    w.dispatcher.run([one]);
    await w.turns();
    expect(w.sent).toHaveLength(1);
    write();
    await w.turns();
    expect([w.ids(), w.reported]).toEqual([['dlv_ep_1_0'], [false]]);
    w.dispatcher.run([one]);
    await w.turns();
    expect(w.sent).toHaveLength(2);
  });

  test('that cannot be attempted is logged, and can be taken again', async () => {
    const w = world();
    const err = new Error('no key');
    w.state.sign = () => {
      throw err;
    };
    w.dispatcher.run(some(1));
    await w.turns();
    expect(w.errors).toEqual([{ err, delivery_id: 'dlv_ep_1_0' }]);
    w.state.sign = () => 'v1,x';
    w.dispatcher.run(some(1));
    await w.turns();
    expect(w.sent).toHaveLength(1);
  });

  test('that is to be tried again is looked for at that time', async () => {
    const w = world();
    w.dispatcher.start();
    await w.turns();
    w.dispatcher.run(some(1));
    await w.turns();
    w.sent[0]?.response(bad);
    await w.turns();
    const next = w.recorded[0]?.nextAttemptAt ?? 0;
    expect(next).toBeGreaterThan(T0);
    expect(next).toBeLessThan(T0 + POLL_MS - 100);
    await w.pass(next - T0 + 1);
    expect(w.looks).toHaveLength(1);
    await w.pass(1);
    expect(w.looks).toHaveLength(2);
    await w.dispatcher.stop(0);
  });

  test('that has succeeded makes nobody look', async () => {
    const w = world();
    w.dispatcher.start();
    w.dispatcher.run(some(1));
    await w.turns();
    w.sent[0]?.response();
    await w.pass(POLL_MS - 1);
    expect([w.looks.length, w.leases]).toEqual([1, []]);
    await w.dispatcher.stop(0);
  });

  test('that waited because its receiver had asked for less is reported as such', async () => {
    const w = world();
    w.dispatcher.run(some(1));
    await w.turns();
    w.sent[0]?.response({ ...bad, statusCode: 429, retryAfter: '5' });
    await w.turns();
    w.dispatcher.run(some(1, endpoint, 'later'));
    await w.turns();
    expect(w.sent).toHaveLength(1);
    await w.pass(5000);
    w.sent[1]?.response();
    await w.turns();
    expect(w.reported).toEqual([false, true]);
    expect(w.recorded[0]?.restraint).toEqual({ slowedUntil: T0 + 5000 });
    expect(w.recorded[1]).not.toHaveProperty('restraint');
  });
});

describe('room', () => {
  test('is there until the queue of an endpoint is full; then the rest waits in the store until it is fetched', async () => {
    const w = world();
    expect(w.dispatcher.roomFor('ep_1')).toBeGreaterThan(0);
    w.dispatcher.run(some(8));
    await w.turns();
    w.dispatcher.run(some(LANE_QUEUE_LIMIT, endpoint, 'waiting'));
    await w.turns();
    expect(w.released).toEqual([]);
    expect(w.sent).toHaveLength(8);
    expect(w.dispatcher.roomFor('ep_1')).toBe(0);
    expect(w.dispatcher.roomFor('ep_2')).toBeGreaterThan(0);
    w.dispatcher.run([], new Set(['ep_1']));
    w.dispatcher.start();
    await w.turns();
    expect(w.leases).toEqual([]);
    // The queue is empty again: more is fetched without a look at all endpoints, and then there is room once more.
    w.state.onSent = ({ response }) => response();
    for (const { response } of w.sent) response();
    await w.pass(1);
    await w.pass(1);
    expect(w.leases.length).toBeGreaterThan(0);
    expect(w.looks).toHaveLength(1);
    expect(w.dispatcher.roomFor('ep_1')).toBeGreaterThan(0);
    await w.dispatcher.stop(0);
  });

  test('is no longer there when the store gave as much as was asked for: it may hold more', async () => {
    const w = world();
    w.state.due = ['ep_1', 'ep_2'];
    w.state.lease = () => [...some(LANE_QUEUE_LIMIT), ...some(LANE_QUEUE_LIMIT - 1, other)];
    w.dispatcher.start();
    await w.turns();
    expect(w.leases).toEqual([{ ep_1: LANE_QUEUE_LIMIT, ep_2: LANE_QUEUE_LIMIT }]);
    expect(w.dispatcher.roomFor('ep_1')).toBe(0);
    expect(w.dispatcher.roomFor('ep_2')).toBeGreaterThan(0);
    w.state.due = [];
    await w.stop();
  });
});

describe('a stop', () => {
  test('gives back what waits, lets what runs finish, and writes it down', async () => {
    const w = world();
    w.dispatcher.run(some(10));
    await w.turns();
    let isStopped = false;
    const stopping = w.dispatcher.stop(500).then(() => {
      isStopped = true;
    });
    await w.turns();
    expect(w.released).toEqual(['dlv_ep_1_8', 'dlv_ep_1_9']);
    for (const { response } of w.sent.slice(1)) response();
    await w.pass(499);
    expect([isStopped, w.sent[0]?.interruption.done]).toEqual([false, false]);
    w.sent[0]?.response();
    await stopping;
    expect([w.sent.length, w.recorded.length]).toEqual([8, 8]);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('ends what still runs at the deadline, and gives it back', async () => {
    const w = world();
    w.dispatcher.run([...some(1), ...some(1, other)]);
    await w.turns();
    const stopping = w.dispatcher.stop(500);
    await w.pass(500);
    await stopping;
    expect([w.released, w.ids(), w.reported]).toEqual([['dlv_ep_1_0', 'dlv_ep_2_0'], [], []]);
  });

  test('drops after two seconds what the store refuses', async () => {
    const w = world();
    w.dispatcher.run(some(1));
    await w.turns();
    w.state.record = () => Promise.reject(new Error('out'));
    w.sent[0]?.response();
    await w.turns();
    let isStopped = false;
    const stopping = w.dispatcher.stop(0).then(() => {
      isStopped = true;
    });
    for (let step = 0; step < 7; step += 1) await w.pass(249);
    expect(isStopped).toBe(false);
    for (let step = 0; step < 4; step += 1) await w.pass(250);
    await stopping;
    expect(w.recorded).toEqual([]);
  });

  test('gives back what comes after it', async () => {
    const w = world();
    w.dispatcher.run(some(1));
    await w.turns();
    const stopping = w.dispatcher.stop(0);
    w.sent[0]?.response();
    await stopping;
    await w.pass(POLL_MS);
    expect(w.looks).toEqual([]);
  });
});

describe('a rate limiter', () => {
  const allowed: RateDecision = { allowed: true, limit: 1, remaining: 0, resetSeconds: 1, waitMs: 0, retryAfterSeconds: 0 };
  const limited = { ...endpoint, rateLimit: 25 };

  test.each([
    ['at once', () => allowed],
    ['over the network', async () => allowed],
  ])('that responds %s is asked for each attempt, in bursts of a tenth', async (_name, decide) => {
    const asked: [string, RateLimit][] = [];
    const w = world((bucket, limit) => {
      asked.push([bucket, limit]);
      return decide();
    });
    w.dispatcher.run(some(2, limited));
    await w.turns();
    expect(w.sent).toHaveLength(2);
    expect(asked).toEqual(Array(2).fill(['webhook ep_1', { perSecond: 25, burst: 3 }]));
  });

  test('that fails is asked again a second later, and the failure is logged', async () => {
    const err = new Error('out');
    const decisions = [Promise.reject(err), allowed];
    const w = world(() => decisions.shift() as RateDecision | Promise<RateDecision>);
    w.dispatcher.run(some(1, limited));
    await w.pass(999);
    expect([w.sent.length, w.warnings]).toEqual([0, [{ err, endpoint_id: 'ep_1' }]]);
    await w.pass(1);
    expect(w.sent).toHaveLength(1);
  });
});
