import { describe, expect, test } from '@jest/globals';
import { endpoint, failedLane, laneWith, leased, NOW, resultOf, succeeded, tooMuch } from '../../testing/lanes.ts';
import { Interruption } from './interruption.ts';
import { LANE_QUEUE_LIMIT, Lane } from './lane.ts';

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
