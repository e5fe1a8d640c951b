import type { ForecastRecord } from './forecast.ts';
import { takesDispatch } from './status-transitions.ts';

/**
 * True when a forecast counts as shipped: its parcel was handed to a carrier. Type 2: from the first dispatch on, and for good, since a
 * dispatch is never taken back. Type 1: never, because its goods stay in the warehouse, whatever an earlier release recorded. There is no
 * other type.
 */
export function isShipped({ forecastType, progress }: Pick<ForecastRecord, 'forecastType' | 'progress'>): boolean {
  return takesDispatch(forecastType) && progress.dispatch !== null;
}
