import type { CarrierNode } from './node.ts';
import type { KnownForecast, Shipment } from './shipment.ts';

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
