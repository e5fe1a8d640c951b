import type { FailedCallRecord } from '../activity/failed-call-collection.ts';

/** A failed call of the tenant `tnt_1`. */
export const sampleCall = (given: Partial<FailedCallRecord> = {}): FailedCallRecord => ({
  callId: 'call_1',
  tenantId: 'tnt_1',
  at: 1000,
  requestId: 'req_1',
  method: 'POST',
  route: '/open/v1/forecasts',
  path: '/open/v1/forecasts',
  status: 422,
  code: '42201',
  message: 'Invalid',
  data: null,
  keyId: 'key_1',
  durationMs: 3,
  ...given,
});
