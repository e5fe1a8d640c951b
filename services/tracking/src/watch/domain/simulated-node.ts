import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { type CarrierNode, DEFAULT_TIMES, localTime, nodeInstant, offsetOf } from './node.ts';

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
 * @param known the parcel's nodes, in any order
 */
export function simulateNode(
  known: readonly CarrierNode[],
  wish: NodeWish,
  { trackingNumber, now }: { readonly trackingNumber: string; readonly now: number },
): CarrierNode {
  const times = wish.times ?? DEFAULT_TIMES;
  const instant = Math.max(Math.floor(now / 1000) * 1000, ...known.map((node) => nodeInstant(node) + 1000));
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
