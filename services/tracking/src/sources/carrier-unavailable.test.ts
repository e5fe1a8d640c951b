import { expect, test } from '@jest/globals';
import { carrierUnavailable, FAILED_RETRY_MS, UNCONFIGURED_RETRY_MS } from './carrier-unavailable.ts';

test.each([
  ['a failed request', FAILED_RETRY_MS, 5],
  ['a carrier that is not configured', UNCONFIGURED_RETRY_MS, 60],
  ['a carrier that is left alone', 10_000, 10],
  ['a carrier that is left alone for less than a second', 200, 1],
  ['a carrier that is left alone for no whole number of seconds', 1001, 2],
])('after %s, a retry is worthwhile in whole seconds', (_what, retryAfterMs, seconds) => {
  expect(carrierUnavailable(retryAfterMs)).toMatchObject({ code: '50001', httpStatus: 503, data: null, retryAfterSeconds: seconds });
});

test('the cause is kept for the log, and the merchant does not see it', () => {
  const cause = new Error('The response has the status 500');
  const error = carrierUnavailable(FAILED_RETRY_MS, cause);
  expect(error.cause).toBe(cause);
  expect(error.message).toBe('The carrier tracking interface is temporarily unavailable; try again later');
  expect(carrierUnavailable(FAILED_RETRY_MS)).not.toHaveProperty('cause');
});
