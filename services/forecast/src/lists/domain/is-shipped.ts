import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { ForecastRecord } from '../../store/domain/forecast.ts';

/**
 * True when a forecast counts as shipped: its parcel was handed to a carrier. From the first dispatch on, and for good, since a dispatch is never
 * taken back. A forecast of type 1, whose goods stay in the warehouse, has none.
 */
export function isShipped({ progress }: Pick<ForecastRecord, 'progress'>): boolean {
  return progress.dispatch !== null;
}

/** The service that tracks parcels knows of a dispatch within moments, or within hours while the log is out; it may forget an old parcel. */
const UNKNOWN_TO_TRACKING_MS = 86_400_000;

/**
 * True when a parcel that nobody tracks was dispatched a moment ago: its carrier is about to be asked, so that no nodes would say too much.
 * @param now epoch milliseconds
 */
export function isTrackedSoon({ progress }: Pick<ForecastRecord, 'progress'>, now: number): boolean {
  const dispatched = progress.history.find(({ status }) => status === forecastStatuses.SHIPPED);
  return dispatched !== undefined && now - dispatched.at < UNKNOWN_TO_TRACKING_MS;
}
