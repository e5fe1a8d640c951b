import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { instantOf, offsetOf } from '../../watch/domain/node.ts';
import { cleanText, codeTable, type Fields, fieldsOf, isFields } from '../fields.ts';
import { readSourceTime, type SourceTime, sourceTimeOf, zoneLabel } from '../source-time.ts';
import { type ReadRow, type ReadStatus, readRows, type SourceParcel, type Trace } from '../trace.ts';
import type { Place } from '../zone-of-place.ts';

/** A code, a date or a number of UPS as a short text: the specification quotes them, some of its samples do not. Blank when there is none. */
export function shortText(value: unknown): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : '';
  return typeof value === 'string' && value.length <= 100 ? value.trim() : '';
}

const UTC = '(GMT+00:00)';
const QUARTER_HOUR_MS = 15 * 60_000;

/** `yyyy-MM-dd HH:mm:ss` of a date `YYYYMMDD` and a time `HHMMSS`. */
function dateTime(date: unknown, time: string): string | undefined {
  const day = /^(\d{4})(\d{2})(\d{2})$/.exec(shortText(date));
  const clock = /^(\d{2})(\d{2})(\d{2})$/.exec(time);
  return day === null || clock === null ? undefined : `${day.slice(1).join('-')} ${clock.slice(1).join(':')}`;
}

/** A time with the zeros before its first digit, which UPS drops from `gmtTime`. */
function padded(time: string): string {
  return /^([1-9]\d{0,4}|0)$/.test(time) ? time.padStart(6, '0') : time;
}

/** An offset as `+hh:mm`. Track v1 writes `-05:00`, Track Alert v2 `-05.00`. */
function offsetText(offset: unknown): string | undefined {
  const match = /^([+-]\d{2})[:.]?(\d{2})$/.exec(shortText(offset));
  return match === null ? undefined : `${match[1]}:${match[2]}`;
}

/** The offset between the local time and the time in UTC that UPS gives beside it, milliseconds. */
function offsetBetween(local: string, instant: number | undefined): number | undefined {
  const localAsUtc = instantOf(local, UTC);
  if (localAsUtc === undefined || instant === undefined) return undefined;
  const difference = localAsUtc - instant;
  return difference % QUARTER_HOUR_MS === 0 ? difference : undefined;
}

/**
 * The local time of an activity. UPS drops no zeros from it, so `1430` may be half past two. One of fewer than six digits counts only where the time
 * in UTC beside it confirms the zeros: at the offset that UPS gives, or, for five digits without one, at an offset of a zone.
 */
function localOf(activity: Fields, instant: number | undefined, offset: string | undefined): string | undefined {
  const digits = shortText(activity['time']);
  const local = dateTime(activity['date'], padded(digits));
  if (local === undefined || digits.length === 6) return local;
  const difference = offsetBetween(local, instant);
  if (difference === undefined) return undefined;
  const isConfirmed = offset === undefined ? digits.length === 5 : offsetOf(`(GMT${offset})`) === difference;
  return isConfirmed && offsetOf(zoneLabel(difference)) !== undefined ? local : undefined;
}

function timeOfLocal(local: string, instant: number | undefined, offset: string | undefined, place: Place): SourceTime | undefined {
  const atOffset = offset === undefined ? undefined : readSourceTime(`${local}${offset}`, place);
  if (atOffset !== undefined) return atOffset;
  const difference = offsetBetween(local, instant);
  const atDifference = instant === undefined || difference === undefined ? undefined : sourceTimeOf(instant, difference, 'given');
  return atDifference ?? readSourceTime(local, place);
}

/**
 * The time of an activity: the local one with the offset that UPS gives, or else with the offset to the time in UTC beside it, or else
 * with that of the place. Where there is no local time, the one in UTC counts.
 * @returns undefined when it has no time of the calendar
 */
export function timeOfActivity(activity: Fields, place: Place): SourceTime | undefined {
  const gmt = dateTime(activity['gmtDate'], padded(shortText(activity['gmtTime'])));
  const instant = gmt === undefined ? undefined : instantOf(gmt, UTC);
  const offset = offsetText(activity['gmtOffset']);
  const local = localOf(activity, instant, offset);
  const time = local === undefined ? undefined : timeOfLocal(local, instant, offset, place);
  if (time !== undefined || instant === undefined) return time;
  return sourceTimeOf(instant, (offset === undefined ? undefined : offsetOf(`(GMT${offset})`)) ?? 0, 'given');
}

/** Where an activity happened, for the zone of its time and for its address. Street and postcode are left out: a push names them at the delivery alone. */
export function placeOfActivity(activity: Fields) {
  const address = fieldsOf(fieldsOf(activity['location'])['address']);
  return {
    city: cleanText(address['city'], 200),
    state: shortText(address['stateProvince']),
    country: shortText(address['countryCode']) || shortText(address['country']),
  };
}

/** What UPS says by its type of an activity (UPSTrackAlert.yaml), and by the older types P, O and RS. None of them is final. */
const upsTypes = codeTable<AdminStatus>({
  // One page of UPS calls MV a manifest, another a void. A voided label is still used at times: it ends nothing.
  'Info Received': 'M MV',
  'Picked Up': 'P',
  'In Transit': 'I U',
  Exception: 'X',
  // "Loaded" and "out for delivery" have type D, too.
  'In Delivery': 'D O',
  Returning: 'RS',
});

/** Codes of two characters that mean the same under every type. */
const upsCodes = codeTable<AdminStatus>(
  {
    'Info Received': 'MP',
    'In Delivery': 'OT, OF',
    'Available for Pickup': 'RP, AC, WC, ZP, VN, ZQ',
    'Delivery Attempted': '3J, 3L',
    'Customs Clearance': 'VK, Z1',
    Exception: 'UU',
    Returning: 'RS, RT',
  },
  ', ',
);

/** Codes of two characters that mean it under one type alone: UPS uses the same two characters for several things. */
const upsTypedCodes = codeTable<AdminStatus>(
  {
    'Picked Up': 'I OR, I PU, I VS, P OR, P PU',
    'In Transit': 'I DP, I AR',
    'Customs Clearance': 'X SR',
    'Delivery Success': 'D FS, D KB',
    'Delivery Failure': 'M VD, MV VD',
  },
  ', ',
);

/**
 * Status codes of three digits that say in several lists that the parcel goes back. They win over every other code: a parcel is delivered to its
 * sender, too. Those of one list alone are in {@link upsStatusCodes}, behind the codes of a delivery.
 */
const upsReturnStatusCodes: ReadonlySet<string> = new Set('033 034 035 036 037 067'.split(' '));

/** Status codes of three digits, but for 011 (Delivered), which is final under type D alone. */
const upsStatusCodes = codeTable<AdminStatus>(
  {
    'Info Received': '003, 044, 045, 079, 080, 157',
    'Picked Up': '038, 160, 167, 168, 169',
    'In Transit':
      '005, 010, 018, 019, 020, 025, 027, 028, 039, 041, 042, 054, 055, 056, 057, 063, 070, 071, 073, 074, 075, 087, 158, 159, 164, 165',
    'Customs Clearance': '012, 014, 058, 092, 123, 124, 125, 126, 134',
    // 026 is "delivered by the local post office". Nothing shows that UPS means it as final.
    'In Delivery': '006, 021, 026, 072, 078, 089, 091, 146, 162',
    'Available for Pickup': '017, 040, 144, 161',
    'Delivery Attempted': '022, 023, 024, 060, 061, 062, 064, 066, 145',
    Exception:
      '007, 013, 016, 029, 030, 032, 043, 046, 047, 048, 049, 050, 051, 052, 053, 059, 065, 068, 069, 076, 083, 085, 086, 090, 132, 139, 141, 147, 148, 149',
    Returning: '081, 118, 119',
  },
  ', ',
);

function statusBySubCode(type: string, code: string, statusCode: string): AdminStatus | undefined {
  if (upsReturnStatusCodes.has(statusCode)) return 'Returning';
  const byCode = upsTypedCodes.get(`${type} ${code}`) ?? upsCodes.get(code);
  if (byCode !== undefined) return byCode;
  if (statusCode === '011' && type === 'D') return 'Delivery Success';
  return upsStatusCodes.get(statusCode);
}

/**
 * The `admin_status` of an activity of UPS, by its codes alone (the list of codes in UPS-API/api-documentation issue 7).
 * @param type such as `D`
 * @param code two characters, such as `FS`; empty when there is none
 * @param statusCode three digits, such as `011`; empty when there is none
 */
function adminStatusOfUps(type: string, code: string, statusCode: string): ReadStatus {
  const main = upsTypes.get(type);
  if (type !== '' && main === undefined) return { adminStatus: 'In Transit', isKnown: false };
  const bySubCode = statusBySubCode(type, code, statusCode);
  if (bySubCode !== undefined) return { adminStatus: bySubCode, isKnown: true };
  return { adminStatus: main ?? 'In Transit', isKnown: main !== undefined && code === '' && statusCode === '' };
}

const codeOf = (value: unknown): string => cleanText(shortText(value), 20).toUpperCase();

/** Three digits; UPS drops the zeros before them where it writes a number. */
function statusCodeOf(value: unknown): string {
  const code = codeOf(value);
  return /^\d{1,2}$/.test(code) ? code.padStart(3, '0') : code;
}

/** @returns undefined when the activity has no code at all; `unknownCode` where the table has no place for the codes */
function statusOf(status: Fields) {
  const [type, code, statusCode] = [codeOf(status['type']), codeOf(status['code']), statusCodeOf(status['statusCode'])];
  if (type === '' && code === '' && statusCode === '') return undefined;
  const { adminStatus, isKnown } = adminStatusOfUps(type, code, statusCode);
  return { status: code || statusCode || type, adminStatus, unknownCode: isKnown ? undefined : `${type}/${code}/${statusCode}` };
}

function readActivity(activity: Fields, orderNo: string): ReadRow | undefined {
  const said = fieldsOf(activity['status']);
  const status = statusOf(said);
  if (status === undefined) return undefined;
  const place = placeOfActivity(activity);
  return {
    orderNo,
    address: cleanText([place.city, place.state, place.country].filter((part) => part !== '').join(', '), 500),
    content: cleanText(said['description'], 2000),
    ...status,
    time: timeOfActivity(activity, place),
  };
}

/**
 * Translates one package of UPS Track v1, or of Track Alert v2 in the same form.
 * @param raw a `trackResponse.shipment[].package[]`, as a query and a push give it
 * @throws Error when it is no package
 */
export function translateUps(raw: unknown, parcel: SourceParcel): Trace {
  if (!isFields(raw)) throw new Error('The package is no object');
  const activities = raw['activity'] ?? [];
  if (!Array.isArray(activities)) throw new Error('The activities of the package are no list');
  const orderNo = cleanText(parcel.trackingNumber, 100);
  return readRows(activities, 'first', (activity) => readActivity(activity, orderNo));
}
