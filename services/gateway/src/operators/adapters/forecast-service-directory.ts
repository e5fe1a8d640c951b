import type { Environment } from '@parcelway/contracts/environment';
import { MAX_NAMED_FORECASTS, type NamedForecasts } from '@parcelway/contracts/existing-forecasts';
import type { ServiceClient } from '@parcelway/http/service-client';
import { AppError } from '@parcelway/kernel/app-error';
import { platformPrincipal } from '../../tenants/adapters/principals.ts';
import type { ForecastName } from '../domain/dead-letter-forecast.ts';
import type { ForecastDirectory } from '../ports.ts';

/** A refusal says nothing of the names: a service that has not been updated yet, for one, does not know the route. */
function notNow(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code === '50301') return error;
  const sentence = `The forecast service cannot say which forecasts exist (${error.code}); if it is being updated, try again afterwards`;
  return AppError.unavailable(sentence, error);
}

/** Asks the forecast service which forecasts it has, some at a time. Whatever it refuses is 50301: it cannot be known now. */
export function createForecastDirectory(services: Pick<ServiceClient, 'call'>, environment: Environment): ForecastDirectory {
  const principal = platformPrincipal(environment);
  const ask = async (names: readonly ForecastName[]): Promise<readonly ForecastName[]> => {
    const named = names.map(({ tenantId, forecastNo }) => ({ tenant_id: tenantId, forecast_no: forecastNo }));
    const body: NamedForecasts = { forecasts: named };
    const path = '/internal/v1/forecasts/existing';
    const asking = services.call<NamedForecasts>({ service: 'forecast', method: 'POST', path, principal, body });
    const { forecasts } = await asking.catch((error: unknown) => {
      throw notNow(error);
    });
    return forecasts.map(({ tenant_id: tenantId, forecast_no: forecastNo }) => ({ tenantId, forecastNo }));
  };
  return {
    async existing(names) {
      const existing: ForecastName[] = [];
      for (let from = 0; from < names.length; from += MAX_NAMED_FORECASTS)
        existing.push(...(await ask(names.slice(from, from + MAX_NAMED_FORECASTS))));
      return existing;
    },
  };
}
