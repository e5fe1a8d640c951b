import type { Environment } from '@parcelway/contracts/environment';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceClient } from '@parcelway/http/service-client';
import { AppError } from '@parcelway/kernel/app-error';
import type { ForecastLookup } from '../ports.ts';

interface Answer {
  readonly forecast_no: string;
  readonly forecast_type: number;
  readonly status?: number;
}

const TIMEOUT_MS = 3000;
const DIRECT_MAIL = 2;

/** Put-away completes a stock replenishment without a dispatch; a direct mail is complete only after one. */
function wasShipped({ status, forecast_type: type }: Answer): boolean {
  return status === forecastStatuses.SHIPPED || (status === forecastStatuses.COMPLETED && type === DIRECT_MAIL);
}

/** The look-up over the forecast service's internal route. */
export function createForecastServiceLookup(client: ServiceClient, environment: Environment): ForecastLookup {
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'tracking', scopes: [], environment };
  return {
    async lookUp(tenantId, poNumber) {
      const query = new URLSearchParams({ tenant_id: tenantId, po_number: poNumber });
      try {
        const answer = await client.call<Answer>({
          service: 'forecast',
          method: 'GET',
          path: `/internal/v1/forecasts/lookup?${query}`,
          principal,
          timeoutMs: TIMEOUT_MS,
        });
        return { forecastNo: answer.forecast_no, isShipped: wasShipped(answer) };
      } catch (error) {
        if (error instanceof AppError && error.code === '40401') return undefined;
        throw error;
      }
    },
  };
}
