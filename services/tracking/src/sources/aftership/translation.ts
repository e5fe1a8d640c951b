import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { MAX_NODES } from '../../domain/node.ts';
import type { UndatedRow } from '../../domain/parcel-state.ts';
import { cleanText } from '../clean-text.ts';
import { readSourceTime } from '../source-time.ts';
import type { SourceParcel, Trace, TraceNode } from '../trace.ts';
import { alpha2Of } from './country-codes.ts';

/** Statuses by `tag`. "Delivered" alone ends the parcel's way; every other tag leaves it open. */
export const afterShipTags: ReadonlyMap<string, AdminStatus> = new Map([
  ['Pending', 'Pending'],
  ['InfoReceived', 'Info Received'],
  ['InTransit', 'In Transit'],
  ['OutForDelivery', 'In Delivery'],
  ['AttemptFail', 'Delivery Attempted'],
  ['Delivered', 'Delivery Success'],
  ['AvailableForPickup', 'Available for Pickup'],
  ['Exception', 'Exception'],
  ['Expired', 'Exception'],
]);

/**
 * Statuses by `subtag`, which decides over `tag`. Sources: the vendor's pages "Delivery Sub-statuses" and "Learn About Delivery
 * Sub-Status".
 */
export const afterShipSubtags: ReadonlyMap<string, AdminStatus> = new Map([
  ['Pending_001', 'Pending'],
  ['Pending_002', 'Pending'],
  ['Pending_003', 'Pending'],
  ['Pending_004', 'Pending'],
  ['Pending_005', 'Pending'],
  ['Pending_006', 'Pending'],
  ['InfoReceived_001', 'Info Received'],
  ['InTransit_001', 'In Transit'],
  // The carrier accepts the parcel.
  ['InTransit_002', 'Picked Up'],
  // It arrives at a hub; in the country of destination.
  ['InTransit_003', 'In Transit'],
  ['InTransit_004', 'In Transit'],
  // Customs release it; customs have it.
  ['InTransit_005', 'Customs Clearance'],
  ['InTransit_006', 'Customs Clearance'],
  // It departs from a hub; a problem is resolved; it goes to another address.
  ['InTransit_007', 'In Transit'],
  ['InTransit_008', 'In Transit'],
  ['InTransit_009', 'In Transit'],
  // New in 2026-07.
  ['InTransit_011', 'In Transit'],
  ['InTransit_012', 'In Transit'],
  ['InTransit_013', 'In Transit'],
  ['OutForDelivery_001', 'In Delivery'],
  // AvailableForPickup_001 replaced it; old webhook versions may still send it.
  ['OutForDelivery_002', 'Available for Pickup'],
  // The recipient is contacted; an appointment is made.
  ['OutForDelivery_003', 'In Delivery'],
  ['OutForDelivery_004', 'In Delivery'],
  ['AvailableForPickup_001', 'Available for Pickup'],
  // No reason; nobody there; business closed.
  ['AttemptFail_001', 'Delivery Attempted'],
  ['AttemptFail_002', 'Delivery Attempted'],
  ['AttemptFail_003', 'Delivery Attempted'],
  // Delivered; fetched by the recipient; signed; paid on delivery; to a neighbour.
  ['Delivered_001', 'Delivery Success'],
  ['Delivered_002', 'Delivery Success'],
  ['Delivered_003', 'Delivery Success'],
  ['Delivered_004', 'Delivery Success'],
  ['Delivered_005', 'Delivery Success'],
  // No reason; recipient moved; recipient refuses.
  ['Exception_001', 'Exception'],
  ['Exception_002', 'Exception'],
  ['Exception_003', 'Exception'],
  // Customs delay it.
  ['Exception_004', 'Customs Clearance'],
  // Other delay; held for payment; wrong address; not fetched; against the carrier's rules.
  ['Exception_005', 'Exception'],
  ['Exception_006', 'Exception'],
  ['Exception_007', 'Exception'],
  ['Exception_008', 'Exception'],
  ['Exception_009', 'Exception'],
  // On its way back; back; damaged; lost.
  ['Exception_010', 'Returning'],
  ['Exception_011', 'Parcel Return to Origin'],
  ['Exception_012', 'Exception'],
  ['Exception_013', 'Delivery Failure'],
  // Delay in the carrier's network; by weather.
  ['Exception_016', 'Exception'],
  ['Exception_017', 'Exception'],
  // Documents are missing or wrong.
  ['Exception_018', 'Customs Clearance'],
  // Delayed flight; cancelled; disposed of.
  ['Exception_019', 'Exception'],
  ['Exception_020', 'Delivery Failure'],
  ['Exception_021', 'Delivery Failure'],
  ['Expired_001', 'Exception'],
]);

/** `admin_status` of a row, and whether the vendor's tables name its codes. */
export interface AfterShipStatus {
  readonly adminStatus: AdminStatus;
  readonly isKnown: boolean;
}

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
export function adminStatusOfAfterShip(tag: string, subtag = ''): AfterShipStatus {
  const decided = afterShipSubtags.get(subtag);
  if (decided !== undefined) return { adminStatus: decided, isKnown: true };
  const adminStatus = afterShipTags.get(mainTagOf(tag, subtag) ?? '');
  return { adminStatus: adminStatus ?? 'In Transit', isKnown: adminStatus !== undefined && subtag === '' };
}

const NO_CODE = '(no code)';
const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Carrier of a row by its slug; none when AfterShip does not recognise the carrier. */
export function carrierOf(slug: unknown): string | undefined {
  const carrier = cleanText(slug, 100);
  return carrier === '' || carrier === 'unrecognized' ? undefined : carrier;
}

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

/** True when the carrier gives no time of day: earlier versions of the API list a date alone, too. */
function hasNoTime(time: unknown): boolean {
  if (typeof time === 'string') return time.trim() === '' || DATE_ONLY.test(time.trim());
  return time === undefined || time === null;
}

type Row = { readonly node: TraceNode } | { readonly undated: UndatedRow } | { readonly leftOut: string };

/** What the rows of one tracking share. */
interface Shared {
  /** The parcel's number, for every row: the numbers of its legs come later than their rows, which would be stored twice. */
  readonly orderNo: string;
  /** Slug of the tracking, for a row without its own. */
  readonly slug: unknown;
  /** Hears of a status that the tables do not name. */
  readonly report: (code: string) => void;
}

/** A checkpoint as a row of the trace. */
function rowOf(checkpoint: unknown, { orderNo, slug, report }: Shared): Row {
  if (!isFields(checkpoint)) return { leftOut: 'a checkpoint is no object' };
  const [tag, subtag] = [cleanText(checkpoint['tag'], 200), cleanText(checkpoint['subtag'], 200)];
  const content = cleanText(checkpoint['message'], 2000) || cleanText(checkpoint['subtag_message'], 2000);
  const status = subtag || tag;
  if (status === '' && content === '') return { leftOut: 'a checkpoint has neither a status nor a message' };
  if (mainTagOf(tag, subtag) === 'Expired') return { leftOut: 'Expired is a state of the watch' };
  const state = cleanText(checkpoint['state'], 100);
  const time = readSourceTime(checkpoint['checkpoint_time'], { country: alpha2Of(checkpoint['country_region']), state });
  if (time === undefined && !hasNoTime(checkpoint['checkpoint_time'])) return { leftOut: 'a checkpoint has a time that cannot be read' };
  const { adminStatus, isKnown } = adminStatusOfAfterShip(tag, subtag);
  if (!isKnown) report(status || NO_CODE);
  const said = { address: addressOf(checkpoint), content, status, adminStatus };
  if (time === undefined) return { undated: said };
  const provider = carrierOf(checkpoint['slug']) ?? carrierOf(slug);
  return { node: { orderNo, ...said, ...time, provider } };
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
  const distinct = withoutRepeats(checkpoints);
  // The vendor lists the oldest first, so the newest are kept.
  const kept = distinct.slice(-MAX_NODES);
  const leftOut: string[] = [];
  const excess = distinct.length - kept.length;
  if (excess > 0) leftOut.push(`the tracking has too many checkpoints: the oldest ${excess} are left out`);
  const unknown = new Set<string>();
  const report = (code: string): void => void unknown.add(code);
  const shared: Shared = { orderNo: cleanText(parcel.trackingNumber, 100), slug: raw['slug'], report };
  const [nodes, undated]: [TraceNode[], UndatedRow[]] = [[], []];
  for (const checkpoint of kept) {
    const row = rowOf(checkpoint, shared);
    if ('node' in row) nodes.push(row.node);
    else if ('undated' in row) undated.push(row.undated);
    else leftOut.push(row.leftOut);
  }
  return { nodes, undated, unknownCodes: [...unknown], leftOut };
}
