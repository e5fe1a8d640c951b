import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { CarrierNode } from './domain/node.ts';
import type { KnownForecast, Shipment, StatusChange } from './domain/shipment.ts';
import type { NodeWish } from './domain/simulated-node.ts';

/** A parcel as a carrier knows it. The tenant keeps apart simulated parcels that share a number. */
export type CarrierParcel = Pick<Shipment, 'tenantId' | 'trackingNumber'>;

/** One carrier. */
export interface Carrier {
  /**
   * The parcel's nodes, in the order in which the carrier tells them; empty when it has none yet. Every node has a time
   * that exists.
   * @param signal ends the call
   * @throws AppError 50001 when the carrier is out, slow, or answers with anything but nodes
   */
  track(parcel: CarrierParcel, signal: AbortSignal): Promise<readonly CarrierNode[]>;
}

/** Asks the carrier of a shipment, within a deadline. */
export interface Carriers {
  /**
   * @param traceparent of what the question is asked for
   * @throws AppError 50001 with the seconds after which it is worth another try
   */
  track(shipment: Shipment, traceparent?: string): Promise<readonly CarrierNode[]>;
}

/** An accepted forecast. */
export interface AcceptedForecast extends KnownForecast {
  readonly forecastId: number;
  /** Epoch milliseconds. */
  readonly acceptedAt: number;
}

/** A dispatch that the warehouse has reported. */
export interface Dispatch extends KnownForecast {
  readonly carrierCode: string;
  readonly trackingNumber: string;
  /** Place among the dispatches of the forecast: of two, the one whose text is greater came later. */
  readonly sequence: string;
  /** When the watch begins, and the first poll is due; epoch milliseconds. */
  readonly at: number;
}

/** The directory of forecasts. Every method is idempotent and may be called in any order. */
export interface ForecastDirectory {
  accept(forecast: AcceptedForecast): Promise<void>;
  /** @param at epoch milliseconds */
  cancel(forecast: KnownForecast, at: number): Promise<void>;
  /** Puts a parcel under watch. A later dispatch under another number replaces it; an earlier one, or the same again, does nothing. */
  dispatch(dispatch: Dispatch): Promise<void>;
}

/** What is known under a po_number. */
export interface FoundForecast {
  readonly forecastNo: string;
  readonly isCancelled: boolean;
  readonly shipment: Shipment | null;
}

/** Reads shipments and histories. */
export interface ShipmentReader {
  /** The live forecast of a po_number; when all are cancelled, the newest. */
  findByPoNumber(tenantId: string, poNumber: string): Promise<FoundForecast | undefined>;
  findShipment(tenantId: string, forecastNo: string): Promise<Shipment | undefined>;
  /** The history of the parcel under watch, newest first by instant. Of one instant, the node seen last comes first. */
  history(shipment: Shipment): Promise<CarrierNode[]>;
}

/** What a carrier's answer made of a shipment. */
export interface RecordOutcome {
  /** The change that was written, if there was one. */
  readonly change: StatusChange | undefined;
  /** admin_status of the newest node of the history; empty when there is none. */
  readonly latestStatus: AdminStatus | '';
}

/** Writes what carriers tell. */
export interface NodeRecorder {
  /**
   * Adds the nodes that the history lacks. When the newest node's admin_status then differs from the one told last, the
   * event tracking.changed is written in the same durable step, so each change is told exactly once, however many
   * record at the same time. A terminal newest node ends the watch, and a correction of one takes it up again. Nothing
   * happens when another parcel has come under watch meanwhile.
   * @param nodes oldest first
   * @param now epoch milliseconds
   * @param traceparent of what had the carrier asked, for the event
   */
  record(shipment: Shipment, nodes: readonly CarrierNode[], now: number, traceparent?: string): Promise<RecordOutcome>;
}

/** A shipment that was taken to be polled. */
export interface DueShipment extends Shipment {
  /** When it was to be polled, epoch milliseconds. */
  readonly dueAt: number;
}

/** Shipments that are due. */
export interface PollQueue {
  /**
   * Takes the `limit` shipments that have been due longest and that nobody else has taken, until `now + leaseMs`.
   * Times in epoch milliseconds.
   */
  lease(now: number, leaseMs: number, limit: number): Promise<readonly DueShipment[]>;
  /**
   * Gives a leased shipment back. Does nothing when there was news meanwhile: then it is due already.
   * @param nextPollAt epoch milliseconds; null ends the watch
   * @param failures polls that failed in a row
   */
  reschedule(shipment: Shipment, nextPollAt: number | null, failures: number): Promise<void>;
}

/** How far the polls are behind. */
export interface Overdue {
  /** Shipments that are due, those included that are being polled. Counted to {@link MAX_COUNTED}: many more are no other case. */
  readonly count: number;
  /** Since when the first of them is, epoch milliseconds; null when none is. */
  readonly oldestDueAt: number | null;
}

/** As many shipments at most are counted, so that the count costs little when it is looked at most. */
export const MAX_COUNTED = 10_000;

/** Tells how far the polls are behind. */
export interface PollBacklog {
  /** Reads at most {@link MAX_COUNTED} keys of an index, and no shipment. @param now epoch milliseconds */
  overdue(now: number): Promise<Overdue>;
}

/** The nodes of the sandbox's carrier. */
export interface SimulatedParcels {
  /** Oldest first by instant; nodes of one instant in the order of their making. */
  simulatedNodes(parcel: CarrierParcel): Promise<readonly CarrierNode[]>;
  /** Adds a node to the parcel of a shipment, and makes the shipment due at once. */
  simulate(shipment: Shipment, wish: NodeWish, now: number): Promise<CarrierNode>;
}

/** Ends the keeping of old data. */
export interface Retention {
  /**
   * Deletes at most `limit` shipments that are not under watch and have not changed since `before`, with all their
   * nodes, and at most `limit` forecasts of before that time that were not dispatched. A store that keeps the outbox
   * with the shipment leaves one whose event still waits to a later call.
   * @param before epoch milliseconds
   * @returns how many of both
   */
  purge(before: number, limit: number): Promise<number>;
}

/** Everything that the service stores. */
export interface TrackingStore
  extends ForecastDirectory,
    ShipmentReader,
    NodeRecorder,
    PollQueue,
    PollBacklog,
    SimulatedParcels,
    Retention {
  /** Resolves when the store answers. */
  check(): Promise<void>;
}
