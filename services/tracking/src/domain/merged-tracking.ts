import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { isTerminal, latestStatusOf } from './latest-status.ts';
import { type CarrierNode, nodeInstant } from './node.ts';

/** What a tracking query says of all parcels of a forecast together. */
export interface MergedTracking {
  /** Newest first by instant; of one instant, those of the parcel that was dispatched later come first. */
  readonly nodes: readonly CarrierNode[];
  /** admin_status of the newest node; empty when there is none. */
  readonly latestStatus: AdminStatus | '';
  /** True when every parcel has a final status. */
  readonly isTerminal: boolean;
}

/**
 * Merges the histories of the parcels of a forecast.
 * @param histories one of each parcel, in the order of the dispatches; each newest first
 */
export function mergeTracking(histories: readonly (readonly CarrierNode[])[]): MergedTracking {
  const nodes = histories.length === 1 ? (histories[0] ?? []) : newestFirst(histories);
  return {
    nodes,
    latestStatus: latestStatusOf(nodes[0]),
    isTerminal: histories.length > 0 && histories.every(([newest]) => isTerminal(latestStatusOf(newest))),
  };
}

function newestFirst(histories: readonly (readonly CarrierNode[])[]): readonly CarrierNode[] {
  const dated = [...histories].reverse().flatMap((nodes) => nodes.map((node) => ({ node, instant: nodeInstant(node) })));
  return dated.sort((a, b) => b.instant - a.instant).map(({ node }) => node);
}
