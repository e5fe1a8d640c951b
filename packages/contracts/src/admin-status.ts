/** Management status of a tracking node while the parcel is under way. */
export const openAdminStatuses = [
  'Pending',
  'Info Received',
  'Picked Up',
  'In Transit',
  'Customs Clearance',
  'In Delivery',
  'Available for Pickup',
  'Delivery Attempted',
  'Exception',
  'Returning',
] as const;

/** Management status that ends a parcel's way (specification, States and transitions). */
export const terminalAdminStatuses = ['Delivery Success', 'Delivery Failure', 'Parcel Return to Origin'] as const;

/** Every `admin_status`. */
export const adminStatuses = [...openAdminStatuses, ...terminalAdminStatuses] as const;

/** Management status of a tracking node; basis of change and terminal detection. */
export type AdminStatus = (typeof adminStatuses)[number];

/** True when a node with this status as the newest ends the tracking. */
export function isTerminalAdminStatus(status: string): boolean {
  return (terminalAdminStatuses as readonly string[]).includes(status);
}
