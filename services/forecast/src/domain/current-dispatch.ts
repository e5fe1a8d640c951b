import type { Dispatch } from './forecast.ts';

/** The dispatch that holds after a report: the latest by the warehouse's time. A report of an earlier one changes nothing. */
export function latestDispatch(known: Dispatch | null, reported: Dispatch): Dispatch {
  return known !== null && known.dispatchedAtMs > reported.dispatchedAtMs ? known : reported;
}

/** True when two dispatches have the same carrier and number. Such a dispatch is not announced again. */
export function isSameShipment(a: Dispatch | null, b: Dispatch): boolean {
  return a !== null && a.carrierCode === b.carrierCode && a.trackingNumber === b.trackingNumber;
}
