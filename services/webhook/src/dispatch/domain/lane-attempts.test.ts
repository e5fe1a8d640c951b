import { describe, expect, test } from '@jest/globals';
import { laneWith, NOW, resultOf, startAll, succeeded } from '../../testing/lanes.ts';

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
