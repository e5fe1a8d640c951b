import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import type { ServiceClient } from '@parcelway/http/service-client';
import { type FullPart, MAX_FULL_BODY_BYTES } from '../domain/full-payload.ts';
import type { FullContent } from '../full-payloads.ts';

/** A query of the store of another service takes some milliseconds. */
const TIMEOUT_MS = 3_000;

const routes: Readonly<Record<FullPart, { readonly service: ServiceName; readonly path: string }>> = {
  weighing: { service: 'forecast', path: '/internal/v1/forecasts/weighing' },
  forecast: { service: 'forecast', path: '/internal/v1/forecasts/detail' },
  tracking: { service: 'tracking', path: '/internal/v1/tracking' },
};

/** Full data over the internal routes of the services that own it. */
export function createServiceFullContent(client: ServiceClient, environment: Environment): FullContent {
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'webhook', scopes: [], environment };
  return {
    read(part, tenantId, forecastNo, traceparent) {
      const { service, path } = routes[part];
      const query = new URLSearchParams({ tenant_id: tenantId, forecast_no: forecastNo });
      return client.call<unknown>({
        service,
        method: 'GET',
        path: `${path}?${query}`,
        principal,
        traceparent: traceparent ?? undefined,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_FULL_BODY_BYTES,
      });
    },
  };
}
