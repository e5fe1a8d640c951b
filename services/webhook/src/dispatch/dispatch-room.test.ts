import { describe, expect, test } from '@jest/globals';
import { endpoint, fleet, other, some, useFakeTimers, world } from '../testing/scripted-dispatcher.ts';
import { LANE_QUEUE_LIMIT } from './domain/lane.ts';

/* What the dispatcher keeps in memory, and what it asks of the store. */

useFakeTimers();

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

  test('ends with twenty thousand deliveries in memory, for all endpoints', async () => {
    const w = world();
    const endpoints = fleet(313);
    w.dispatcher.run(endpoints.flatMap((one) => some(LANE_QUEUE_LIMIT, one)).slice(0, 19_999));
    expect(w.dispatcher.roomFor('ep_new')).toBeGreaterThan(0);
    w.dispatcher.run(some(1, other, 'last'));
    expect(w.dispatcher.roomFor('ep_new')).toBe(0);
    w.state.due = ['ep_new'];
    w.dispatcher.start();
    await w.turns();
    expect(w.leases).toEqual([]);
    await w.stop();
  });

  test('that is asked for in vain is no failure', async () => {
    const w = world();
    w.state.due = ['ep_1'];
    w.dispatcher.start();
    await w.turns();
    expect([w.leases, w.errors]).toEqual([[{ ep_1: LANE_QUEUE_LIMIT }], []]);
    await w.dispatcher.stop(0);
  });

  test('ends with a stop', async () => {
    const w = world();
    await w.dispatcher.stop(0);
    expect(w.dispatcher.roomFor('ep_1')).toBe(0);
  });
});
