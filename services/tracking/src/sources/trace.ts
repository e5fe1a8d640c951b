import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { type CarrierNode, MAX_NODES, nodeInstant } from '../watch/domain/node.ts';
import { type Fields, isFields } from './fields.ts';

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
}

/** What a source says of one parcel. */
export interface Trace {
  /** In the order of the source, or newest first where several lists of it were joined. */
  readonly nodes: readonly TraceNode[];
  /** Codes that have no place in the source's table, each once. Their rows count as their main status. */
  readonly unknownCodes: readonly string[];
  /** How many rows were left out: those that say nothing, have no time, or are too many. The other rows count all the same. */
  readonly leftOut: number;
}

/** The status of a row, and whether the source's table has each of its codes. */
export interface ReadStatus {
  readonly adminStatus: AdminStatus;
  readonly isKnown: boolean;
}

/** The trace of a parcel that the source does not know yet. */
export const EMPTY_TRACE: Trace = { nodes: [], unknownCodes: [], leftOut: 0 };

/** What a row says. */
export interface ReadRow extends Pick<CarrierNode, 'orderNo' | 'address' | 'content' | 'status' | 'adminStatus'> {
  /** Undefined when it has no time that exists: then it is left out. */
  readonly time: Pick<TraceNode, 'createTime' | 'times' | 'zoneBasis'> | undefined;
  /** A code that the source's table lacks; undefined for none. */
  readonly unknownCode?: string | undefined;
}

/**
 * Reads the rows of a source one by one: a row that cannot be read costs no other. Of more than {@link MAX_NODES} rows the newest count.
 * @param newest the end of the list that holds the newest row
 * @param readRow returns undefined to leave a row out; rows that are no objects are left out already
 */
export function readRows(rows: readonly unknown[], newest: 'first' | 'last', readRow: (row: Fields) => ReadRow | undefined): Trace {
  const unknown = new Set<string>();
  const kept = newest === 'first' ? rows.slice(0, MAX_NODES) : rows.slice(-MAX_NODES);
  const nodes = kept.flatMap((row): TraceNode[] => {
    const read = isFields(row) ? readRow(row) : undefined;
    if (read?.time === undefined) return [];
    const { time, unknownCode, ...said } = read;
    if (unknownCode !== undefined) unknown.add(unknownCode);
    return [{ ...said, ...time }];
  });
  return { nodes, unknownCodes: [...unknown], leftOut: rows.length - nodes.length };
}

/**
 * The item with the newest row, because numbers are used again; of several such, the first. Nothing is read of one that is alone.
 * @param timesOf times of its rows, whatever else they say; an item that cannot be read is older than all others
 */
export function newestOf<T>(
  items: readonly T[],
  timesOf: (item: T) => readonly (Parameters<typeof nodeInstant>[0] | undefined)[],
): T | undefined {
  let [newest, latest] = [items[0], Number.NEGATIVE_INFINITY];
  for (const item of items.length < 2 ? [] : items) {
    try {
      for (const time of timesOf(item)) {
        const instant = time === undefined ? latest : nodeInstant(time);
        if (instant > latest) [newest, latest] = [item, instant];
      }
    } catch {
      // Its translation fails again, with the reason, when no other item is newer.
    }
  }
  return newest;
}

/** Rows older than this before the dispatch may be of another parcel: numbers are used again. A label may be made some days before. */
export const REUSE_MARGIN_MS = 3 * 86_400_000;

/**
 * Lets the rows before a row count, by time. Rows of another parcel under the number say nothing of this one, and stay as they are.
 * @param nodes in the order of the source
 * @param statusOf the status of a node, by that of the row before it; undefined for the first
 */
export function inContext(
  nodes: readonly TraceNode[],
  { dispatchedAt }: SourceParcel,
  statusOf: (node: TraceNode, index: number, before: AdminStatus | undefined) => AdminStatus,
): TraceNode[] {
  const result = [...nodes];
  const order = nodes.map((node, index) => ({ node, index, instant: nodeInstant(node) }));
  // Rows of one time are in the order that the history gives them (oldestFirst in watch/domain/history.ts).
  if ((order[0]?.instant ?? 0) > (order.at(-1)?.instant ?? 0)) order.reverse();
  order.sort((a, b) => a.instant - b.instant);
  let before: AdminStatus | undefined;
  for (const { node, index, instant } of order) {
    if (instant < dispatchedAt - REUSE_MARGIN_MS) continue;
    before = statusOf(node, index, before);
    result[index] = { ...node, adminStatus: before };
  }
  return result;
}

const DAY_MS = 86_400_000;
/** Clocks and assumed zones may be wrong by less than this: a row that is further ahead is none of the past. */
const FUTURE_MARGIN_MS = DAY_MS;

function nodeOf({ zoneBasis, ...node }: TraceNode): CarrierNode {
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
