import type { AdminStatus } from '@parcelway/contracts/admin-status';
import Type, { type Static, type TObject } from 'typebox';
import { nodeFields } from './node.ts';

/** A forecast as far as tracking needs it. */
export interface KnownForecast {
  readonly tenantId: string;
  readonly forecastNo: string;
  readonly poNumber: string;
}

const closed = { additionalProperties: false } as const;

/** That a source reports a parcel from now on. */
const registration = Type.Object(
  {
    connectionId: Type.String(),
    /** What the source calls the parcel; null when it gives it no name. */
    reference: Type.Union([Type.String(), Type.Null()]),
    /** Epoch milliseconds; the source forgets some registrations after a while. */
    at: Type.Number(),
    /** False where the source takes no registration of this parcel: it is not tried again for a while. */
    isTaken: Type.Boolean(),
  },
  closed,
);
export type Registration = Readonly<Static<typeof registration>>;

/** What a parcel has from its dispatch on. Times in epoch milliseconds. */
const dispatchedParcel = Type.Object(
  {
    carrierCode: Type.String(),
    trackingNumber: Type.String(),
    /** From 1; rises when another carrier is named for the parcel: what was asked of the former one does not count any more. */
    watch: Type.Integer(),
    /** The sequence of the dispatch, see Dispatch in facts.ts. */
    sequence: Type.String(),
    /** Since when this parcel is under watch; its age decides how often the carrier is asked. */
    watchedSince: Type.Number(),
    /** When the warehouse dispatched it, as it says: rows of a source that are much older are another parcel's. Not after `watchedSince`. */
    dispatchedAt: Type.Number(),
    /** admin_status of the last tracking.changed; empty when there was none. */
    publishedStatus: Type.Unsafe<AdminStatus | ''>(Type.String()),
    lastChangeAt: Type.Number(),
    /** Null when the watch has ended. */
    nextPollAt: Type.Union([Type.Number(), Type.Null()]),
    /**
     * Rises when there is news at the carrier, and when the watch resumes: a query begun before does not count
     * for those that come after, and a poll begun before does not say when the next one is.
     */
    wakes: Type.Integer(),
    /** Polls that failed since the last good one. */
    failures: Type.Integer(),
    /** When its source was last asked for it, or reported it by itself; 0 for never. Not kept for a source that may be asked any time. */
    askedAt: Type.Number(),
    /** When its source last reported it, by a response or by a push; 0 for never. Not kept either for a source that may be asked any time. */
    reportedAt: Type.Number(),
    /** See sealShipmentDetails of the contracts; null when none were reported, and once the watch has ended. */
    sealedDetails: Type.Union([Type.String(), Type.Null()]),
    /** Null when it is registered nowhere. */
    registration: Type.Union([registration, Type.Null()]),
  },
  closed,
);

export type DispatchedParcel = Readonly<Static<typeof dispatchedParcel>>;

/** A parcel that the warehouse has handed to a carrier. */
export interface Shipment extends KnownForecast, ParcelKey, DispatchedParcel {}

/** Parcels of one forecast in the order in which the warehouse dispatched them; of two at one instant, by number. */
export function inDispatchOrder(parcels: readonly Shipment[]): readonly Shipment[] {
  return [...parcels].sort((a, b) => a.dispatchedAt - b.dispatchedAt || (a.trackingNumber < b.trackingNumber ? -1 : 1));
}

/**
 * Names a parcel. The first parcel of a forecast is kept with the forecast, and `furtherNumber` is empty; each further one is kept by itself, under
 * its tracking number.
 */
export interface ParcelKey extends Pick<KnownForecast, 'tenantId' | 'forecastNo'> {
  readonly furtherNumber: string;
}

/** A key as one text; two keys never share one. */
export function keyText({ tenantId, forecastNo, furtherNumber }: ParcelKey): string {
  return JSON.stringify([tenantId, forecastNo, furtherNumber]);
}

/** The key of the first parcel of a forecast, or of a further one. */
export function parcelKey({ tenantId, forecastNo }: Pick<ParcelKey, 'tenantId' | 'forecastNo'>, furtherNumber = ''): ParcelKey {
  return { tenantId, forecastNo, furtherNumber };
}

/** Most parcels of one forecast that are watched. The forecast service takes no more dispatches (services/forecast/src/store/domain/dispatches.ts). */
export const MAX_PARCELS = 50;

/** A node with what identifies and orders it: `seq` rises in the order in which this service received the nodes; `instant` in epoch milliseconds. */
const keptNode = Type.Object({ ...nodeFields, seq: Type.Integer(), digest: Type.String(), instant: Type.Number() }, closed);
export type KeptNode = Readonly<Static<typeof keptNode>>;

/** A forecast with its first parcel, or one of its further parcels. Times in epoch milliseconds. */
export const parcelFields = {
  tenantId: Type.String(),
  forecastNo: Type.String(),
  /** See {@link ParcelKey}. */
  furtherNumber: Type.String(),
  poNumber: Type.String(),
  /** True when the forecast had been cancelled before its first dispatch. Afterwards it cannot be cancelled. */
  isCancelled: Type.Boolean(),
  /** Of the parcels beyond the first, in the order in which they became known. At most {@link MAX_PARCELS} − 1. */
  furtherNumbers: Type.Array(Type.String()),
  /** Nodes ever added: the greatest `seq` so far. */
  nodesSeen: Type.Integer(),
  /** Absent once the first parcel has gone by its retention, and further ones are left. */
  shipment: Type.Optional(dispatchedParcel),
  /** Oldest first by instant; of one instant, by `seq`. At most node MAX_NODES. Absent as well where they were not read. */
  nodes: Type.Optional(Type.Array(keptNode)),
};

/** What is known of a forecast and one of its parcels, as it is stored. */
export type Parcel = Readonly<Static<TObject<typeof parcelFields>>>;

/** The parcel as a source is asked for it; undefined when it has gone. */
export function shipmentOf({ tenantId, forecastNo, furtherNumber, poNumber, shipment }: Parcel): Shipment | undefined {
  return shipment && { tenantId, forecastNo, furtherNumber, poNumber, ...shipment };
}
