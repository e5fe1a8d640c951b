import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { MAX_NODES, newestFirst } from '../../watch/domain/node.ts';
import { cleanText, codeTable, type Fields, fieldsOf, isFields } from '../fields.ts';
import { readSourceTime, type SourceTime } from '../source-time.ts';
import { EMPTY_TRACE, type ReadRow, readRows, type SourceParcel, type Trace } from '../trace.ts';
import type { Place } from '../zone-of-place.ts';

/** The list in a field. 17TRACK writes null for an empty one. @throws Error naming it when it is something else */
export function listIn(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error(`17TRACK: ${name} is not a list`);
  return value;
}

/** Tracking number of an item; empty when it has none. */
export function numberOf(item: Fields): string {
  return cleanText(item['number'], 100);
}

/** 17TRACK's code of the carrier of an item. It comes as a number or as text; 0 is none. */
export function carrierOf(item: Fields): string | undefined {
  const { carrier } = item;
  const code = typeof carrier === 'number' ? String(carrier) : carrier;
  return typeof code === 'string' && /^[1-9]\d{0,9}$/.test(code) ? code : undefined;
}

/** Offset that a carrier wrote, as 17TRACK forwards it. */
const OFFSET = /^(?:Z|[+-]\d{2}:?\d{2})$/;

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !isBlank(value);
}

/** The carrier's own clock, such as `2026-11-20 08:30:00`; undefined without a date or without a time of day. */
function clockOf(raw: Fields): string | undefined {
  const { date, time } = raw;
  return isText(date) && isText(time) ? `${date.trim()} ${time.trim()}` : undefined;
}

/** `time`; where the carrier named no zone, its clock at its place, or with the offset that was guessed. */
function withZoneOf(place: Place, isZoneNamed: boolean, time: SourceTime | undefined): SourceTime | undefined {
  if (time === undefined || isZoneNamed || time.zoneBasis !== 'given') return time;
  const local = readSourceTime(time.createTime, place);
  return local?.zoneBasis === 'derived' ? local : { ...time, zoneBasis: 'assumed' };
}

/** Where a row happened, for a time without an offset. */
function placeOf(event: Fields): Place {
  const { country, state } = fieldsOf(event['address']);
  return { country: typeof country === 'string' ? country : undefined, state: typeof state === 'string' ? state : undefined };
}

/**
 * When a row happened. The carrier's clock and zone come first, then `time_iso`, then the clock alone, then `time_utc`: where the last two
 * disagree, `time_utc` is the conversion that went wrong. Without `time_raw.timezone` 17TRACK has guessed the offset of `time_iso`
 * (README.md): the place decides where it lies in one zone.
 * @returns undefined when no field holds a time of the calendar
 */
export function timeOfEvent(event: Fields): SourceTime | undefined {
  const place = placeOf(event);
  const raw = fieldsOf(event['time_raw']);
  const [clock, zone] = [clockOf(raw), raw['timezone']];
  const isZoneNamed = !isBlank(zone);
  const own = clock !== undefined && isText(zone) && OFFSET.test(zone.trim()) ? `${clock}${zone.trim()}` : undefined;
  return (
    readSourceTime(own, place) ??
    withZoneOf(place, isZoneNamed, readSourceTime(event['time_iso'], place)) ??
    readSourceTime(clock, place) ??
    withZoneOf({}, isZoneNamed, readSourceTime(event['time_utc'], {}))
  );
}

/** What a code of 17TRACK says: an `admin_status`, or nothing about the parcel. */
type Meaning = AdminStatus | 'no node';

/** Main statuses (help.17track.net 37471096573337). Of them "Delivered" alone is final. */
const mainMeanings = codeTable<Meaning>({
  Pending: 'NotFound',
  'Info Received': 'InfoReceived',
  'In Transit': 'InTransit',
  'Available for Pickup': 'AvailableForPickup',
  'In Delivery': 'OutForDelivery',
  'Delivery Attempted': 'DeliveryFailure',
  'Delivery Success': 'Delivered',
  Exception: 'Exception',
  'no node': 'Expired',
});

/** Sub-statuses; "InfoReceived" is one of them, too. "InTransit_TransportArrived" is not documented, but seen (README.md). */
const subMeanings = codeTable<Meaning>({
  Pending: 'NotFound_Other NotFound_InvalidCode',
  'Picked Up': 'InTransit_PickedUp',
  'In Transit': 'InTransit_Other InTransit_Departure InTransit_Arrival InTransit_TransportArrived',
  'Customs Clearance': 'InTransit_CustomsProcessing InTransit_CustomsReleased InTransit_CustomsRequiringInformation',
  'Available for Pickup': 'AvailableForPickup_Other',
  'In Delivery': 'OutForDelivery_Other',
  'Delivery Attempted':
    'DeliveryFailure_Other DeliveryFailure_NoBody DeliveryFailure_Security DeliveryFailure_Rejected DeliveryFailure_InvalidAddress',
  'Delivery Success': 'Delivered_Other',
  Exception: 'Exception_Other Exception_NoBody Exception_Security Exception_Rejected Exception_Delayed',
  Returning: 'Exception_Returning',
  'Parcel Return to Origin': 'Exception_Returned',
  'Delivery Failure': 'Exception_Damage Exception_Lost Exception_Destroyed Exception_Cancel',
  'no node': 'Expired_Other',
});

/** Stages (milestones) that are no main status. None of them is final. */
const stages = codeTable<Meaning>({ 'Picked Up': 'PickedUp', 'In Transit': 'Departure Arrival', Returning: 'Returning Returned' });

/** Every code of 17TRACK that is known, with what it says. */
const statusTable17Track: ReadonlyMap<string, Meaning> = new Map([...mainMeanings, ...subMeanings, ...stages]);

/**
 * What the codes of a row say. `isKnown` is false for a code that has no place in the table.
 * @param code its stage or main status; empty for none
 * @param subCode its sub-status, which decides; empty for none
 * @returns In Transit when there is no code at all. An unknown sub-status counts as its main status: "Delivered_…" is Delivery Success.
 *   One whose main status is unknown, too, counts as the stage beside it, except "Delivered": the row would be final by a code that is not its own.
 */
function meaningOf(code: string, subCode: string): { readonly meaning: Meaning; readonly isKnown: boolean } {
  const decisive = subCode || code;
  const known = decisive === '' ? 'In Transit' : statusTable17Track.get(decisive);
  if (known !== undefined) return { meaning: known, isKnown: true };
  const [main = ''] = decisive.split('_', 1);
  const beside = code === 'Delivered' ? undefined : mainMeanings.get(code);
  return { meaning: mainMeanings.get(main) ?? beside ?? 'In Transit', isKnown: false };
}

/** Rows of every provider, in the order of 17TRACK. A provider without a list of events counts as a row that cannot be read. */
export function rowsOf(providers: readonly unknown[]): unknown[] {
  return providers.slice(0, MAX_NODES).flatMap((entry): unknown[] => {
    const events = isFields(entry) ? (entry['events'] ?? []) : undefined;
    return Array.isArray(events) ? events : [undefined];
  });
}

/** The place of a row, most specific part first; 17TRACK's own line where the structured address names no town and no state. */
function addressOf(event: Fields): string {
  const address = fieldsOf(event['address']);
  const text = (value: unknown): string => cleanText(value, 200);
  const [city, state, country] = [text(address['city']), text(address['state']), text(address['country'])];
  const parts = city || state ? [city, state, country] : [cleanText(event['location'], 500), country];
  const named = parts.filter((part, index) => part !== '' && part.toUpperCase() !== parts[index - 1]?.toUpperCase());
  return cleanText(named.join(', '), 500);
}

function readRow(event: Fields, parcel: SourceParcel): ReadRow | undefined {
  const [stage, subStatus] = [cleanText(event['stage'], 200), cleanText(event['sub_status'], 200)];
  const { meaning: adminStatus, isKnown } = meaningOf(stage, subStatus);
  const status = subStatus || stage;
  // Such as Expired: a state of the watch, not of the parcel.
  if (adminStatus === 'no node') return undefined;
  const said = { address: addressOf(event), content: cleanText(event['description'], 2000), status, adminStatus };
  if (said.address === '' && said.content === '' && status === '') return undefined;
  const unknownCode = isKnown ? undefined : status;
  return { orderNo: cleanText(parcel.trackingNumber, 100), ...said, time: timeOfEvent(event), unknownCode };
}

/**
 * Translates the `track_info` of one number, as /gettrackinfo returns and as a push carries it. Two providers are the two legs of one way;
 * the nodes of both are one list, newest first. `latest_status` is not read: it may come from either leg, and "Expired" in it says nothing of the parcel.
 * @param raw null for a number that is known and has no information yet
 * @throws Error with the reason when it is no `track_info`
 */
export function translate17Track(raw: unknown, parcel: SourceParcel): Trace {
  if (raw === null) return EMPTY_TRACE;
  if (!isFields(raw) || !(isFields(raw['tracking']) || isFields(raw['latest_status']))) throw new Error('17TRACK: it is no track_info');
  const rows = rowsOf(listIn(fieldsOf(raw['tracking'])['providers'], 'tracking.providers'));
  const trace = readRows(rows, 'first', (row) => readRow(row, parcel));
  // Each provider lists its newest row first.
  return { ...trace, nodes: newestFirst(trace.nodes) };
}
