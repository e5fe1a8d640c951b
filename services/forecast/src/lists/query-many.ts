import { mayBePoNumber } from '@parcelway/contracts/po-number';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import type { ForecastRecord } from '../store/domain/forecast.ts';
import type { ForecastReader } from '../store/forecast-store.ts';
import type { StoredTracking } from '../store/ports.ts';

export interface QueryManyOptions {
  readonly store: Pick<ForecastReader, 'findByPoNumbers'>;
  readonly tracking: StoredTracking;
}

export interface FoundForecast {
  readonly record: ForecastRecord;
  /** Undefined when it was not asked for, or no parcel of the forecast is under watch. */
  readonly tracking: TrackingResult | undefined;
}

/**
 * The forecasts of many po_numbers: one read of the store, and one of the tracking when it is asked for.
 * @returns in the order of the po_numbers; undefined where the tenant has no forecast
 * @throws AppError 50301 when the tracking cannot be read now
 */
export async function queryMany(
  { store, tracking }: QueryManyOptions,
  tenantId: string,
  poNumbers: readonly string[],
  withTracking: boolean,
  traceparent?: string,
): Promise<readonly (FoundForecast | undefined)[]> {
  const wanted = [...new Set(poNumbers)].filter(mayBePoNumber);
  const records = await store.findByPoNumbers(tenantId, wanted);
  const forecastNos = [...records.values()].map(({ forecastNo }) => forecastNo);
  const trackings =
    withTracking && forecastNos.length > 0 ? await tracking.read(tenantId, forecastNos, traceparent) : new Map<string, TrackingResult>();
  return poNumbers.map((poNumber) => {
    const record = records.get(poNumber);
    return record && { record, tracking: trackings.get(record.forecastNo) };
  });
}
