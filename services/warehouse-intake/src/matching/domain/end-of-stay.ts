import type { DirectoryForecast, IntakeEvent } from './event.ts';

/**
 * True when an event ends the parcel's stay in the warehouse: it was handed to a carrier, or the goods of a
 * replenishment are on the shelf. From then on the number scanned from the parcel is free for another forecast.
 */
export function endsStay(event: IntakeEvent, forecast: DirectoryForecast): boolean {
  return event.detail.type === 'dispatch' || (event.detail.type === 'put_away' && forecast.forecastType === 1);
}
