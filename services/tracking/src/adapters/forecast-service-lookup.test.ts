import { expect, test } from '@jest/globals';
import type { ServiceCall, ServiceClient } from '@parcelway/http/service-client';
import { AppError } from '@parcelway/kernel/app-error';
import { TENANT, traceOf } from '../testing/samples.ts';
import { createForecastServiceLookup } from './forecast-service-lookup.ts';

/** A look-up over a forecast service that answers so, and the calls that it got. */
function setUp(answer: () => Promise<unknown>) {
  const calls: ServiceCall[] = [];
  const client = {
    call: (call: ServiceCall) => {
      calls.push(call);
      return answer();
    },
    close: async () => undefined,
  } as ServiceClient;
  return { lookup: createForecastServiceLookup(client, 'sandbox'), calls };
}

test('asks in the trace of the query', async () => {
  const { lookup, calls } = setUp(async () => ({ forecast_no: 'FC1', is_shipped: true }));
  expect(await lookup.lookUp(TENANT, 'PO 1', traceOf(1))).toEqual({ forecastNo: 'FC1', isShipped: true });
  expect(calls).toMatchObject([
    { service: 'forecast', path: `/internal/v1/forecasts/lookup?tenant_id=${TENANT}&po_number=PO+1`, traceparent: traceOf(1) },
  ]);
});

test('finds nothing where there is nothing, and does not hide that the service is out', async () => {
  expect(await setUp(() => Promise.reject(new AppError('40401'))).lookup.lookUp(TENANT, 'PO-1')).toBeUndefined();
  const out = AppError.unavailable('the service is out');
  await expect(setUp(() => Promise.reject(out)).lookup.lookUp(TENANT, 'PO-1')).rejects.toBe(out);
});
