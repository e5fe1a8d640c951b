import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { ForecastItem } from '@parcelway/contracts/forecast-submission-api';
import type { ReceivedItem } from '../../store/domain/forecast.ts';

export type ReceivedDifference = ForecastDetail['received_items'][number];

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
  const counted = new Map(received.map(({ sku_code, quantity }) => [sku_code, quantity]));
  return [...new Set([...forecast.keys(), ...counted.keys()])].map((sku_code) => {
    const [forecast_quantity, received_quantity] = [forecast.get(sku_code) ?? 0, counted.get(sku_code) ?? 0];
    return { sku_code, forecast_quantity, received_quantity, difference: received_quantity - forecast_quantity };
  });
}
