import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { MAX_NODES, nodeInstant } from '../../domain/node.ts';
import type { UndatedRow } from '../../domain/parcel-state.ts';
import { cleanText } from '../clean-text.ts';
import { EMPTY_TRACE, type SourceParcel, type Trace, type TraceNode } from '../trace.ts';
import { eventTime, type RawEvent } from './event-time.ts';

const codes: Readonly<Partial<Record<AdminStatus, string>>> = {
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
};

/**
 * `admin_status` by `track_node_code`. Only `DELIVERED` is final (README.md).
 */
export const yunExpressNodes: ReadonlyMap<string, AdminStatus> = new Map(
  Object.entries(codes).flatMap(([adminStatus, list]) =>
    list.split(' ').map((code): [string, AdminStatus] => [code, adminStatus as AdminStatus]),
  ),
);

/**
 * The `admin_status` of a `track_node_code`. A code that the table lacks is In Transit and not known (trap 8 in sources/README.md).
 * @param code in any case
 */
export function adminStatusOfYunExpress(code: string): { readonly adminStatus: AdminStatus; readonly isKnown: boolean } {
  const adminStatus = yunExpressNodes.get(code.trim().toUpperCase());
  return { adminStatus: adminStatus ?? 'In Transit', isKnown: adminStatus !== undefined };
}

/** Most entries that are read of a result: one number has one, seldom several. */
const MAX_ENTRIES = 50;

/** What a result says of one parcel. */
interface Entry {
  /** The numbers that name it, in capitals. */
  readonly numbers: readonly string[];
  readonly events: readonly unknown[];
}

function isRecord(value: unknown): value is RawEvent {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An entry of the query, `{ order_number, package_status, track_Info }`, or the `data` of a push, which is the inner part alone. */
function readEntry(raw: unknown): Entry | undefined {
  if (!isRecord(raw)) return undefined;
  const info = raw['track_Info'] ?? raw['track_info'] ?? raw;
  if (!isRecord(info)) return undefined;
  const events = info['track_events'] ?? [];
  const numbers = [raw['order_number'], info['waybill_number'], info['tracking_number']]
    .map((value) => cleanText(value, 100).toUpperCase())
    .filter((value) => value !== '');
  if (!Array.isArray(events) || (numbers.length === 0 && info['track_events'] === undefined)) return undefined;
  return { numbers, events };
}

/** The place of a row, the most specific part first, each part once. */
function addressOf(event: RawEvent): string {
  const parts = ['process_location', 'process_city', 'process_province', 'process_country'].flatMap((field) =>
    cleanText(event[field], 500).split(/ ?, ?/),
  );
  const unique = new Map(parts.filter((part) => part !== '').map((part) => [part.toUpperCase(), part]));
  return cleanText([...unique.values()].join(', '), 500);
}

function instantOfEvent(event: unknown): number | undefined {
  const time = isRecord(event) ? eventTime(event) : 'none';
  return typeof time === 'string' ? undefined : nodeInstant(time);
}

/** At most {@link MAX_NODES} rows: those of the end where the newest is. */
function newestOf(events: readonly unknown[]): readonly unknown[] {
  if (events.length <= MAX_NODES) return events;
  const [first, last] = [instantOfEvent(events[0]), instantOfEvent(events.at(-1))];
  return first !== undefined && last !== undefined && first > last ? events.slice(0, MAX_NODES) : events.slice(-MAX_NODES);
}

function translateEvents(events: readonly unknown[], parcel: SourceParcel): Trace {
  const nodes: TraceNode[] = [];
  const undated: UndatedRow[] = [];
  const unknownCodes = new Set<string>();
  const rows = newestOf(events);
  const leftOut = rows.length < events.length ? [`There are ${events.length} rows; the newest ${MAX_NODES} are read`] : [];
  for (const event of rows) {
    if (!isRecord(event)) {
      leftOut.push('A row is no object');
      continue;
    }
    const status = cleanText(event['track_node_code'], 200);
    const content = cleanText(event['process_content'], 2000) || cleanText(event['track_node_description'], 2000);
    if (status === '' && content === '') {
      leftOut.push('A row has neither a node code nor a text');
      continue;
    }
    const time = eventTime(event);
    if (time === 'unreadable') {
      leftOut.push('A row has a time that is none');
      continue;
    }
    const { adminStatus, isKnown } = adminStatusOfYunExpress(status);
    if (!isKnown && status !== '') unknownCodes.add(status);
    const row: UndatedRow = { address: addressOf(event), content, status, adminStatus };
    if (time === 'none') undated.push(row);
    else nodes.push({ orderNo: cleanText(parcel.trackingNumber, 100), ...row, ...time });
  }
  return { nodes, undated, unknownCodes: [...unknownCodes], leftOut };
}

/** The newest instant of an entry. Of more than `count` rows those of both ends are read: the newest is at one of them. */
function newestInstant({ events }: Entry, count: number): number {
  const half = Math.floor(count / 2);
  const rows = events.length <= count ? events : [...events.slice(0, half), ...events.slice(-half)];
  return rows.reduce<number>((latest, event) => Math.max(latest, instantOfEvent(event) ?? latest), Number.NEGATIVE_INFINITY);
}

/** Of several entries of one number, the one with the newest row: numbers are used again. At most {@link MAX_NODES} rows are read for it. */
function newestEntry(entries: readonly Entry[]): Entry | undefined {
  if (entries.length < 2) return entries[0];
  const count = Math.floor(MAX_NODES / entries.length);
  const [first, ...others] = entries.map((entry) => ({ entry, instant: newestInstant(entry, count) }));
  return first && others.reduce((best, other) => (other.instant > best.instant ? other : best), first).entry;
}

function translateResult(result: readonly unknown[], parcel: SourceParcel): Trace {
  const number = cleanText(parcel.trackingNumber, 100).toUpperCase();
  const read = result.slice(0, MAX_ENTRIES).map(readEntry);
  const entries = read.filter((entry) => entry !== undefined);
  if (read.length > 0 && entries.length === 0) throw new Error('The result of YunExpress holds no entry of a parcel');
  const own = entries.filter(({ numbers }) => numbers.length === 0 || numbers.includes(number));
  const newest = newestEntry(own);
  const trace = newest === undefined ? EMPTY_TRACE : translateEvents(newest.events, parcel);
  const leftOut = [
    ...trace.leftOut,
    ...read.filter((entry) => entry === undefined).map(() => 'An entry has not the form of one'),
    ...entries.slice(own.length).map(() => 'An entry names another number'),
    ...own.slice(1).map(() => 'An entry is an earlier parcel of the number'),
  ];
  return { ...trace, leftOut };
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
