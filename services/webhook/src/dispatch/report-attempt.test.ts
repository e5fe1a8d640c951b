import { expect, test } from '@jest/globals';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import { type Given, reported } from '../testing/finished-attempts.ts';

const failed = { status: 'pending', attempt: { statusCode: 500, error: 'The response had status 500', errorCode: 'status' } } as const;

test.each<[string, Given, string]>([
  ['a 2xx', {}, 'delivered'],
  ['another response', failed, 'rejected'],
  ['no response within the deadline', { ...failed, attempt: { statusCode: null, errorCode: 'timeout' } }, 'timeout'],
  ['no connection', { ...failed, attempt: { statusCode: null, errorCode: 'connection_refused' } }, 'unreachable'],
  ['an address that is not allowed', { ...failed, attempt: { statusCode: null, errorCode: 'address_not_allowed' } }, 'refused'],
])('%s counts as %s', (_name, given, outcome) => {
  const { telemetry, lines } = reported(given);
  expect(telemetry.recorded('parcelway_webhook_attempts_total')).toEqual([[{ outcome }, 1]]);
  expect(telemetry.recorded('parcelway_webhook_attempt_duration_seconds')).toEqual([[{ outcome }, 0.01]]);
  expect(lines).toEqual([expect.objectContaining({ outcome, attempt: 1, ms: 10, trace_id: '0af7651916cd43dd8448eb211c80319c' })]);
});

test.each<[AttemptResult['status'], readonly unknown[]]>([
  ['succeeded', [[{ outcome: 'delivered' }, 1]]],
  ['failed', [[{ outcome: 'exhausted' }, 1]]],
  ['held', [[{ outcome: 'held' }, 1]]],
  ['pending', []],
])('a delivery that is %s afterwards counts once it has ended', (status, recorded) => {
  expect(reported({ status }).telemetry.recorded('parcelway_webhook_deliveries_total')).toEqual(recorded);
});
