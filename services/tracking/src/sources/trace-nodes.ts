import { type CarrierNode, nodeInstant } from '../watch/domain/node.ts';
import { REUSE_MARGIN_MS, type Trace, type TraceNode } from './trace.ts';

const DAY_MS = 86_400_000;
/** Clocks and assumed zones may be wrong by less than this: a row that is further ahead is none of the past. */
const FUTURE_MARGIN_MS = DAY_MS;

function nodeOf({ orderNo, address, content, status, createTime, times, adminStatus, zoneBasis }: TraceNode): CarrierNode {
  const node = { orderNo, address, content, status, createTime, times, adminStatus };
  return zoneBasis === 'assumed' ? { ...node, timeAssumed: true } : node;
}

/** The nodes of a trace that belong to the parcel. */
export interface ParcelNodes {
  /** In the order of the source. */
  readonly nodes: readonly CarrierNode[];
  /** Rows that are too old to be of this parcel. */
  readonly tooOld: number;
  /** Rows that lie in the future. They come again when their time has come. */
  readonly ahead: number;
}

/**
 * Chooses the nodes of a parcel: those of another parcel under the same number, and those of the future, are left out.
 * @param dispatchedAt when the parcel came under watch; times in epoch milliseconds
 */
export function nodesOfParcel({ nodes }: Trace, dispatchedAt: number, now: number): ParcelNodes {
  let [tooOld, ahead] = [0, 0];
  const kept = nodes.filter((node) => {
    const instant = nodeInstant(node);
    if (instant < dispatchedAt - REUSE_MARGIN_MS) tooOld += 1;
    else if (instant > now + FUTURE_MARGIN_MS) ahead += 1;
    else return true;
    return false;
  });
  return { nodes: kept.map(nodeOf), tooOld, ahead };
}
