import { type AdminStatus, adminStatuses } from '@parcelway/contracts/admin-status';

/**
 * What carriers call the states of a parcel, in lower case with single blanks. An attempt that failed is not a delivery
 * that failed, and a parcel on its way back has not yet come back.
 */
const synonyms: Readonly<Record<AdminStatus, readonly string[]>> = {
  Pending: ['not found', 'no information', 'unknown'],
  'Info Received': [
    'information received',
    'label created',
    'pre transit',
    'electronic information submitted',
    'order created',
    'manifested',
  ],
  'Picked Up': ['pickup', 'picked', 'collected', 'accepted by carrier', 'accepted', 'handed over'],
  'In Transit': [
    'transit',
    'departed',
    'arrived',
    'arrived at hub',
    'departed from hub',
    'processed',
    'sorted',
    'airline departed',
    'flight arrived',
  ],
  'Customs Clearance': [
    'customs',
    'in customs',
    'customs processing',
    'import clearance',
    'export clearance',
    'cleared customs',
    'customs cleared',
  ],
  'In Delivery': ['out for delivery', 'delivering', 'with courier', 'with delivery courier'],
  'Available for Pickup': ['ready for pickup', 'awaiting collection', 'held at location', 'at pickup point'],
  'Delivery Attempted': [
    'attempt failed',
    'failed attempt',
    'attempted',
    'delivery attempt',
    'delivery attempt failed',
    'attempt fail',
    'not home',
    'recipient absent',
  ],
  Exception: ['alert', 'delayed', 'delay', 'damaged', 'held', 'address issue', 'customs hold', 'lost'],
  Returning: ['return', 'return to sender', 'return in progress', 'return in transit', 'returning to sender', 'refused'],
  'Delivery Success': ['delivered', 'signed', 'delivered and signed', 'delivery complete', 'proof of delivery'],
  'Delivery Failure': ['delivery failed', 'undeliverable', 'failed', 'failure'],
  'Parcel Return to Origin': ['returned', 'returned to sender', 'returned to origin', 'return complete', 'return delivered'],
};

function normalise(status: string): string {
  return status
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const table = new Map<string, AdminStatus>(
  adminStatuses.flatMap((status) => [status, ...synonyms[status]].map((word): [string, AdminStatus] => [normalise(word), status])),
);

/** What a status that no carrier has used so far counts as. */
export const UNKNOWN_STATUS: AdminStatus = 'In Transit';

/**
 * The management status for a carrier's own status; capitals and punctuation do not matter. Undefined for one that is not
 * known: the caller takes {@link UNKNOWN_STATUS}, because a new word says no more than that the parcel is under way. It
 * must not raise an alarm as an Exception would, and never end the watch.
 */
export function adminStatusOf(carrierStatus: string): AdminStatus | undefined {
  return table.get(normalise(carrierStatus));
}
