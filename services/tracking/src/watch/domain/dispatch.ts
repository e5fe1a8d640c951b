import type { Dispatch } from './facts.ts';
import { type DispatchedParcel, MAX_PARCELS, type Parcel } from './shipment.ts';

/** The parcels of a forecast after a dispatch; undefined for one that stays as it is. */
export interface Dispatched {
  /** The first parcel, with which the forecast is kept. */
  readonly first: Parcel | undefined;
  readonly further: Parcel | undefined;
}

/** A dispatch may be reported late; a day much longer ago is a mistake. */
const MAX_DISPATCH_AGE_MS = 60 * 86_400_000;

function newParcel({ tenantId, forecastNo, poNumber, isCancelled }: Parcel | Dispatch, furtherNumber = ''): Parcel {
  return { tenantId, forecastNo, poNumber, isCancelled, furtherNumber, furtherNumbers: [], nodesSeen: 0 };
}

/**
 * Puts a parcel under watch. Each number of a forecast is a parcel of its own. A later dispatch under a known number names another carrier for its
 * parcel, and then begins its history again, as if nothing had been published of it; an earlier one, or the same again, changes nothing.
 * @param first undefined for an unknown forecast
 * @param readFurther gives the further parcel of the number; called only when the number is not that of the first parcel
 */
export function dispatchParcel(first: Parcel | undefined, readFurther: () => Parcel | undefined, fact: Dispatch): Dispatched {
  const { trackingNumber } = fact;
  const parcel = first ?? newParcel(fact);
  const { furtherNumbers, shipment } = parcel;
  const isListed = furtherNumbers.includes(trackingNumber);
  if (!isListed && (shipment === undefined || shipment.trackingNumber === trackingNumber)) {
    return { first: watched(parcel, fact), further: undefined };
  }
  if (!isListed && furtherNumbers.length >= MAX_PARCELS - 1) return { first: undefined, further: undefined };
  const listed = { ...parcel, furtherNumbers: [...furtherNumbers, trackingNumber] };
  const known = readFurther() ?? newParcel(parcel, trackingNumber);
  return { first: isListed ? undefined : listed, further: watched(known, fact) };
}

/** The parcel under watch; undefined when it is so already. */
function watched(parcel: Parcel, fact: Dispatch): Parcel | undefined {
  const { carrierCode, trackingNumber, sequence, at, dispatchedAt = at, sealedDetails = null } = fact;
  const { shipment } = parcel;
  if (shipment && sequence <= shipment.sequence) return undefined;
  if (shipment?.carrierCode === carrierCode) return { ...parcel, shipment: { ...shipment, sequence } };
  const next: DispatchedParcel = {
    carrierCode,
    trackingNumber,
    watch: shipment ? shipment.watch + 1 : 1,
    sequence,
    watchedSince: at,
    dispatchedAt: Math.min(at, Math.max(dispatchedAt, at - MAX_DISPATCH_AGE_MS)),
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
  // The nodes may not have been read.
  return { ...parcel, shipment: next, ...(shipment && { nodes: [] }) };
}
