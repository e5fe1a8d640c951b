import { expect, test } from '@jest/globals';
import { type Given, reported, traceparent } from '../testing/finished-attempts.ts';

const failed = { status: 'pending', attempt: { statusCode: 500, error: 'The response had status 500', errorCode: 'status' } } as const;

test('the span is where the attempt was, below what caused the event', () => {
  const { telemetry } = reported(failed);
  expect(telemetry.spans).toMatchObject([
    {
      name: 'deliver parcel.weighed',
      kind: 'client',
      parent: traceparent,
      error: 'rejected',
      ends: 1,
      attributes: { 'server.address': 'hooks.example.com', 'http.response.status_code': 500 },
    },
  ]);
});

test('the span says which attempt at which delivery it was, and what came of it', () => {
  const spanOf = (given: Given) => reported(given).telemetry.spans[0];
  expect(spanOf({ delivery: { attemptCount: 2 } })).toMatchObject({
    kind: 'client',
    error: undefined,
    attributes: {
      'http.request.method': 'POST',
      'server.address': 'hooks.example.com',
      'http.response.status_code': 204,
      'http.request.resend_count': 2,
      'parcelway.delivery.id': 'dlv_1',
      'parcelway.delivery.outcome': 'delivered',
    },
  });
  const unreachable = spanOf({ ...failed, attempt: { statusCode: null, errorCode: 'failed', url: 'no url' } });
  expect(unreachable?.attributes).toMatchObject({ 'parcelway.delivery.outcome': 'unreachable' });
  expect(unreachable?.attributes?.['server.address']).toBeUndefined();
  expect(unreachable?.attributes?.['http.response.status_code']).toBeUndefined();
});
