import { expect, test } from '@jest/globals';
import type { ServiceCall, ServiceClient } from '@parcelway/http/service-client';
import { AppError } from '@parcelway/kernel/app-error';
import type { ForecastRecord } from '../../store/domain/forecast.ts';
import { queryMany } from '../query-many.ts';
import { createServiceStoredTracking } from './service-stored-tracking.ts';

/** After so long without a response, the gateway takes a service for one that is out; milliseconds. */
const GATEWAY_WAITS_MS = 7000;

/** A tracking service that does not respond before the deadline of the call. */
function silentService() {
  const calls: ServiceCall[] = [];
  const client: ServiceClient = {
    call: async (call) => {
      calls.push(call);
      throw AppError.unavailable('The tracking service does not respond');
    },
    close: async () => undefined,
  };
  return { calls, tracking: createServiceStoredTracking(client, 'sandbox') };
}

test('a query of many whose tracking does not respond is 50301, long before the gateway stops waiting', async () => {
  const { calls, tracking } = silentService();
  const records = new Map([['PO-1', { forecastNo: 'FC1' } as ForecastRecord]]);
  const query = queryMany({ store: { findByPoNumbers: async () => records }, tracking }, 'tnt_1', ['PO-1'], true);
  await expect(query).rejects.toMatchObject({ code: '50301', message: 'The tracking service does not respond' });
  expect(calls).toMatchObject([{ service: 'tracking', body: { tenant_id: 'tnt_1', forecast_nos: ['FC1'] } }]);
  expect(calls[0]?.timeoutMs).toBeLessThanOrEqual(GATEWAY_WAITS_MS - 2000);
});
