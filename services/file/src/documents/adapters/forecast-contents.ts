import type { ForecastContent } from '@parcelway/contracts/domain-events';
import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceClient } from '@parcelway/http/service-client';
import type { DocumentsOptions } from '../documents.ts';

/** Whoever opens a document waits for it. */
const TIMEOUT_MS = 5_000;

/** Contents of forecasts, read over the forecast service's internal route. */
export function createForecastContents(client: ServiceClient, environment: Environment): DocumentsOptions['contents'] {
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'file', scopes: [], environment };
  return {
    async readContent(tenantId, forecastNo) {
      const query = new URLSearchParams({ tenant_id: tenantId, forecast_no: forecastNo });
      const path = `/internal/v1/forecasts/content?${query}`;
      const data = await client.call<ForecastContent>({ service: 'forecast', method: 'GET', path, principal, timeoutMs: TIMEOUT_MS });
      const { forecast_id, po_number, warehouse_code, version, versioned_at, due_date, carton_count, items } = data;
      return {
        forecastId: forecast_id,
        poNumber: po_number,
        warehouseCode: warehouse_code,
        version,
        at: Date.parse(versioned_at),
        dueDate: due_date,
        cartonCount: carton_count,
        items,
      };
    },
  };
}
