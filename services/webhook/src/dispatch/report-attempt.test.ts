import { describe, expect, test } from '@jest/globals';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import { recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { Delivery } from '../intake/domain/delivery.ts';
import type { AttemptResult } from '../queue/domain/attempt.ts';
import { endpointFor, leasedOf, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { createAttemptReport } from './report-attempt.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const SECRET_URL = 'https://hooks.example.com/token-hunter2';

/** How an attempt differs from the usual one. */
interface Given {
  readonly attempt?: Partial<AttemptResult['attempt']>;
  readonly status?: AttemptResult['status'];
  readonly delivery?: Partial<Delivery>;
  readonly endpoint?: Partial<Endpoint>;
  readonly heldBack?: boolean;
  readonly nextAttemptAt?: number;
}

/** A first attempt that began 40 ms after its event and succeeded after 10 ms, unless a test says otherwise. */
function finished({ attempt, status = 'succeeded', delivery, endpoint, nextAttemptAt }: Given = {}): AttemptResult {
  const occurredAt = T0 + 1000;
  const leased = {
    ...leasedOf({ poNumber: 'PO-hunter2', ...delivery }),
    endpoint: endpointFor('tnt_one', { headers: { authorization: 'hunter2' }, ...endpoint }),
    body: '{"data":"hunter2"}',
    origin: { occurredAt, traceparent },
  };
  const result = resultOf(leased, status, nextAttemptAt);
  const seen = { url: SECRET_URL, startedAt: occurredAt + 40, durationMs: 10, statusCode: 204, responseBody: 'hunter2', ...attempt };
  return { ...result, attempt: { ...result.attempt, errorCode: null, ...seen } };
}

function reported(given: Given, accessLog = true) {
  const telemetry = recordingTelemetry();
  const lines: LogFields[] = [];
  const logger = { ...silentLogger, info: (fields: LogFields) => void lines.push(fields) };
  createAttemptReport({ telemetry: telemetry.of('webhook'), logger, accessLog })(finished(given), given.heldBack ?? false);
  return { telemetry, lines };
}

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

describe('the delay of a first attempt', () => {
  const delays = (given: Given) => reported(given).telemetry.recorded('parcelway_webhook_first_attempt_delay_seconds');

  test('counts from the event, whatever came of the attempt; its latency only when it was delivered', () => {
    expect(delays({})).toEqual([[{}, 0.04]]);
    expect(delays(failed)).toEqual([[{}, 0.04]]);
    expect(reported({}).telemetry.recorded('parcelway_webhook_event_latency_seconds')).toEqual([[{}, 0.05]]);
    expect(reported(failed).telemetry.recorded('parcelway_webhook_event_latency_seconds')).toEqual([]);
  });

  test('counts for an endpoint that was changed no later than the event, and is never negative, though clocks differ', () => {
    expect(delays({ endpoint: { updatedAt: T0 + 1000 } })).toHaveLength(1);
    expect(delays({ attempt: { startedAt: T0 } })).toEqual([[{}, 0]]);
  });

  test.each<[string, Given]>([
    ['a later attempt', { delivery: { attemptCount: 1 } }],
    ['a test event', { delivery: { test: true } }],
    ['an endpoint that was changed since the event', { endpoint: { updatedAt: T0 + 2000 } }],
    ['an endpoint with a rate limit', { endpoint: { rateLimit: 1 } }],
    ['an endpoint that fails', { endpoint: { failingSince: T0 } }],
    ['an event that waited because its receiver had asked for less', { heldBack: true }],
  ])('does not count of %s: that is not our delay', (_name, given) => {
    expect(delays(given)).toEqual([]);
  });
});

test('no line is written unless asked for, and nothing is reported of bodies, headers, paths and parcels', () => {
  const { telemetry, lines } = reported(failed);
  expect(JSON.stringify([telemetry.metrics, telemetry.spans, lines])).not.toContain('hunter2');
  expect(reported({}, false).lines).toEqual([]);
});
