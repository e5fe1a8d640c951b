import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { type CarrierNode, DEFAULT_TIMES, localTime, MAX_NODES, offsetOf } from './node.ts';

/** What a sandbox user says of a new node. */
export interface NodeWish {
  readonly adminStatus: AdminStatus;
  readonly content?: string | undefined;
  readonly address?: string | undefined;
  readonly createTime?: string | undefined;
  readonly times?: string | undefined;
}

/** Numbers that begin with this make the simulated carrier unavailable. */
export const DOWN_PREFIX = 'SIMDOWN';

/**
 * The node of the simulated carrier. Without a time of its own it happens now, and strictly after every node that the
 * parcel has: two of the same second keep their order.
 * @param newest instant of the parcel's newest node, undefined when there is none
 * @param now epoch milliseconds
 */
export function simulateNode(wish: NodeWish, trackingNumber: string, newest: number | undefined, now: number): CarrierNode {
  const times = wish.times ?? DEFAULT_TIMES;
  const second = Math.floor(now / 1000) * 1000;
  const instant = newest === undefined ? second : Math.max(second, newest + 1000);
  return {
    orderNo: trackingNumber,
    address: wish.address ?? '',
    content: wish.content ?? wish.adminStatus,
    status: wish.adminStatus,
    createTime: wish.createTime ?? localTime(instant, offsetOf(times) ?? 0),
    times,
    adminStatus: wish.adminStatus,
  };
}

/** What a new simulated node changes. */
export interface SimulatedNodeDecision {
  readonly node: CarrierNode;
  /** So many of the nodes that were created first go. */
  readonly dropped: number;
}

/**
 * Decides the next node of a simulated parcel, which keeps the last {@link MAX_NODES}.
 * @param instants of the parcel's nodes, in any order
 */
export function addSimulatedNode(
  instants: readonly number[],
  wish: NodeWish,
  { trackingNumber, now }: { readonly trackingNumber: string; readonly now: number },
): SimulatedNodeDecision {
  const newest = instants.length === 0 ? undefined : Math.max(...instants);
  return { node: simulateNode(wish, trackingNumber, newest, now), dropped: Math.max(0, instants.length + 1 - MAX_NODES) };
}
