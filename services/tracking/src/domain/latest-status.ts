import { type AdminStatus, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import type { CarrierNode } from './node.ts';

/**
 * The latest status of a parcel: the admin_status of its newest node; empty while it has none. Which node is the newest, the history says
 * (history.ts `currentNode`).
 * @param newest undefined when there is no node
 */
export function latestStatusOf(newest: Pick<CarrierNode, 'adminStatus'> | undefined): AdminStatus | '' {
  return newest?.adminStatus ?? '';
}

/**
 * True when this latest status is a final one, which ends the watch (status-change.ts). Only the newest node
 * counts: a carrier that corrects a final status puts the parcel under way again. A parcel without nodes is under way.
 */
export function isTerminal(latestStatus: AdminStatus | ''): boolean {
  return isTerminalAdminStatus(latestStatus);
}
