import { describe, expect, test } from '@jest/globals';
import { type Given, reported } from '../testing/finished-attempts.ts';
import { T0 } from '../testing/webhook-fixtures.ts';

const failed = { status: 'pending', attempt: { statusCode: 500, error: 'The response had status 500', errorCode: 'status' } } as const;

describe('the delay of a first attempt', () => {
  const delays = (given: Given) => reported(given).telemetry.recorded('parcelway_webhook_first_attempt_delay_seconds');

  test('counts from the event, whatever came of the attempt; its latency only when it was delivered', () => {
    expect(delays({})).toEqual([[{}, 0.04]]);
    expect(delays(failed)).toEqual([[{}, 0.04]]);
    expect(reported({}).telemetry.recorded('parcelway_webhook_event_latency_seconds')).toEqual([[{}, 0.05]]);
    expect(reported(failed).telemetry.recorded('parcelway_webhook_event_latency_seconds')).toEqual([]);
  });

  test('counts for an endpoint that was changed no later than the event', () => {
    expect(delays({ endpoint: { updatedAt: T0 + 1000 } })).toHaveLength(1);
  });

  test('is never negative, though clocks differ', () => {
    expect(delays({ attempt: { startedAt: T0 } })).toEqual([[{}, 0]]);
  });

  test.each<[string, Given]>([
    ['a later attempt', { delivery: { attemptCount: 1 } }],
    ['a test event', { delivery: { test: true } }],
    ['an endpoint that was changed since the event', { endpoint: { updatedAt: T0 + 2000 } }],
    ['an endpoint with a rate limit', { endpoint: { rateLimit: 1 } }],
    ['an endpoint that fails', { endpoint: { failingSince: T0 } }],
    ['an event that waited because its receiver had asked for less', { heldBack: true }],
    ['an endpoint whose circuit is open', { endpoint: { circuit: { openUntil: T0, cooldownMs: 1000 } } }],
  ])('does not count of %s: that is not our delay', (_name, given) => {
    expect(delays(given)).toEqual([]);
  });
});
