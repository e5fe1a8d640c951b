import type { CarrierNode } from '../domain/node.ts';
import type { UndatedRow } from '../domain/parcel-state.ts';

/** How the zone of a time is known: the source names it, the place of the node has one zone, or it is assumed. */
export type ZoneBasis = 'given' | 'derived' | 'assumed';

/** A parcel as a source is asked for it, with what some sources need to find it or to read its times. */
export interface SourceParcel {
  readonly trackingNumber: string;
  /** When the warehouse handed it over, epoch milliseconds: numbers are used again, and what is older is another parcel's. */
  readonly dispatchedAt: number;
  /** ISO 3166-1 alpha-2. */
  readonly destinationCountry?: string | undefined;
}

/** A row of a source that has a time. */
export interface TraceNode extends CarrierNode {
  readonly zoneBasis: ZoneBasis;
  /** Which of several carriers of one parcel reported it, by the source's own name of it. */
  readonly provider?: string | undefined;
}

/** What a source says of one parcel. */
export interface Trace {
  /** In the order of the source, or newest first where several lists of it were joined. */
  readonly nodes: readonly TraceNode[];
  readonly undated: readonly UndatedRow[];
  /** Codes that have no place in the source's table, each once. Their rows count as their main status. */
  readonly unknownCodes: readonly string[];
  /** Why rows were left out, one reason for each. The other rows count all the same. */
  readonly leftOut: readonly string[];
}

/** The trace of a parcel that the source does not know yet. */
export const EMPTY_TRACE: Trace = { nodes: [], undated: [], unknownCodes: [], leftOut: [] };
