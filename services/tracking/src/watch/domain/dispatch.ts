import type { Dispatch } from './facts.ts';
import { EMPTY_HISTORY, type KnownForecast, MAX_PARCELS, type Parcel, type WatchedShipment } from './shipment.ts';

/** The parcels of a forecast after a dispatch; undefined for one that stays as it is. */
export interface Dispatched {
  /** The first parcel, with which the forecast is kept. */
  readonly first: Parcel | undefined;
  readonly further: Parcel | undefined;
}

/** A dispatch may be reported late; a day much longer ago is a mistake. */
const MAX_DISPATCH_AGE_MS = 60 * 86_400_000;

/** The forecast that an event names before its acceptance arrives, which corrects the rest. */
export function newParcel({ tenantId, forecastNo, poNumber }: KnownForecast, at: number): Parcel {
  return {
    forecast: { tenantId, forecastNo, poNumber, forecastId: 0, acceptedAt: at, cancelledAt: null, furtherNumbers: [] },
    shipment: undefined,
    history: EMPTY_HISTORY,
  };
}

/**
 * Puts a parcel under watch. Each number of a forecast is a parcel of its own. A later dispatch under a known number names another carrier for its
 * parcel, and then begins its history again, as if nothing had been published of it; an earlier one, or the same again, changes nothing.
 * @param first undefined for an unknown forecast
 * @param readFurther gives the further parcel of the number; called only when the number is not that of the first parcel
 */
export function dispatchParcel(first: Parcel | undefined, readFurther: () => Parcel | undefined, fact: Dispatch): Dispatched {
  const { trackingNumber } = fact;
  const parcel = first ?? newParcel(fact, fact.at);
  const { forecast, shipment } = parcel;
  const isListed = forecast.furtherNumbers.includes(trackingNumber);
  if (!isListed && (shipment === undefined || shipment.trackingNumber === trackingNumber)) {
    return { first: watched(parcel, fact, null), further: undefined };
  }
  if (!isListed && forecast.furtherNumbers.length >= MAX_PARCELS - 1) return { first: undefined, further: undefined };
  const listed = { ...parcel, forecast: { ...forecast, furtherNumbers: [...forecast.furtherNumbers, trackingNumber] } };
  const known = readFurther() ?? { forecast: { ...forecast, furtherNumbers: [] }, shipment: undefined, history: EMPTY_HISTORY };
  return { first: isListed ? undefined : listed, further: watched(known, fact, trackingNumber) };
}

/** The parcel under watch; undefined when it is so already. */
function watched(parcel: Parcel, fact: Dispatch, furtherNumber: string | null): Parcel | undefined {
  const { carrierCode, trackingNumber, sequence, at, dispatchedAt = at, sealedDetails = null } = fact;
  const { shipment } = parcel;
  if (shipment && sequence <= shipment.sequence) return undefined;
  if (shipment?.carrierCode === carrierCode) return { ...parcel, shipment: { ...shipment, sequence } };
  const { tenantId, forecastNo, poNumber } = parcel.forecast;
  const next: WatchedShipment = {
    tenantId,
    forecastNo,
    poNumber,
    carrierCode,
    trackingNumber,
    furtherNumber,
    watch: shipment ? shipment.watch + 1 : 1,
    sequence,
    watchedSince: at,
    dispatchedAt: Math.min(at, Math.max(dispatchedAt, at - MAX_DISPATCH_AGE_MS)),
    isWatched: true,
    publishedStatus: '',
    lastChangeAt: at,
    nextPollAt: at,
    wakes: shipment ? shipment.wakes + 1 : 0,
    failures: 0,
    askedAt: 0,
    reportedAt: 0,
    registration: null,
    sealedDetails,
  };
  return { ...parcel, shipment: next, history: shipment === undefined ? parcel.history : { ...parcel.history, entries: [] } };
}
