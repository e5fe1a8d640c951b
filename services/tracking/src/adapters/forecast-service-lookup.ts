import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceClient } from '@parcelway/http/service-client';
import { AppError } from '@parcelway/kernel/app-error';
import type { ForecastLookup } from '../ports.ts';

interface Answer {
  readonly forecast_no: string;
  /** Decided by the service that knows the dispatch; from a status alone it could only be guessed. */
  readonly is_shipped: boolean;
}

const TIMEOUT_MS = 3000;

/** The look-up over the forecast service's internal route. */
export function createForecastServiceLookup(client: ServiceClient, environment: Environment): ForecastLookup {
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'tracking', scopes: [], environment };
  return {
    async lookUp(tenantId, poNumber, traceparent) {
      const query = new URLSearchParams({ tenant_id: tenantId, po_number: poNumber });
      try {
        const answer = await client.call<Answer>({
          service: 'forecast',
          method: 'GET',
          path: `/internal/v1/forecasts/lookup?${query}`,
          principal,
          traceparent,
          timeoutMs: TIMEOUT_MS,
        });
        return { forecastNo: answer.forecast_no, isShipped: answer.is_shipped };
      } catch (error) {
        if (error instanceof AppError && error.code === '40401') return undefined;
        throw error;
      }
    },
  };
}
