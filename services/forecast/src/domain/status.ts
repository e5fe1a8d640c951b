import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { ForecastType } from './canonical.ts';

const { COMPLETED, CANCELLED } = forecastStatuses;

/** True while no other forecast of the tenant may have the po_number. */
export function holdsPoNumber(status: ForecastStatus): boolean {
  return status !== CANCELLED;
}

/** True while no other forecast of the tenant may have the logistics numbers. Only type 2 claims them. */
export function holdsTrackingNumbers(status: ForecastStatus, type: ForecastType): boolean {
  return type === 2 && status !== CANCELLED && status !== COMPLETED;
}

/** What a forecast releases when it takes a status: others of the tenant may have it from then on. */
export function releasesOf(
  { status, forecastType }: { readonly status: ForecastStatus; readonly forecastType: ForecastType },
  next: ForecastStatus,
): { readonly poNumber: boolean; readonly claims: boolean } {
  return {
    poNumber: holdsPoNumber(status) && !holdsPoNumber(next),
    claims: holdsTrackingNumbers(status, forecastType) && !holdsTrackingNumbers(next, forecastType),
  };
}
