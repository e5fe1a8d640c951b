import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { cleanText, codeTable, type Fields, isFields } from '../fields.ts';
import { readSourceTime } from '../source-time.ts';
import { type ReadRow, type ReadStatus, readRows, type SourceParcel, type Trace } from '../trace.ts';
import { alpha2Of } from './country-codes.ts';

/** Statuses by `tag`. "Delivered" alone ends the parcel's way; every other tag leaves it open. */
const afterShipTags: ReadonlyMap<string, AdminStatus> = codeTable<AdminStatus>({
  Pending: 'Pending',
  'Info Received': 'InfoReceived',
  'In Transit': 'InTransit',
  'In Delivery': 'OutForDelivery',
  'Delivery Attempted': 'AttemptFail',
  'Delivery Success': 'Delivered',
  'Available for Pickup': 'AvailableForPickup',
  Exception: 'Exception Expired',
});

/**
 * Statuses by `subtag`, which decides over `tag`. Sources: the vendor's pages "Delivery Sub-statuses" and "Learn About Delivery
 * Sub-Status".
 */
const afterShipSubtags: ReadonlyMap<string, AdminStatus> = codeTable<AdminStatus>({
  Pending: 'Pending_001 Pending_002 Pending_003 Pending_004 Pending_005 Pending_006',
  'Info Received': 'InfoReceived_001',
  // The carrier accepts the parcel.
  'Picked Up': 'InTransit_002',
  // At a hub, in the country of destination, on from a hub, a problem is resolved, another address; 011 to 013 are new in 2026-07.
  'In Transit':
    'InTransit_001 InTransit_003 InTransit_004 InTransit_007 InTransit_008 InTransit_009 InTransit_011 InTransit_012 InTransit_013',
  // Customs release it, have it, delay it; documents are missing or wrong.
  'Customs Clearance': 'InTransit_005 InTransit_006 Exception_004 Exception_018',
  // The recipient is contacted; an appointment is made.
  'In Delivery': 'OutForDelivery_001 OutForDelivery_003 OutForDelivery_004',
  // AvailableForPickup_001 replaced OutForDelivery_002, which old webhook versions may still send.
  'Available for Pickup': 'AvailableForPickup_001 OutForDelivery_002',
  // No reason; nobody there; business closed.
  'Delivery Attempted': 'AttemptFail_001 AttemptFail_002 AttemptFail_003',
  // Delivered; fetched by the recipient; signed; paid on delivery; to a neighbour.
  'Delivery Success': 'Delivered_001 Delivered_002 Delivered_003 Delivered_004 Delivered_005',
  // No reason, recipient moved, refuses; other delay, held for payment, wrong address, not fetched, against the rules, damaged; delays of network,
  // weather and flight.
  Exception:
    'Exception_001 Exception_002 Exception_003 Exception_005 Exception_006 Exception_007 Exception_008 Exception_009 Exception_012 ' +
    'Exception_016 Exception_017 Exception_019 Expired_001',
  Returning: 'Exception_010',
  'Parcel Return to Origin': 'Exception_011',
  // Lost; cancelled; disposed of.
  'Delivery Failure': 'Exception_013 Exception_020 Exception_021',
});

/**
 * The tag that a row counts as: the beginning of its subtag. Only a known subtag is a delivery against its tag: with an unknown one, both
 * must say "Delivered" or one be missing.
 */
function mainTagOf(tag: string, subtag: string): string | undefined {
  const beginning = subtag.split('_', 1)[0] ?? '';
  if (afterShipSubtags.has(subtag)) return beginning;
  if (subtag === '' || (beginning === 'Delivered' && tag !== '')) return tag;
  if (afterShipTags.has(beginning)) return beginning;
  return tag === 'Delivered' ? undefined : tag;
}

/**
 * Management status of a row. Rules: the subtag decides; an unknown subtag counts as what it begins with,
 * and ends no way that its tag leaves open; an unknown tag is In Transit.
 * @param tag such as `InTransit`; empty when there is none
 * @param subtag such as `InTransit_007`; empty when there is none
 */
function adminStatusOfAfterShip(tag: string, subtag = ''): ReadStatus {
  const decided = afterShipSubtags.get(subtag);
  if (decided !== undefined) return { adminStatus: decided, isKnown: true };
  const adminStatus = afterShipTags.get(mainTagOf(tag, subtag) ?? '');
  return { adminStatus: adminStatus ?? 'In Transit', isKnown: adminStatus !== undefined && subtag === '' };
}

const NO_CODE = '(no code)';

/** Words of a text between blanks, so that a name is found in a longer one as a whole. */
function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** A readable place, most specific first. `location` often names city and country already; nothing is said twice. */
function addressOf(checkpoint: Fields): string {
  const field = (name: string): string => cleanText(checkpoint[name], 500);
  const country = alpha2Of(checkpoint['country_region']);
  let address = field('location');
  for (const part of [field('city'), field('state')])
    if (part !== '' && !wordsOf(address).includes(wordsOf(part))) address = address === '' ? part : `${address}, ${part}`;
  const names = [country ?? '', field('country_region'), field('country_region_name')].filter((name) => name !== '');
  const [name] = country === undefined ? names.slice(-1) : names;
  if (name !== undefined && !names.some((known) => wordsOf(address).includes(wordsOf(known))))
    address = address === '' ? name : `${address}, ${name}`;
  return cleanText(address, 500);
}

/**
 * A checkpoint as a row of the trace.
 * @param orderNo the parcel's number, for every row: the numbers of its legs come later than their rows, which would be stored twice
 */
function rowOf(checkpoint: Fields, orderNo: string): ReadRow | undefined {
  const [tag, subtag] = [cleanText(checkpoint['tag'], 200), cleanText(checkpoint['subtag'], 200)];
  const content = cleanText(checkpoint['message'], 2000) || cleanText(checkpoint['subtag_message'], 2000);
  const status = subtag || tag;
  if (status === '' && content === '') return undefined;
  // Expired is a state of the watch.
  if (mainTagOf(tag, subtag) === 'Expired') return undefined;
  const state = cleanText(checkpoint['state'], 100);
  const time = readSourceTime(checkpoint['checkpoint_time'], { country: alpha2Of(checkpoint['country_region']), state });
  const { adminStatus, isKnown } = adminStatusOfAfterShip(tag, subtag);
  return {
    orderNo,
    address: addressOf(checkpoint),
    content,
    status,
    adminStatus,
    time,
    unknownCode: isKnown ? undefined : status || NO_CODE,
  };
}

/** Checkpoints without those that come a second time, by the `hash` that 2026-07 gives them. */
function withoutRepeats(checkpoints: readonly unknown[]): unknown[] {
  const hashes = new Set<string>();
  return checkpoints.filter((checkpoint) => {
    const hash = isFields(checkpoint) ? checkpoint['hash'] : undefined;
    if (typeof hash !== 'string' || hash === '') return true;
    if (hashes.has(hash)) return false;
    hashes.add(hash);
    return true;
  });
}

/**
 * Translates a tracking of AfterShip, as `data` of `GET /trackings/:id`, an element of `data.trackings` and `msg` of a push hold it. The
 * status of the tracking itself makes no node: it may be Expired, which is a state of the watch.
 * @throws Error when it is no tracking
 */
export function translateAfterShip(raw: unknown, parcel: SourceParcel): Trace {
  if (!isFields(raw) || cleanText(raw['tracking_number'], 100) === '') throw new Error('The response is no tracking of AfterShip');
  const checkpoints = raw['checkpoints'] ?? [];
  if (!Array.isArray(checkpoints)) throw new Error('The checkpoints of the tracking are no list');
  const orderNo = cleanText(parcel.trackingNumber, 100);
  return readRows(withoutRepeats(checkpoints), 'last', (checkpoint) => rowOf(checkpoint, orderNo));
}
