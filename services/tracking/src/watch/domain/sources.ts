import type { SourceReport } from './facts.ts';
import type { CarrierNode } from './node.ts';
import type { Shipment } from './shipment.ts';

/** What a source is asked for. */
export interface AskOptions {
  /** A query has somebody waiting. */
  readonly purpose: 'query' | 'poll';
  readonly traceparent?: string | undefined;
}

/** A source is not asked now, because of a limit that we keep. It is no failure: what is stored is the best there is. */
export class NotNow extends Error {
  /** When asking again is worthwhile, epoch milliseconds. */
  readonly until: number;
  /** For the log and the metrics. */
  readonly reason: string;
  /** Whether another source may be asked instead: not where the parcel itself was reported a moment ago. */
  readonly maySkip: boolean;

  constructor(until: number, reason: string, { maySkip = true }: { readonly maySkip?: boolean } = {}) {
    super(`The source is not asked now: ${reason}`);
    this.name = 'NotNow';
    this.until = until;
    this.reason = reason;
    this.maySkip = maySkip;
  }
}

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
   * @throws AppError 50001 when none of them can be asked, or none serves the carrier; NotNow when our own limits forbid the call
   */
  ask(shipment: Shipment, options: AskOptions): Promise<SourceResponse>;
  /** Ends the registration of a parcel that is not watched any more. A vendor that refuses is left with it, which is logged: it forgets the parcel some day. */
  release(shipment: Shipment): Promise<void>;
}
