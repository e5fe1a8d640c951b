import { describe, expect, test } from '@jest/globals';
import { laneWith, leased, NOW, resultOf } from '../../testing/lanes.ts';
import { LANE_QUEUE_LIMIT } from './lane.ts';

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
