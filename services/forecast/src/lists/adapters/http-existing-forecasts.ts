import { NamedForecasts } from '@parcelway/contracts/existing-forecasts';
import { compileValidator } from '@parcelway/contracts/validator';
import { assertSystem } from '@parcelway/http/app';
import { jsonBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import type { Router } from 'express';
import { keyText } from '../../store/domain/known-forecast.ts';
import type { ForecastChanges } from '../../store/ports.ts';

const namedForecasts = compileValidator(NamedForecasts);

/** The internal route by which the gateway learns which forecasts have been deleted, before it publishes messages about them again. */
export function existingForecastRoutes(router: Router, store: Pick<ForecastChanges, 'read'>): void {
  router.post('/internal/v1/forecasts/existing', jsonBody(), async (req, res) => {
    assertSystem(req);
    const { forecasts } = namedForecasts.parse(req.body);
    const named = forecasts.map(({ tenant_id: tenantId, forecast_no: forecastNo }) => ({ tenantId, forecastNo }));
    const wanted = new Map(named.map((one) => [keyText(one), one]));
    const known = await store.read([...wanted].map(([key, one]) => ({ ...one, key, eventIds: [], withContent: false })));
    const existing = known.map(({ record: { tenantId, forecastNo } }) => ({ tenant_id: tenantId, forecast_no: forecastNo }));
    sendOk(res, { forecasts: existing } satisfies NamedForecasts);
  });
}
