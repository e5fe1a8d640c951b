import type { ForecastItem } from '@parcelway/contracts/forecast-submission-api';
import type { ReceivedItem } from '../../store/domain/forecast.ts';

/** Pieces of one SKU, forecast and counted. */
export interface ReceivedDifference {
  readonly skuCode: string;
  readonly forecastQuantity: number;
  readonly receivedQuantity: number;
}

/**
 * A count against the forecast: each SKU once, those of the forecast first, in its order, then those that it does not name. The count
 * is a whole one, so a SKU that it does not name was not received.
 * @param received each SKU once; undefined when the warehouse has not counted: nothing is to be compared then
 */
export function receivedDifferences(
  items: readonly Pick<ForecastItem, 'sku_code' | 'forecast_quantity'>[],
  received: readonly ReceivedItem[] | undefined,
): ReceivedDifference[] {
  if (received === undefined) return [];
  const forecast = new Map<string, number>();
  for (const { sku_code, forecast_quantity } of items) forecast.set(sku_code, (forecast.get(sku_code) ?? 0) + forecast_quantity);
  const counted = new Map(received.map(({ skuCode, quantity }) => [skuCode, quantity]));
  return [...new Set([...forecast.keys(), ...counted.keys()])].map((skuCode) => ({
    skuCode,
    forecastQuantity: forecast.get(skuCode) ?? 0,
    receivedQuantity: counted.get(skuCode) ?? 0,
  }));
}
