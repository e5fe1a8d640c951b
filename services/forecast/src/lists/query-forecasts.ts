import { mayBePoNumber } from '@parcelway/contracts/po-number';
import { AppError } from '@parcelway/kernel/app-error';
import type { ForecastRecord } from '../store/domain/forecast.ts';
import type { WholeForecast } from '../store/domain/known-forecast.ts';
import type { ForecastReader } from '../store/forecast-store.ts';

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
