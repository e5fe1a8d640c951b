import type { Environment } from '@parcelway/contracts/environment';
import { ForecastSnapshotPage } from '@parcelway/contracts/forecast-snapshot';
import type { Principal } from '@parcelway/contracts/principal';
import { compileValidator } from '@parcelway/contracts/validator';
import type { ServiceClient } from '@parcelway/http/service-client';
import { AppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import type { SnapshotSource } from '../backfill-view.ts';

/** Bound on one call. Nobody waits for it but the work itself. */
const TIMEOUT_MS = 10_000;

const snapshotPage = compileValidator(ForecastSnapshotPage);

/** Pages of all forecasts from the forecast service. */
export function createForecastSnapshots(client: ServiceClient, environment: Environment): SnapshotSource {
  // One object for all calls: the signer keeps its token.
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'warehouse-intake', scopes: [], environment };
  return {
    async pageOf(after, closedSince) {
      const query = new URLSearchParams({ closed_since: isoInstant(closedSince), ...(after !== null && { after }) });
      const path = `/internal/v1/forecasts/snapshots?${query}`;
      const data = await client.call<unknown>({ service: 'forecast', method: 'GET', path, principal, timeoutMs: TIMEOUT_MS });
      if (!snapshotPage.is(data)) throw AppError.unavailable('The response of the forecast service has no page of forecasts');
      return data;
    },
  };
}
