import type { ParcelKey } from './parcel-key.ts';
import { EMPTY_HISTORY, type Parcel } from './parcel-state.ts';

/**
 * The first parcel of a forecast once some of its parcels are deleted.
 * @returns undefined when none is left: the forecast goes with the last of them
 */
export function withoutParcels(first: Parcel, gone: readonly ParcelKey[]): Parcel | undefined {
  const numbers = new Set(gone.map(({ furtherNumber }) => furtherNumber));
  const furtherNumbers = first.forecast.furtherNumbers.filter((number) => !numbers.has(number));
  const shipment = numbers.has(null) ? undefined : first.shipment;
  if (shipment === undefined && furtherNumbers.length === 0) return undefined;
  const history = shipment === undefined ? EMPTY_HISTORY : first.history;
  return { ...first, forecast: { ...first.forecast, furtherNumbers }, shipment, history };
}

/** A parcel that has ended before any time. */
export function aged({ shipment, forecast, ...parcel }: Parcel): Parcel {
  const ended = shipment && { ...shipment, isWatched: false, nextPollAt: null, lastChangeAt: 0 };
  return { ...parcel, forecast: { ...forecast, acceptedAt: 0 }, shipment: ended };
}
