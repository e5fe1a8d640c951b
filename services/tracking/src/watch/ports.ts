import type { SourceReport } from './domain/facts.ts';
import type { CarrierNode } from './domain/node.ts';
import type { AskOptions, Shipment } from './domain/shipment.ts';

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
