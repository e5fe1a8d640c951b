import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { instantOf, nodeInstant } from '../../watch/domain/node.ts';
import { cleanText, codeTable, type Fields, fieldsOf, isFields } from '../fields.ts';
import { readSourceTime, type SourceTime, sourceTimeOf, zoneLabel } from '../source-time.ts';
import { EMPTY_TRACE, newestOf, type ReadRow, readRows, type SourceParcel, type Trace } from '../trace.ts';
import { offsetOfPlace, type Place } from '../zone-of-place.ts';

const UTC = zoneLabel(0);

/** Civil offsets are multiples of it. */
const QUARTER_HOUR_MS = 15 * 60_000;

/** What a field says: undefined for one that is absent, empty, or holds the year 1, which stands for "no time". */
function said(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' && (value.trim() === '' || value.trim().startsWith('0001-')) ? undefined : value;
}

function placeOf(event: Fields): Place {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value.trim() : undefined);
  return { country: text(event['process_country']), state: text(event['process_province']) };
}

/**
 * The time of a local clock and of an instant. Their difference is the offset.
 * Both cannot be right when the difference is no civil offset, or is zero at a place that is not known to be at UTC: the instant counts, and the zone is assumed.
 */
function timeOfPair(clock: SourceTime, instant: number, place: Place): SourceTime | undefined {
  const offsetMs = (instantOf(clock.createTime, UTC) ?? Number.NaN) - instant;
  const ofPlace = offsetOfPlace(place, instant);
  const isDoubtful = offsetMs === 0 && (ofPlace.offsetMs !== 0 || ofPlace.basis !== 'derived');
  const time = Number.isInteger(offsetMs / QUARTER_HOUR_MS) && !isDoubtful ? sourceTimeOf(instant, offsetMs, 'given') : undefined;
  return time ?? sourceTimeOf(instant, 0, 'assumed');
}

/**
 * The time of a row: `process_utc_time` is the instant, `process_time` the clock at the place.
 * A `Z` on `process_time` is part of its format and names no zone. With the instant alone the zone is UTC; with the clock alone the place decides.
 * @returns undefined when the row has no valid time
 */
function eventTime(event: Fields): SourceTime | undefined {
  const [local, utc] = [said(event['process_time']), said(event['process_utc_time'])];
  const [clock, utcTime] = [readSourceTime(local, {}), readSourceTime(utc, {})];
  if (clock?.zoneBasis === 'given' && clock.times !== UTC) return clock;
  const place = placeOf(event);
  if (utcTime !== undefined) {
    const instant = nodeInstant(utcTime);
    return clock === undefined ? sourceTimeOf(instant, 0, 'given') : timeOfPair(clock, instant, place);
  }
  return clock && readSourceTime(clock.createTime, place);
}

/**
 * `admin_status` by `track_node_code`. Only `DELIVERED` is final (README.md).
 */
const yunExpressNodes = codeTable<AdminStatus>({
  'Info Received': 'ORDER_CREATION',
  'Picked Up': 'FIRST_MILE_ARRIVE PICKED_UP',
  'In Transit':
    'IN_TRANSIT MAIN_LINE_ARRIVE MAIN_LINE_DEPART FIRST_MILE_DEPART PRE_ADVICING PRE_INFO TRANSIT_IN TRANSIT_OUT DEPART_CONFIRM_OC ' +
    'ARRIVE_CONFIRM_OC AIRPORT_RELEASE READY_FOR_PICKUP PICKUP_CARGO_TERMINAL READY_FOR_OUTBOUND TRANSITHUB_ARRIVE CARRIER_PICKUP ' +
    'IN_TRANSIT_CARRIER CHANGE_WAYBILL_INFO EDD',
  // The vendor writes CUSTOMS_INSPCTION and ARRIVE_ORIN_CUSTOMS.
  'Customs Clearance':
    'CUSTOMS_RELEASE CUSTOMS_PROCESSING CUSTOMS_COMPLETE CUSTOMS_DELAY CUSTOMS_INSPCTION ARRIVE_ORIN_CUSTOMS EXPORT_CUSTOMS_COMPLETE',
  'In Delivery': 'DELIVERY_ATTEMPT',
  'Delivery Attempted': 'DELIVERY_FAILURE',
  Exception: 'PACKAGE_EXCEPTION PACKAGE_LOST CUSTOMS_EXCEPTION CUSTOMS_HOLD AIRPORT_HOLD AIRPORT_INSPECTION OTHER',
  Returning: 'RETURNED RETURNED_BACK RETURNED_TO_SENDER',
  'Delivery Success': 'DELIVERED',
});

/** Most entries that are read of a result: one number has one, seldom several. */
const MAX_ENTRIES = 50;

/** What a result says of one parcel. */
interface Entry {
  /** The numbers that name it, in capitals. */
  readonly numbers: readonly string[];
  readonly events: readonly unknown[];
}

/** An entry of the query, `{ order_number, package_status, track_Info }`, or the `data` of a push, which is the inner part alone. */
function readEntry(raw: unknown): Entry | undefined {
  if (!isFields(raw)) return undefined;
  const info = raw['track_Info'] ?? raw['track_info'] ?? raw;
  if (!isFields(info)) return undefined;
  const events = info['track_events'] ?? [];
  const numbers = [raw['order_number'], info['waybill_number'], info['tracking_number']]
    .map((value) => cleanText(value, 100).toUpperCase())
    .filter((value) => value !== '');
  if (!Array.isArray(events) || (numbers.length === 0 && info['track_events'] === undefined)) return undefined;
  return { numbers, events };
}

/** The place of a row, the most specific part first, each part once. */
function addressOf(event: Fields): string {
  const parts = ['process_location', 'process_city', 'process_province', 'process_country'].flatMap((field) =>
    cleanText(event[field], 500).split(/ ?, ?/),
  );
  const unique = new Map(parts.filter((part) => part !== '').map((part) => [part.toUpperCase(), part]));
  return cleanText([...unique.values()].join(', '), 500);
}

function instantOfEvent(event: unknown): number | undefined {
  const time = isFields(event) ? eventTime(event) : undefined;
  return time && nodeInstant(time);
}

/** The end of the list that holds the newest row: the vendor does not say which one. */
function newestEnd(events: readonly unknown[]): 'first' | 'last' {
  const [first, last] = [instantOfEvent(events[0]), instantOfEvent(events.at(-1))];
  return first !== undefined && last !== undefined && first > last ? 'first' : 'last';
}

function readEvent(event: Fields, orderNo: string): ReadRow | undefined {
  const status = cleanText(event['track_node_code'], 200);
  const content = cleanText(event['process_content'], 2000) || cleanText(event['track_node_description'], 2000);
  if (status === '' && content === '') return undefined;
  const adminStatus = yunExpressNodes.get(status.toUpperCase());
  const unknownCode = adminStatus === undefined && status !== '' ? status : undefined;
  // A code that the table lacks is In Transit (trap 8).
  return {
    orderNo,
    address: addressOf(event),
    content,
    status,
    adminStatus: adminStatus ?? 'In Transit',
    time: eventTime(event),
    unknownCode,
  };
}

function translateEvents(events: readonly unknown[], parcel: SourceParcel): Trace {
  const orderNo = cleanText(parcel.trackingNumber, 100);
  return readRows(events, newestEnd(events), (event) => readEvent(event, orderNo));
}

function translateResult(result: readonly unknown[], parcel: SourceParcel): Trace {
  const number = cleanText(parcel.trackingNumber, 100).toUpperCase();
  const read = result.slice(0, MAX_ENTRIES).map(readEntry);
  const entries = read.filter((entry) => entry !== undefined);
  if (read.length > 0 && entries.length === 0) throw new Error('The result of YunExpress holds no entry of a parcel');
  const own = entries.filter(({ numbers }) => numbers.length === 0 || numbers.includes(number));
  const newest = newestOf(own, ({ events }) => events.map((event) => eventTime(fieldsOf(event))));
  if (newest === undefined) return { ...EMPTY_TRACE, leftOut: read.length };
  const trace = translateEvents(newest.events, parcel);
  // Unreadable entries, entries of other numbers, and earlier parcels of the number.
  return { ...trace, leftOut: trace.leftOut + read.length - 1 };
}

/**
 * Translates what YunExpress says of one parcel: the `result` of `GET /v1/track-service/info/get`, which is a list or an object, or the `data` of a push.
 * An object counts as a list of one: an entry that names another number is left out.
 * `package_status` has no time, so it makes no node; a number that is not known is a trace without nodes.
 * @throws Error when it has not the form of the vendor
 */
export function translateYunExpress(raw: unknown, parcel: SourceParcel): Trace {
  return translateResult(Array.isArray(raw) ? raw : [raw], parcel);
}
