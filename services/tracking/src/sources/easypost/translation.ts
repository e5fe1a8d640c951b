import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { cleanText, type Fields, fieldsOf, isFields } from '../fields.ts';
import { readSourceTime, type SourceTime } from '../source-time.ts';
import { inContext, type ReadRow, type ReadStatus, readRows, type SourceParcel, type Trace } from '../trace.ts';

/** What a status of EasyPost means, alone and with those details that mean something else. */
interface EasyPostStatus {
  readonly adminStatus: AdminStatus;
  readonly details: ReadonlyMap<string, AdminStatus>;
  /** What a detail that is not in {@link easyPostDetails} counts as, where the status alone would be final. */
  readonly unknownDetail?: AdminStatus;
}

/** Every `status_detail` that EasyPost documents (types/Tracker/TrackerStatusDetail.d.ts of easypost-node, 2026-03). */
const easyPostDetails: ReadonlySet<string> = new Set(
  (
    'address_correction arrived_at_destination arrived_at_facility arrived_at_pickup_location awaiting_information cancelled damaged ' +
    'delayed delivery_exception departed_facility departed_origin_facility expired failure held in_transit label_created lost missorted ' +
    'out_for_delivery received_at_destination_facility received_at_origin_facility refused return status_update ' +
    'transferred_to_destination_carrier transit_exception unknown weather_delay'
  ).split(' '),
);

/** Details that say nothing beyond their status. */
const emptyDetails: ReadonlySet<string> = new Set(['', 'status_update', 'unknown']);

/** A status with its details. The detail of a loss decides over every status. */
function status(adminStatus: AdminStatus, details: Readonly<Record<string, AdminStatus>> = {}): EasyPostStatus {
  return { adminStatus, details: new Map([...Object.entries(details), ['lost', 'Delivery Failure']]) };
}

const troubles = { return: 'Returning' } as const;

/**
 * The statuses of EasyPost. Nothing that is our judgement (README.md) is final but a return whose last scan names the destination.
 */
const easyPostStatuses: ReadonlyMap<string, EasyPostStatus> = new Map([
  ['unknown', status('Pending')],
  ['pre_transit', status('Info Received')],
  [
    'in_transit',
    status('In Transit', {
      ...troubles,
      received_at_origin_facility: 'Picked Up',
      delivery_exception: 'Delivery Attempted',
      damaged: 'Exception',
      delayed: 'Exception',
      failure: 'Exception',
      refused: 'Exception',
      transit_exception: 'Exception',
      weather_delay: 'Exception',
    }),
  ],
  ['out_for_delivery', status('In Delivery')],
  ['available_for_pickup', status('Available for Pickup')],
  ['failure', status('Exception', troubles)],
  ['error', status('Exception', troubles)],
  ['return_to_sender', status('Returning', { arrived_at_destination: 'Parcel Return to Origin' })],
  ['delivered', status('Delivery Success', { return: 'Parcel Return to Origin', transferred_to_destination_carrier: 'In Transit' })],
  ['cancelled', { ...status('Delivery Failure'), unknownDetail: 'Exception' }],
]);

/**
 * What one row of EasyPost says of a parcel, taken alone.
 * @param code `status` of the row
 * @param detail `status_detail` of the row
 * @returns `isKnown` false for a code without a place in the table: an unknown detail counts as its status, an unknown status as In Transit
 */
function adminStatusOfEasyPost(code: string, detail = ''): ReadStatus {
  const known = easyPostStatuses.get(code);
  if (known === undefined) return { adminStatus: 'In Transit', isKnown: false };
  if (detail === '' || easyPostDetails.has(detail)) return { adminStatus: known.details.get(detail) ?? known.adminStatus, isKnown: true };
  return { adminStatus: known.unknownDetail ?? known.adminStatus, isKnown: false };
}

/**
 * The time of a row. `Z` is written both for UTC and for the local time of the carrier (README), so it is no more than assumed. An offset is EasyPost's own
 * finding.
 */
export function timeOfRow(row: unknown): SourceTime | undefined {
  const { datetime, tracking_location } = fieldsOf(row);
  const { country, state } = fieldsOf(tracking_location);
  const text = typeof datetime === 'string' ? datetime.slice(0, 100) : '';
  const time = readSourceTime(text, { country: cleanText(country, 100), state: cleanText(state, 100) });
  return time !== undefined && /Z\s*$/.test(text) ? { ...time, zoneBasis: 'assumed' } : time;
}

/** @param orderNo number of the Tracker */
function readRow(raw: Fields, orderNo: string): ReadRow | undefined {
  const [code, detail] = [cleanText(raw.status, 100), cleanText(raw.status_detail, 99)];
  if (code === '') return undefined;
  const location = fieldsOf(raw.tracking_location);
  const { adminStatus, isKnown } = adminStatusOfEasyPost(code, detail);
  const [city, state, zip, country] = [location.city, location.state, location.zip, location.country].map((part) => cleanText(part, 200));
  const address = [city || zip, state, country].filter((part) => part).join(', ');
  return {
    orderNo,
    address: cleanText(address, 500),
    content: cleanText(raw.message, 2000) || cleanText(raw.description, 2000),
    status: emptyDetails.has(detail) ? code : detail,
    adminStatus,
    time: timeOfRow(raw),
    unknownCode: isKnown ? undefined : easyPostStatuses.has(code) ? `${code}/${detail}` : code,
  };
}

/**
 * The status of a row amid others. A delivery after a turn back, or of a return, is the return's own (EasyPost has one word for returning and
 * returned). A row that says nothing is a remark of the carrier and changes nothing.
 */
function statusInContext(isReturn: boolean): Parameters<typeof inContext>[2] {
  let isTurned = isReturn;
  return ({ adminStatus }, _index, before) => {
    if (adminStatus === 'Returning') isTurned = true;
    if (adminStatus === 'Pending') return before ?? adminStatus;
    return adminStatus === 'Delivery Success' && isTurned ? 'Parcel Return to Origin' : adminStatus;
  };
}

/**
 * Translates a Tracker of EasyPost, as the API returns it and as an Event carries it. Its rows make the nodes; its own status makes none, as it
 * has no time.
 * @throws Error with the reason when it is no Tracker
 */
export function translateEasyPost(raw: unknown, parcel: SourceParcel): Trace {
  if (!isFields(raw) || (raw.object !== 'Tracker' && !Array.isArray(raw.tracking_details)))
    throw new Error('This is no Tracker of EasyPost');
  const details = raw.tracking_details ?? [];
  if (!Array.isArray(details)) throw new Error('The tracking_details of the Tracker are no list');
  const orderNo = cleanText(raw.tracking_code, 100) || cleanText(parcel.trackingNumber, 100);
  // The oldest come first.
  const trace = readRows(details, 'last', (row) => readRow(row, orderNo));
  const nodes = inContext(trace.nodes, parcel, statusInContext(raw.is_return === true));
  return { ...trace, nodes };
}
