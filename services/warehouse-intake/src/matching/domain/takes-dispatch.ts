import type { DirectoryForecast } from './event.ts';

/** True when the goods of a forecast leave the warehouse with a carrier. Those of type 1 stay: a dispatch is not for such a forecast, and waits unclaimed. */
export function takesDispatch({ forecastType }: Pick<DirectoryForecast, 'forecastType'>): boolean {
  return forecastType !== 1;
}
