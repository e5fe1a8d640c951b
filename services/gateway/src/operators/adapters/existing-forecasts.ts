import type { Environment } from '@parcelway/contracts/environment';
import { MAX_NAMED_FORECASTS, type NamedForecasts } from '@parcelway/contracts/existing-forecasts';
import type { ServiceClient } from '@parcelway/http/service-client';
import { platformPrincipal } from '../../tenants/adapters/principals.ts';
import type { ForecastName } from '../domain/dead-letter-forecast.ts';
import type { RedriveOptions } from '../redrive-dead-letters.ts';

/** Asks the forecast service in batches which forecasts exist. */
export function createExistingForecasts(services: Pick<ServiceClient, 'call'>, environment: Environment): RedriveOptions['existing'] {
  const principal = platformPrincipal(environment);
  const ask = async (names: readonly ForecastName[]): Promise<readonly ForecastName[]> => {
    const named = names.map(({ tenantId, forecastNo }) => ({ tenant_id: tenantId, forecast_no: forecastNo }));
    const body: NamedForecasts = { forecasts: named };
    const path = '/internal/v1/forecasts/existing';
    const { forecasts } = await services.call<NamedForecasts>({ service: 'forecast', method: 'POST', path, principal, body });
    return forecasts.map(({ tenant_id: tenantId, forecast_no: forecastNo }) => ({ tenantId, forecastNo }));
  };
  return async (names) => {
    const existing: ForecastName[] = [];
    for (let from = 0; from < names.length; from += MAX_NAMED_FORECASTS)
      existing.push(...(await ask(names.slice(from, from + MAX_NAMED_FORECASTS))));
    return existing;
  };
}
