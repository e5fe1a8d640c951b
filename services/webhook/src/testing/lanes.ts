import { Interruption } from '../dispatch/domain/interruption.ts';
import { Lane } from '../dispatch/domain/lane.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import { endpointFor } from './webhook-fixtures.ts';

/** The time of the tests of a lane. */
export const NOW = Date.parse('2026-11-21T08:00:00Z');

/** An hour, in milliseconds. */
export const HOUR_MS = 3_600_000;

/** The endpoint of a lane. */
export const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1', url: 'https://one.example/' });

/** A lane whose endpoint has just failed once. */
export function failedLane(): Lane {
  const lane = new Lane(endpoint, NOW - HOUR_MS);
  const attempt = { url: endpoint.url, outcome: 'failed', statusCode: null, errorCode: 'timeout', retryAfter: null };
  lane.learn({ attempt, leased: { delivery: { test: false, eventType: 'parcel.weighed' } } } as unknown as AttemptResult, NOW, 0.5);
  return lane;
}

/** What came of an attempt at the endpoint: by default a 500. */
export function resultOf(
  given: Partial<AttemptResult['attempt']> = {},
  delivery = { test: false, eventType: 'parcel.weighed' },
): AttemptResult {
  const attempt = { url: endpoint.url, outcome: 'failed', statusCode: 500, errorCode: 'status', retryAfter: null, ...given };
  return { attempt, leased: { delivery } } as unknown as AttemptResult;
}

/** A delivery that was received. */
export const succeeded = resultOf({ outcome: 'succeeded', statusCode: 200, errorCode: null });

/** A 429, with the header Retry-After. */
export const tooMuch = (retryAfter: string | null): AttemptResult => resultOf({ statusCode: 429, retryAfter });

/** A lane with deliveries that wait. */
export function laneWith(waiting: number, given: Partial<typeof endpoint> = {}): Lane {
  const lane = new Lane({ ...endpoint, ...given }, NOW);
  lane.queue.push(...Array.from({ length: waiting }, () => leased(NOW + HOUR_MS)));
  return lane;
}

/** Starts attempts for as long as the lane allows. @returns how many */
export function startAll(lane: Lane, now = NOW): number {
  lane.running.clear();
  while (lane.canStart(now)) lane.running.add(new Interruption());
  const { size } = lane.running;
  lane.running.clear();
  return size;
}

/** A leased delivery, named by its lease. */
export const leased = (leaseUntil: number): LeasedDelivery => ({ leaseUntil }) as unknown as LeasedDelivery;
