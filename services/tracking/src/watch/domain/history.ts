import type { NewNode } from './facts.ts';
import { type CarrierNode, MAX_NODES, nodeDigest, nodeInstant, nodeKey } from './node.ts';
import type { KeptNode, Parcel } from './shipment.ts';

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

/** Nodes with their digests and instants. @throws Error for a node whose time does not exist */
export function digestNodes(nodes: readonly CarrierNode[]): readonly NewNode[] {
  return nodes.map((node) => ({ ...node, digest: nodeDigest(node), instant: nodeInstant(node) }));
}

/**
 * Adds the nodes that the history of a parcel lacks. A history holds the newest {@link MAX_NODES}; what a full one has dropped stays dropped. It is in the
 * order of instants; of one instant, in the order in which nodes were received. Merchants read the reverse.
 * @param nodes oldest first
 * @returns the same object when it lacks none
 */
export function addToHistory<T extends Pick<Parcel, 'nodes' | 'nodesSeen'>>(parcel: T, nodes: readonly NewNode[]): T {
  const { nodes: kept = [], nodesSeen } = parcel;
  const known = new Set(kept.map(({ digest }) => digest));
  const from = kept.length < MAX_NODES ? Number.NEGATIVE_INFINITY : (kept[0]?.instant ?? 0);
  const added: KeptNode[] = [];
  for (const node of nodes) {
    if (known.has(node.digest) || node.instant < from) continue;
    known.add(node.digest);
    added.push({ ...node, seq: nodesSeen + added.length + 1 });
  }
  if (added.length === 0) return parcel;
  const merged = [...kept, ...added].sort((a, b) => a.instant - b.instant || a.seq - b.seq);
  return { ...parcel, nodes: merged.slice(-MAX_NODES), nodesSeen: nodesSeen + added.length };
}
