import type { ForecastContent } from '@parcelway/contracts/domain-events';
import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceClient } from '@parcelway/http/service-client';
import { AppError } from '@parcelway/kernel/app-error';
import type { ForecastContents } from '../ports.ts';

const TIMEOUT_MS = 10_000;

/** Items read over the forecast service's internal route. */
export function createForecastServiceContents(client: ServiceClient, environment: Environment): ForecastContents {
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'file', scopes: [], environment };
  return {
    async readItems(tenantId, forecastNo, version, traceparent) {
      const query = new URLSearchParams({ tenant_id: tenantId, forecast_no: forecastNo, version: String(version) });
      const path = `/internal/v1/forecasts/content?${query}`;
      try {
        const { items } = await client.call<ForecastContent>({
          service: 'forecast',
          method: 'GET',
          path,
          principal,
          traceparent,
          timeoutMs: TIMEOUT_MS,
        });
        return items;
      } catch (error) {
        // A replica of the former release does not have the route yet.
        if (error instanceof AppError && error.code === '40402')
          throw AppError.unavailable('The forecast service has no such route yet', error);
        throw error;
      }
    },
  };
}
