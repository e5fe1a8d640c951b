import { describe, expect, test } from '@jest/globals';
import { Lane } from './dispatch-lane.ts';
import type { AttemptResult } from './domain/delivery.ts';
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
