import { mayBePoNumber } from '@parcelway/contracts/po-number';
import type { TrackingResult } from '@parcelway/contracts/tracking-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { ForecastRecord } from '../store/domain/forecast.ts';
import type { WholeForecast } from '../store/domain/known-forecast.ts';
import type { ForecastReader } from '../store/forecast-store.ts';
import type { StoredTracking } from '../store/ports.ts';

/**
 * The forecast of a po_number: the live one, else the newest cancelled one.
 * @param poNumber any text; what is no po_number finds nothing
 * @throws AppError 40401 when the tenant has none
 */
export async function findForecast(store: ForecastReader, tenantId: string, poNumber: string): Promise<ForecastRecord> {
  const record = mayBePoNumber(poNumber) ? await store.findByPoNumber(tenantId, poNumber) : undefined;
  if (!record) throw new AppError('40401');
  return record;
}

/**
 * As {@link findForecast}, with everything that is known of it.
 * @throws AppError 40401 when the tenant has none
 */
export async function readForecast(store: ForecastReader, tenantId: string, poNumber: string): Promise<WholeForecast> {
  const found = mayBePoNumber(poNumber) ? await store.readByPoNumber(tenantId, poNumber) : undefined;
  if (!found) throw new AppError('40401');
  return found;
}

/**
 * As {@link readForecast}, by the number that no other forecast ever has.
 * @throws AppError 40403 when the tenant has no such forecast
 */
export async function readForecastByNo(store: ForecastReader, tenantId: string, forecastNo: string): Promise<WholeForecast> {
  const found = await store.readByForecastNo(tenantId, forecastNo);
  if (!found) throw new AppError('40403', `There is no forecast ${JSON.stringify(forecastNo)} of this tenant`);
  return found;
}

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
