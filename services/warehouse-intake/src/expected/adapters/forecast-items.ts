import { ForecastContent } from '@parcelway/contracts/domain-events';
import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import { compileValidator } from '@parcelway/contracts/validator';
import type { ServiceClient } from '@parcelway/http/service-client';
import { AppError } from '@parcelway/kernel/app-error';
import type { ItemSource } from '../follow-view.ts';

/** Bound on one call. It reads up to some megabytes, and no caller waits for it. */
const TIMEOUT_MS = 10_000;

const content = compileValidator(ForecastContent);

/** Items from the forecast service, for forecasts whose items are too large for their events. */
export function createForecastItems(client: ServiceClient, environment: Environment): ItemSource {
  // One object for all calls: the signer keeps its token.
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'warehouse-intake', scopes: [], environment };
  return {
    async itemsOf(tenantId, forecastNo, version) {
      const query = new URLSearchParams({ tenant_id: tenantId, forecast_no: forecastNo, version: String(version) });
      const path = `/internal/v1/forecasts/content?${query}`;
      const data = await client.call<unknown>({ service: 'forecast', method: 'GET', path, principal, timeoutMs: TIMEOUT_MS });
      if (!content.is(data)) throw AppError.unavailable('The response of the forecast service has no items');
      return data;
    },
  };
}
