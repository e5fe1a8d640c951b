import type { Connection } from '../accounts/domain/connection.ts';
import type { AskOptions } from '../accounts/ports.ts';
import type { Decision, ReadParcel } from './domain/decide.ts';
import type { SourceReport } from './domain/facts.ts';
import type { CarrierNode } from './domain/node.ts';
import type { ParcelKey } from './domain/parcel-key.ts';
import type { Shipment } from './domain/shipment.ts';
import type { NodeWish } from './domain/simulated-node.ts';

/** A parcel as a carrier knows it. The tenant keeps apart simulated parcels that share a number. */
export type CarrierParcel = Pick<Shipment, 'tenantId' | 'trackingNumber'>;

/** What a source responded for a shipment. */
export interface SourceResponse {
  /** In the order of the source. */
  readonly nodes: readonly CarrierNode[];
  /** Undefined for a carrier that may be asked any time. */
  readonly report?: SourceReport | undefined;
  /** Called when the history lacked some of the nodes. */
  readonly onNews?: (() => void) | undefined;
}

/** Asks whatever describes the parcels of a carrier: the connections that serve it, each the fallback of the one before. */
export interface Sources {
  /**
   * @throws AppError 50001 when none of them can be asked, or none serves the carrier; NotNow (domain/not-now.ts) when our own limits forbid the call
   */
  ask(shipment: Shipment, options: AskOptions): Promise<SourceResponse>;
  /** Ends the registration of a parcel that is not watched any more. A vendor that refuses is left with it, which is logged: it forgets the parcel some day. */
  release(shipment: Shipment): Promise<void>;
}

/** A parcel that a push reports. */
export interface PushedParcel {
  readonly trackingNumber: string;
  /** False for another parcel under the same number. */
  isOf(shipment: Shipment): boolean;
  /** What the push says of it. @throws AppError 40001 when it cannot be read */
  responseFor(shipment: Shipment): SourceResponse;
}

/** A push, once it was read. */
export type ReadPush =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused' }
  /** Its signature is right, and it is no push of the source. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  | {
      readonly kind: 'push';
      /** False when nothing proves where it comes from: it says that there is news, and no more. */
      readonly isProved: boolean;
      readonly parcels: readonly PushedParcel[];
      /** Text of the response that the source waits for; undefined where the status is enough. */
      readonly acknowledgement: string | undefined;
    };

/** Verifies and reads pushes. */
export interface PushReader {
  /** @param body as it came, byte by byte @param headers by name in lower case @throws AppError 50301 when the store is out */
  read(connection: Connection, body: Uint8Array, headers: Readonly<Record<string, string | undefined>>): Promise<ReadPush>;
}

/** A parcel to read, and how much of it. */
export interface ParcelQuery extends ParcelKey {
  /** True when its history is needed to decide. */
  readonly withHistory: boolean;
}

/** Everything that changes a parcel. */
export interface ParcelStore {
  /**
   * Reads parcels, decides on them, and writes the decision: each parcel with its messages in one durable step, and only if it is
   * still as it was read. Otherwise it is read and decided again, so `decide` may run several times and must be pure.
   * @param queries each parcel once
   * @returns the decision that was written
   * @throws AppError 50301 when the store is out, or others were quicker each time
   */
  change(queries: readonly ParcelQuery[], decide: (known: ReadParcel) => Decision): Promise<Decision>;
}

/** What is known under a po_number. */
export interface FoundForecast {
  readonly forecastNo: string;
  readonly isCancelled: boolean;
  /** In the order of their dispatches; empty before the first. */
  readonly shipments: readonly Shipment[];
}

/** Reads shipments and histories. */
export interface ShipmentReader {
  /** The live forecast of a po_number; when all are cancelled, the newest. */
  findByPoNumber(tenantId: string, poNumber: string): Promise<FoundForecast | undefined>;
  /** The parcels of a forecast, in the order of their dispatches; at most MAX_PARCELS (domain/parcel-state.ts). */
  findShipments(tenantId: string, forecastNo: string): Promise<readonly Shipment[]>;
  /** The history of a parcel, newest first by instant. Of one instant, the node seen last comes first. At most `limit`, the newest. */
  history(shipment: Shipment, limit: number): Promise<CarrierNode[]>;
}

/** Finds parcels by what a source calls them. */
export interface ShipmentFinder {
  /**
   * The parcels under watch with a tracking number, of any tenant; at most `limit`, those that came under watch last.
   * @param trackingNumber as the dispatch named it
   */
  findByNumber(trackingNumber: string, limit: number): Promise<readonly Shipment[]>;
}

/** A shipment that was taken to be polled. */
export interface DueShipment extends Shipment {
  /** When it was to be polled, epoch milliseconds. */
  readonly dueAt: number;
}

/** Shipments that are due. */
export interface PollQueue {
  /**
   * Takes the `limit` shipments that have been due longest (see domain/schedule isDue).
   * @param until end of the lease; times in epoch milliseconds
   */
  lease(now: number, until: number, limit: number): Promise<readonly DueShipment[]>;
}

/** How far the polls are behind. */
export interface Overdue {
  /** Shipments that are due, including those being polled. Counted up to {@link MAX_COUNTED}. */
  readonly count: number;
  /** Since when the first of them is, epoch milliseconds; null when none is. */
  readonly oldestDueAt: number | null;
}

/** At most so many shipments are counted, so that the count stays cheap in a backlog. */
export const MAX_COUNTED = 10_000;

/** Measures how far the polls are behind. */
export interface PollBacklog {
  /** Reads at most {@link MAX_COUNTED} keys of an index, and no shipment. @param now epoch milliseconds */
  overdue(now: number): Promise<Overdue>;
}

/** The nodes of the sandbox's carrier. */
export interface SimulatedParcels {
  /** Oldest first by instant; nodes of one instant in the order of their creation. */
  simulatedNodes(parcel: CarrierParcel): Promise<readonly CarrierNode[]>;
  /** Adds a node to a parcel, which need not be known. @param now epoch milliseconds */
  addSimulatedNode(parcel: CarrierParcel, wish: NodeWish, now: number): Promise<CarrierNode>;
}

/** Names a forecast. */
export type ForecastName = Pick<Shipment, 'tenantId' | 'forecastNo'>;

/** Deletes old data. */
export interface Retention {
  /** The shipments that {@link purge} would delete, at most `limit`. */
  ended(before: number, limit: number): Promise<readonly Shipment[]>;
  /** Makes all that is known of forecasts older than any time, so that the next purge deletes it; watches end. */
  age(forecasts: readonly ForecastName[]): Promise<void>;
  /**
   * Deletes at most `limit` shipments that are not under watch and have not changed since `before`, with all their
   * nodes, and at most `limit` forecasts of before that time that were not dispatched. A store that keeps the outbox
   * with the shipment leaves one with a pending event to a later call.
   * @param before epoch milliseconds
   * @param chosen keys (domain/parcel-key) of the shipments that may be deleted; all of them when it is undefined
   * @returns how many of both
   */
  purge(before: number, limit: number, chosen?: ReadonlySet<string>): Promise<number>;
}

/** Everything that the service stores. */
export interface TrackingStore extends ParcelStore, ShipmentReader, ShipmentFinder, PollQueue, PollBacklog, SimulatedParcels, Retention {
  check(): Promise<void>;
}
