import type { Environment } from '@parcelway/contracts/environment';
import type { StoredTrackingQuery, StoredTrackings } from '@parcelway/contracts/forecast-query-api';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceClient } from '@parcelway/http/service-client';
import type { StoredTracking } from '../../store/ports.ts';

/**
 * A hundred forecasts are some hundred look-ups of the other store. Below the 7 s for which the gateway waits: a caller reads then that the tracking does
 * not respond, and the gateway does not take this service for one that is out.
 */
const TIMEOUT_MS = 5000;

/** Stored tracking over the internal route of the tracking service. */
export function createServiceStoredTracking(client: ServiceClient, environment: Environment): StoredTracking {
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'forecast', scopes: [], environment };
  return {
    async read(tenantId, forecastNos, traceparent) {
      const body: StoredTrackingQuery = { tenant_id: tenantId, forecast_nos: [...forecastNos] };
      const { trackings } = await client.call<StoredTrackings>({
        service: 'tracking',
        method: 'POST',
        path: '/internal/v1/tracking/query',
        principal,
        body,
        traceparent,
        timeoutMs: TIMEOUT_MS,
      });
      return new Map(trackings.map(({ forecast_no: forecastNo, tracking }) => [forecastNo, tracking]));
    },
  };
}
