import { NamedForecasts } from '@parcelway/contracts/existing-forecasts';
import { forecastStatusName } from '@parcelway/contracts/forecast-status';
import type { ForecastsInShort } from '@parcelway/contracts/parcel-search-api';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { assertSystem } from '@parcelway/http/app';
import { traceparentOf } from '@parcelway/http/follow-request';
import { jsonBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Router } from 'express';
import type { ForecastRecord } from '../../store/domain/forecast.ts';
import { keyText } from '../../store/domain/known-forecast.ts';
import type { ForecastChanges, StoredTracking } from '../../store/ports.ts';

/** What the route works with. */
export interface ForecastsInShortOptions {
  readonly store: Pick<ForecastChanges, 'read'>;
  readonly tracking: StoredTracking;
}

const namedForecasts = compileValidator(NamedForecasts);

type Short = ForecastsInShort['forecasts'][number];

function shortTracking(result: TrackingResult | undefined): Short['tracking'] {
  if (result === undefined) return null;
  const { latest_status, is_terminal, nodes } = result;
  return { latest_status, is_terminal, last_node_time: nodes[0]?.create_time ?? null };
}

function shortForecast(record: ForecastRecord, tracking: TrackingResult | undefined): Short {
  const { dispatch, measurements } = record.progress;
  const current = measurements[0];
  return {
    tenant_id: record.tenantId,
    forecast_no: record.forecastNo,
    po_number: record.poNumber,
    status_name: forecastStatusName(record.status),
    create_time: isoInstant(record.createdAt),
    update_time: isoInstant(record.updatedAt),
    weighing:
      current === undefined
        ? null
        : {
            weighed_at: current.weighedAt,
            weight_kg: current.weightKg,
            length_cm: current.lengthCm,
            width_cm: current.widthCm,
            height_cm: current.heightCm,
          },
    dispatch:
      dispatch === null
        ? null
        : {
            carrier_code: dispatch.carrierCode,
            tracking_number: dispatch.trackingNumber,
            dispatched_at: isoInstant(dispatch.dispatchedAtMs),
          },
    tracking: shortTracking(tracking),
  };
}

/** Stored tracking of the forecasts of one tenant. Without it, the rest is still worth showing: none when it cannot be read now. */
async function trackingOf(
  tracking: StoredTracking,
  tenantId: string,
  forecastNos: readonly string[],
  traceparent: string | undefined,
): Promise<ReadonlyMap<string, TrackingResult>> {
  try {
    return await tracking.read(tenantId, forecastNos, traceparent);
  } catch {
    return new Map();
  }
}

/** The internal route by which the gateway shows an operator what became of forecasts, of whichever tenants. */
export function forecastsInShortRoute(router: Router, { store, tracking }: ForecastsInShortOptions): void {
  router.post('/internal/v1/forecasts/short', jsonBody(), async (req, res) => {
    assertSystem(req);
    const { forecasts } = namedForecasts.parse(req.body);
    const named = forecasts.map(({ tenant_id: tenantId, forecast_no: forecastNo }) => ({ tenantId, forecastNo }));
    const wanted = new Map(named.map((one) => [keyText(one), one]));
    const known = await store.read([...wanted].map(([key, one]) => ({ ...one, key, eventIds: [], withContent: false })));
    const records = known.map(({ record }) => record);
    const tracked = new Map<string, ReadonlyMap<string, TrackingResult>>();
    const shipped = records.filter(({ progress }) => progress.dispatch !== null);
    const tenants = [...new Set(shipped.map((record) => record.tenantId))];
    await Promise.all(
      tenants.map(async (tenantId) => {
        const forecastNos = shipped.filter((record) => record.tenantId === tenantId).map(({ forecastNo }) => forecastNo);
        tracked.set(tenantId, await trackingOf(tracking, tenantId, forecastNos, traceparentOf(req)));
      }),
    );
    const data = records.map((record) => shortForecast(record, tracked.get(record.tenantId)?.get(record.forecastNo)));
    sendOk(res, { forecasts: data } satisfies ForecastsInShort);
  });
}
