import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { type CanonicalForecast, type ForecastType, trackingNumbersOf } from './canonical.ts';

const { COMPLETED, CANCELLED } = forecastStatuses;

/*
 * The numbers that a forecast holds, so that no other forecast of the tenant may have them, and until when:
 * - its po_number, until it is cancelled;
 * - the logistics numbers of its items, while it is live: until it is completed or cancelled. Only type 2 claims them. Two live type 2
 *   forecasts of a tenant never share a logistics number.
 * The stores enforce this. submission/check-content.ts has the refusal; holds of the warehouse are in ./holds.ts.
 */

/** True while no other forecast of the tenant may have the po_number. */
export function holdsPoNumber(status: ForecastStatus): boolean {
  return status !== CANCELLED;
}

/** The logistics numbers that no other live forecast of the tenant may have. Only type 2 claims them. */
export function claimsOf(forecast: CanonicalForecast): string[] {
  return forecast.forecast_type === 2 ? trackingNumbersOf(forecast) : [];
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
