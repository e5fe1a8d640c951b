import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { ForecastRecord } from './forecast.ts';

/** What of a forecast decides which fields can be corrected. */
export type CorrectableState = Pick<ForecastRecord, 'status'>;

/** What the warehouse does not act on before the parcel leaves: all that can change once it is there. */
const FILES: ReadonlySet<string> = new Set(['shipping_label', 'shipping_note']);

const { ACCEPTED, SHIPPED } = forecastStatuses;

/** True when a field can be corrected: any until the parcel arrives, the files until it leaves the warehouse or is put away. */
export function isCorrectable(field: string, { status }: CorrectableState): boolean {
  if (status === ACCEPTED) return true;
  return FILES.has(field) && status < SHIPPED;
}
