import type { AdminStatus } from '@parcelway/contracts/admin-status';

/** A forecast as far as tracking needs it. */
export interface KnownForecast {
  readonly tenantId: string;
  readonly forecastNo: string;
  readonly poNumber: string;
}

/** A parcel that the warehouse has handed to a carrier. */
export interface Shipment extends KnownForecast {
  readonly carrierCode: string;
  readonly trackingNumber: string;
  /** See ParcelKey (parcel-key.ts): null, or `trackingNumber`. */
  readonly furtherNumber: string | null;
  /** From 1; rises when another carrier is named for the parcel: what was asked of the former one does not count any more. */
  readonly watch: number;
  /** Since when this parcel is under watch, epoch milliseconds; its age decides how often the carrier is asked. */
  readonly watchedSince: number;
  /** When the warehouse dispatched it, as it says, epoch milliseconds: rows of a source that are much older are another parcel's. Not after `watchedSince`. */
  readonly dispatchedAt: number;
  /** False once the watch has ended. */
  readonly isWatched: boolean;
  /** admin_status of the last tracking.changed; empty when there was none. */
  readonly publishedStatus: AdminStatus | '';
  /**
   * Rises when there is news at the carrier, and when the watch resumes: a query begun before does not count
   * for those that come after, and a poll begun before does not say when the next one is.
   */
  readonly wakes: number;
  /** Polls that failed since the last good one. */
  readonly failures: number;
  /** When its source was last asked for it, or reported it by itself, epoch milliseconds; 0 for never. Not kept for a source that may be asked any time. */
  readonly askedAt: number;
  /** When its source last reported it, by a response or by a push, epoch milliseconds; 0 for never. Not kept either for a source that may be asked any time. */
  readonly reportedAt: number;
  /** Null when it is registered nowhere. */
  readonly registration: Registration | null;
  /** See sealShipmentDetails of the contracts; null when none were reported, and once the watch has ended. */
  readonly sealedDetails: string | null;
}

/** Parcels of one forecast in the order in which the warehouse dispatched them; of two at one instant, by number. */
export function inDispatchOrder(parcels: readonly Shipment[]): readonly Shipment[] {
  return [...parcels].sort((a, b) => a.dispatchedAt - b.dispatchedAt || (a.trackingNumber < b.trackingNumber ? -1 : 1));
}

/** That a source reports a parcel from now on. */
export interface Registration {
  readonly connectionId: string;
  /** What the source calls the parcel; null when it gives it no name. */
  readonly reference: string | null;
  /** False where the source takes no registration of this parcel: it is not tried again for a while. */
  readonly isTaken: boolean;
  /** Epoch milliseconds; the source forgets some registrations after a while. */
  readonly at: number;
}
