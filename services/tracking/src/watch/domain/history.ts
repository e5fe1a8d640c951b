import { type CarrierNode, MAX_NODES, nodeDigest, nodeInstant, nodeKey } from './node.ts';
import type { DigestedNode, History, HistoryEntry } from './shipment.ts';

/**
 * The order of a parcel's nodes: by instant; of one instant, by the order in which they were received. The platform keeps a history oldest first.
 * Merchants read the reverse of this order, the newest first.
 */
function compareNodes(a: Pick<HistoryEntry, 'instant' | 'seq'>, b: Pick<HistoryEntry, 'instant' | 'seq'>): number {
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

/** Nodes with their digests and instants. @throws Error for a node whose time does not exist */
export function digestNodes(nodes: readonly CarrierNode[]): readonly DigestedNode[] {
  return nodes.map((node) => ({ node, digest: nodeDigest(node), instant: nodeInstant(node) }));
}

/** The current node of a history: the newest by its instant; of several of one instant, the one that was received last. Undefined when there is none. */
export function currentNode({ entries }: History): CarrierNode | undefined {
  return entries.at(-1)?.node;
}

/**
 * Adds the nodes that a history lacks. A history holds the newest {@link MAX_NODES}; what a full one has dropped stays dropped.
 * @param nodes oldest first
 * @returns the same object when it lacks none
 */
export function addToHistory(history: History, nodes: readonly DigestedNode[]): History {
  const { entries } = history;
  const known = new Set(entries.map(({ digest }) => digest));
  const from = entries.length < MAX_NODES ? Number.NEGATIVE_INFINITY : (entries[0]?.instant ?? 0);
  const added: HistoryEntry[] = [];
  for (const node of nodes) {
    if (known.has(node.digest) || node.instant < from) continue;
    known.add(node.digest);
    added.push({ ...node, seq: history.seen + added.length + 1 });
  }
  if (added.length === 0) return history;
  const merged = [...entries, ...added].sort(compareNodes).slice(-MAX_NODES);
  return { entries: merged, seen: history.seen + added.length };
}
