import { type CarrierNode, MAX_NODES, nodeInstant, nodeKey } from './node.ts';

/** The place of a node in its history. */
export interface PlacedNode {
  /** Epoch milliseconds. */
  readonly instant: number;
  /** From 1, in the order in which nodes were received. */
  readonly seq: number;
}

/**
 * The order of a parcel's nodes: by instant; of one instant, by the order in which they were received. The platform keeps a history oldest first.
 * Merchants read the reverse of this order, the newest first.
 */
export function compareNodes(a: PlacedNode, b: PlacedNode): number {
  return a.instant - b.instant || a.seq - b.seq;
}

/**
 * A carrier's response as a history: oldest first by instant, without repeats, at most {@link MAX_NODES} (the newest).
 * Nodes of one instant keep the order of the carrier's response, whether it begins with the oldest or with
 * the newest.
 */
export function oldestFirst(nodes: readonly CarrierNode[]): CarrierNode[] {
  const dated = nodes.map((node) => ({ node, instant: nodeInstant(node) }));
  const [first, last] = [dated[0], dated[dated.length - 1]];
  if (first && last && first.instant > last.instant) dated.reverse();
  dated.sort((a, b) => a.instant - b.instant);
  const unique = new Map(dated.map(({ node }) => [nodeKey(node), node]));
  return [...unique.values()].slice(-MAX_NODES);
}
