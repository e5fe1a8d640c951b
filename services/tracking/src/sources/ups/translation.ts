import { cleanText, type Fields, isFields } from '../fields.ts';
import { readRows, type SourceParcel, type Trace, type TraceNode } from '../trace.ts';
import { placeOfActivity, shortText, timeOfActivity } from './activity-time.ts';
import { adminStatusOfUps } from './status-table.ts';

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

function readActivity(activity: unknown, orderNo: string, noteUnknown: (code: string) => void): TraceNode | undefined {
  const status = isFields(activity) && isFields(activity['status']) ? statusOf(activity['status']) : undefined;
  if (!isFields(activity) || !isFields(activity['status']) || status === undefined) return undefined;
  const place = placeOfActivity(activity);
  const time = timeOfActivity(activity, place);
  if (time === undefined) return undefined;
  if (status.unknownCode !== undefined) noteUnknown(status.unknownCode);
  return {
    orderNo,
    address: cleanText([place.city, place.state, place.country].filter((part) => part !== '').join(', '), 500),
    content: cleanText(activity['status']['description'], 2000),
    status: cleanText(status.status, 200),
    adminStatus: status.adminStatus,
    ...time,
  };
}

/**
 * Translates one package of UPS Track v1, or of Track Alert v2 in the same form.
 * @param raw a `trackResponse.shipment[].package[]`, such as `findUpsPackage` and `parseUpsPush` return it
 * @throws Error when it is no package
 */
export function translateUps(raw: unknown, parcel: SourceParcel): Trace {
  if (!isFields(raw)) throw new Error('The package is no object');
  const activities = raw['activity'] ?? [];
  if (!Array.isArray(activities)) throw new Error('The activities of the package are no list');
  const orderNo = cleanText(parcel.trackingNumber, 100);
  return readRows(activities, 'first', (activity, noteUnknown) => readActivity(activity, orderNo, noteUnknown));
}
