import type { AdminStatus } from '@parcelway/contracts/admin-status';
import Type, { type Static } from 'typebox';
import type { CarrierNode } from './node.ts';

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

/** What is stored of a shipment, but for what indexes have and for what a change alone is decided by. Times in epoch milliseconds. */
export const storedShipment = Type.Object(
  {
    carrierCode: Type.String(),
    /** From 1; rises when another carrier is named for the parcel: what was asked of the former one does not count any more. */
    watch: Type.Integer(),
    /** Since when this parcel is under watch; its age decides how often the carrier is asked. */
    watchedSince: Type.Number(),
    /** When the warehouse dispatched it, as it says: rows of a source that are much older are another parcel's. Not after `watchedSince`. */
    dispatchedAt: Type.Number(),
    /** admin_status of the last tracking.changed; empty when there was none. */
    publishedStatus: Type.Unsafe<AdminStatus | ''>(Type.String()),
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

/** A parcel that the warehouse has handed to a carrier. */
export interface Shipment extends KnownForecast, Readonly<Static<typeof storedShipment>> {
  readonly trackingNumber: string;
  /** See {@link ParcelKey}: null, or `trackingNumber`. */
  readonly furtherNumber: string | null;
  /** False once the watch has ended. */
  readonly isWatched: boolean;
}

/** Parcels of one forecast in the order in which the warehouse dispatched them; of two at one instant, by number. */
export function inDispatchOrder(parcels: readonly Shipment[]): readonly Shipment[] {
  return [...parcels].sort((a, b) => a.dispatchedAt - b.dispatchedAt || (a.trackingNumber < b.trackingNumber ? -1 : 1));
}

/**
 * Names a parcel. The first parcel of a forecast is kept with the forecast, and `furtherNumber` is null; each further one is kept by itself, under
 * its tracking number.
 */
export interface ParcelKey extends Pick<KnownForecast, 'tenantId' | 'forecastNo'> {
  readonly furtherNumber: string | null;
}

/** A key as one text; two keys never share one. */
export function keyText({ tenantId, forecastNo, furtherNumber }: ParcelKey): string {
  return JSON.stringify([tenantId, forecastNo, furtherNumber]);
}

/** The key under which a parcel is kept. */
export function keyOf({ forecast, shipment }: Pick<Parcel, 'forecast' | 'shipment'>): ParcelKey {
  return { tenantId: forecast.tenantId, forecastNo: forecast.forecastNo, furtherNumber: shipment?.furtherNumber ?? null };
}

/** The key of the first parcel of a forecast. */
export function firstParcel({ tenantId, forecastNo }: Pick<ParcelKey, 'tenantId' | 'forecastNo'>): ParcelKey {
  return { tenantId, forecastNo, furtherNumber: null };
}

/** The key of a further parcel of a forecast. */
export function furtherParcel({ tenantId, forecastNo }: Pick<ParcelKey, 'tenantId' | 'forecastNo'>, trackingNumber: string): ParcelKey {
  return { tenantId, forecastNo, furtherNumber: trackingNumber };
}

/** A forecast as events describe it. Times in epoch milliseconds. */
export interface ForecastEntry extends KnownForecast {
  /** 0 until the acceptance arrives. */
  readonly forecastId: number;
  readonly acceptedAt: number;
  /** Null while the forecast is live. */
  readonly cancelledAt: number | null;
  /** Tracking numbers of the parcels beyond the first, in the order in which they became known. At most {@link MAX_PARCELS} − 1. */
  readonly furtherNumbers: readonly string[];
}

/** Most parcels of one forecast that are watched. The forecast service takes no more dispatches (services/forecast/src/store/domain/dispatches.ts). */
export const MAX_PARCELS = 50;

/** The parcel under watch, with what the next change of it is decided by. Times in epoch milliseconds. */
export interface WatchedShipment extends Shipment {
  readonly sequence: string;
  readonly lastChangeAt: number;
  /** Null when the watch has ended. */
  readonly nextPollAt: number | null;
}

/** A node with what identifies and orders it. */
export interface DigestedNode {
  readonly node: CarrierNode;
  readonly digest: string;
  /** Epoch milliseconds. */
  readonly instant: number;
}

/** A node of a history. */
export interface HistoryEntry extends Omit<DigestedNode, 'node'> {
  /** Rises in the order in which this service received the nodes. */
  readonly seq: number;
  /** Undefined for a node that is stored already: its text decides nothing. */
  readonly node?: CarrierNode | undefined;
}

/** The nodes of the parcel under watch. */
export interface History {
  /** Oldest first by instant; of one instant, by `seq`. At most node MAX_NODES. */
  readonly entries: readonly HistoryEntry[];
  /** The greatest `seq` so far. */
  readonly seen: number;
}

/** What is known of a forecast and one of its parcels. Of a further parcel, `forecast` is as it was when that became known. */
export interface Parcel {
  readonly forecast: ForecastEntry;
  /** Undefined before the dispatch. */
  readonly shipment: WatchedShipment | undefined;
  readonly history: History;
}

/** The history of a parcel without nodes. */
export const EMPTY_HISTORY: History = { entries: [], seen: 0 };
