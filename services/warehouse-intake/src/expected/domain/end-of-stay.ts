import type { DirectoryForecast, IntakeEvent } from './event.ts';

/**
 * True when an event ends the parcel's stay in the warehouse: it was handed to a carrier, or the goods of a
 * replenishment are on the shelf. From then on a forecast whose parcel is expected
 * comes first under the number that was scanned from it.
 */
export function endsStay(event: IntakeEvent, forecast: DirectoryForecast): boolean {
  return event.detail.type === 'dispatch' || (event.detail.type === 'put_away' && forecast.forecastType === 1);
}

/** True when an event {@link endsStay | ends the stay} of a parcel of one forecast or another. */
export function mayEndStay({ detail }: IntakeEvent): boolean {
  return detail.type === 'dispatch' || detail.type === 'put_away';
}

/**
 * A report that comes in late, after the parcel has left, still belongs to it for this long. Afterwards the number
 * is taken to be on another parcel, whose forecast is waited for.
 */
export const LATE_REPORT_MS = 7 * 86_400_000;

/** True while a late report may still be on the parcel. Both in epoch milliseconds. */
export function takesLateReports(finishedAt: number, now: number): boolean {
  return now - finishedAt <= LATE_REPORT_MS;
}
