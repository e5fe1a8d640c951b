import { expect, test } from '@jest/globals';
import { reported } from '../testing/finished-attempts.ts';
import { T0 } from '../testing/webhook-fixtures.ts';

const failed = { status: 'pending', attempt: { statusCode: 500, error: 'The response had status 500', errorCode: 'status' } } as const;

test('the line says what was tried, what came back and what follows', () => {
  const { lines } = reported({ ...failed, delivery: { attemptCount: 2 }, attempt: { statusCode: 503, errorCode: 'status' } });
  expect(lines).toEqual([
    {
      outcome: 'rejected',
      status: 503,
      ms: 10,
      attempt: 3,
      delivery_status: 'pending',
      next_attempt_at: null,
      event_type: 'parcel.weighed',
      event_id: 'evt_1',
      delivery_id: 'dlv_1',
      endpoint_id: 'we_1',
      tenant_id: 'tnt_one',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
    },
  ]);
});

test('the line says when the next attempt is', () => {
  expect(reported({ ...failed, nextAttemptAt: T0 }).lines).toMatchObject([{ next_attempt_at: new Date(T0).toISOString() }]);
});

test('nothing is reported of bodies, headers, paths and parcels', () => {
  const { telemetry, lines } = reported(failed);
  expect(JSON.stringify([telemetry.metrics, telemetry.spans, lines])).not.toContain('hunter2');
});

test('no line is written unless asked for', () => {
  expect(reported({}, false).lines).toEqual([]);
});
