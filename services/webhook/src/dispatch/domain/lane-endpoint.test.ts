import { describe, expect, test } from '@jest/globals';
import { endpoint, failedLane, HOUR_MS, laneWith, NOW, resultOf, startAll } from '../../testing/lanes.ts';
import { Interruption } from './interruption.ts';
import type { Lane } from './lane.ts';

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
