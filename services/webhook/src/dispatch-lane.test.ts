import { describe, expect, test } from '@jest/globals';
import { LANE_QUEUE_LIMIT, Lane } from './dispatch-lane.ts';
import type { AttemptResult, LeasedDelivery } from './domain/delivery.ts';
import { Interruption } from './domain/interruption.ts';
import { endpointFor } from './testing/webhook-fixtures.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOUR_MS = 3_600_000;
const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1', url: 'https://one.example/' });

/** A lane whose endpoint has just failed once. */
function failedLane(): Lane {
  const lane = new Lane(endpoint, NOW - HOUR_MS);
  const attempt = { url: endpoint.url, outcome: 'failed', statusCode: null, errorCode: 'timeout', retryAfter: null };
  lane.learn({ attempt, leased: { delivery: { test: false, eventType: 'parcel.weighed' } } } as unknown as AttemptResult, NOW, 0.5);
  return lane;
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
