import type { DirectoryForecast } from './event.ts';

/**
 * True when the goods of a forecast leave the warehouse with a carrier. Those of type 1 stay: a report of their dispatch is refused, and one that
 * waited before its forecast was known waits on (./match-batch.ts). The forecast service has the same rule in domain/status-transitions.ts.
 */
export function takesDispatch({ forecastType }: Pick<DirectoryForecast, 'forecastType'>): boolean {
  return forecastType !== 1;
}
