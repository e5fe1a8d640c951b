import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { MAX_NODES } from '../../domain/node.ts';
import type { UndatedRow } from '../../domain/parcel-state.ts';
import { cleanText } from '../clean-text.ts';
import type { SourceParcel, Trace, TraceNode } from '../trace.ts';
import { isUndated, placeOfActivity, timeOfActivity } from './activity-time.ts';
import { adminStatusOfUps } from './status-table.ts';
import { isRecord, listOf, shortText, type WireRecord } from './wire.ts';

interface ActivityStatus {
  readonly status: string;
  readonly adminStatus: AdminStatus;
  /** Set when the table has no place for the codes. */
  readonly unknownCode: string | undefined;
}

const codeOf = (value: unknown): string => cleanText(shortText(value), 20).toUpperCase();

/** Three digits; UPS drops the zeros before them where it writes a number. */
function statusCodeOf(value: unknown): string {
  const code = codeOf(value);
  return /^\d{1,2}$/.test(code) ? code.padStart(3, '0') : code;
}

/** @returns undefined when the activity has no code at all */
function statusOf(status: WireRecord): ActivityStatus | undefined {
  const [type, code, statusCode] = [codeOf(status['type']), codeOf(status['code']), statusCodeOf(status['statusCode'])];
  if (type === '' && code === '' && statusCode === '') return undefined;
  const { adminStatus, isKnown } = adminStatusOfUps(type, code, statusCode);
  return { status: code || statusCode || type, adminStatus, unknownCode: isKnown ? undefined : `${type}/${code}/${statusCode}` };
}

/** What is collected of a package. */
interface Rows {
  readonly nodes: TraceNode[];
  readonly undated: UndatedRow[];
  readonly unknownCodes: Set<string>;
  readonly leftOut: string[];
}

function addActivity(rows: Rows, activity: unknown, orderNo: string): void {
  const status = isRecord(activity) && isRecord(activity['status']) ? statusOf(activity['status']) : undefined;
  if (!isRecord(activity) || !isRecord(activity['status']) || status === undefined) {
    rows.leftOut.push('An activity has no status');
    return;
  }
  const place = placeOfActivity(activity);
  const row: UndatedRow = {
    address: cleanText([place.city, place.state, place.country].filter((part) => part !== '').join(', '), 500),
    content: cleanText(activity['status']['description'], 2000),
    status: cleanText(status.status, 200),
    adminStatus: status.adminStatus,
  };
  const time = timeOfActivity(activity, place);
  if (time !== undefined) rows.nodes.push({ orderNo, ...row, ...time });
  else if (isUndated(activity)) rows.undated.push(row);
  else {
    rows.leftOut.push('An activity has a time that does not exist');
    return;
  }
  if (status.unknownCode !== undefined) rows.unknownCodes.add(status.unknownCode);
}

/**
 * Translates one package of UPS Track v1, or of Track Alert v2 in the same form.
 * @param raw a `trackResponse.shipment[].package[]`, such as `findUpsPackage` and `parseUpsPush` return it
 * @throws Error when it is no package
 */
export function translateUps(raw: unknown, parcel: SourceParcel): Trace {
  if (!isRecord(raw)) throw new Error('The package is no object');
  const activities = raw['activity'] ?? [];
  if (!Array.isArray(activities)) throw new Error('The activities of the package are no list');
  const rows: Rows = { nodes: [], undated: [], unknownCodes: new Set(), leftOut: [] };
  const orderNo = cleanText(parcel.trackingNumber, 100);
  for (const activity of listOf(activities).slice(0, MAX_NODES)) addActivity(rows, activity, orderNo);
  if (activities.length > MAX_NODES) rows.leftOut.push('The package has more activities than are kept');
  return { ...rows, unknownCodes: [...rows.unknownCodes] };
}
