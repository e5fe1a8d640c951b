import { type AdminStatus, adminStatuses, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';

/** Words between commas. */
const list = (words: string): readonly string[] => words.split(', ');

/**
 * Carriers' words and codes that leave a parcel under way, in lower case with single blanks (see {@link normalise}). A failure is
 * no end: carriers report a delay by weather as `failure`, and try again after `delivery failed`. A parcel on its way back has
 * not yet come back.
 */
const open = {
  Pending: list('not found, no information, unknown, not found other, not found invalid code'),
  'Info Received': list(
    'information received, label created, pre transit, electronic information submitted, order created, order creation, manifested',
  ),
  'Picked Up': list(
    'pickup, picked, collected, accepted by carrier, accepted, handed over, in transit picked up, first mile arrive, gtms accept',
  ),
  'In Transit': list(
    'transit, departed, arrived, arrived at hub, departed from hub, processed, sorted, airline departed, flight arrived, ' +
      'main line arrive, delivered to local carrier',
  ),
  'Customs Clearance': list(
    'customs, in customs, customs processing, import clearance, export clearance, cleared customs, customs cleared, ' +
      'customs release, customs released, released by customs, in transit customs processing, in transit customs released, ' +
      'in transit customs requiring information, exception 004, exception 018',
  ),
  'In Delivery': list('out for delivery, delivering, with courier, with delivery courier, gtms do depart'),
  'Available for Pickup': list('ready for pickup, awaiting collection, held at location, at pickup point'),
  'Delivery Attempted': list(
    'attempt failed, failed attempt, attempted, delivery attempt, delivery attempt failed, attempt fail, not home, ' +
      'recipient absent, not delivered, delivery failed, failed delivery, delivery failure',
  ),
  Exception: list(
    'alert, delayed, delay, delivery delayed, delivery exception, damaged, held, on hold, address issue, customs hold, ' +
      'lost, destroyed, failure, failed, error, undeliverable, unable to deliver, cancelled, canceled, expired',
  ),
  Returning: list(
    'return, returned, return to sender, return to shipper, return to origin, return in progress, return in transit, ' +
      'returning to sender, returning to shipper, returning to origin, being returned to sender, will be returned to sender, ' +
      'parcel returning, refused, exception returning, exception 010',
  ),
} as const satisfies Readonly<Partial<Record<AdminStatus, readonly string[]>>>;

/** Codes that carriers and aggregators define as final, and the few phrases that can mean nothing else. Nothing besides ends a watch. */
const terminal = {
  'Delivery Success': list(
    'delivered, delivered and signed, signed, delivery complete, proof of delivery, delivered other, delivered 001, ' +
      'delivered 002, delivered 003, delivered 004, delivered 005, gtms signed',
  ),
  'Delivery Failure': list('exception lost, exception destroyed, exception cancel, exception 013, exception 020, exception 021'),
  'Parcel Return to Origin': list(
    'returned to sender, returned to shipper, returned to origin, return delivered, return complete, delivered to sender, ' +
      'delivered to shipper, exception returned, exception 011',
  ),
} as const satisfies Readonly<Partial<Record<AdminStatus, readonly string[]>>>;

/** Every word that is understood beside the platform's own, by admin_status; in the order of the contract. */
export const carrierWords: Readonly<Record<AdminStatus, readonly string[]>> = { ...open, ...terminal };

/** Lower case, with one blank for each change from small to capital letter and for each run of anything but letters and digits. */
function normalise(status: string): string {
  return status
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

const own: ReadonlySet<string> = new Set(adminStatuses);

/**
 * Word → admin_status. The platform's own names count in any writing, but for one: `DeliveryFailure` is what aggregators call an
 * attempt that failed. Only written exactly as the platform does is it the end.
 */
const table: ReadonlyMap<string, AdminStatus> = new Map(
  [...adminStatuses]
    .flatMap((status) => [status, ...carrierWords[status]].map((word): [string, AdminStatus] => [normalise(word), status]))
    .sort(([, a], [, b]) => Number(isTerminalAdminStatus(b)) - Number(isTerminalAdminStatus(a))),
);

/** What a status that no carrier has used so far counts as. */
export const UNKNOWN_STATUS: AdminStatus = 'In Transit';

/** Of a code `<Main>_<Sub>` with an unknown second part, what the first means; no end, for only the whole code could say so. */
function byMainCode(carrierStatus: string): AdminStatus | undefined {
  const main = /^([A-Za-z]+)_[A-Za-z0-9_]+$/.exec(carrierStatus.trim())?.[1];
  const status = main === undefined ? undefined : table.get(normalise(main));
  return status === undefined || isTerminalAdminStatus(status) ? undefined : status;
}

/**
 * The management status for a carrier's own status; capitals, camel case and punctuation do not matter. Undefined for one that is
 * not known: the caller takes {@link UNKNOWN_STATUS}, because a new word says no more than that the parcel is under way. It
 * must not raise an alarm as an Exception would, and never end the watch.
 */
export function adminStatusOf(carrierStatus: string): AdminStatus | undefined {
  if (own.has(carrierStatus)) return carrierStatus as AdminStatus;
  return table.get(normalise(carrierStatus)) ?? byMainCode(carrierStatus);
}
