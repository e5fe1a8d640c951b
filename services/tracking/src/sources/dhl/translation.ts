import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { MAX_NODES, nodeInstant } from '../../domain/node.ts';
import type { UndatedRow } from '../../domain/parcel-state.ts';
import { cleanText } from '../clean-text.ts';
import type { SourceParcel, Trace, TraceNode } from '../trace.ts';
import {
  addressOf,
  type DhlObject,
  type DhlPieces,
  isDhlObject,
  isReturned,
  numberKey,
  piecesOf,
  rowsOf,
  scopeOfRow,
  statusCodeOf,
  timeOfRow,
} from './shipment.ts';

/**
 * The five codes of DHL. Customs, delivery, pickup and attempt are in the words of a division alone, so
 * `transit` stays In Transit. `failure` holds an attempt, customs, an expired stay and a return alike, so it is Exception and never final (trap 3).
 */
export const dhlStatuses: Readonly<Record<string, AdminStatus>> = {
  'pre-transit': 'Info Received',
  transit: 'In Transit',
  delivered: 'Delivery Success',
  failure: 'Exception',
  unknown: 'Pending',
};

/**
 * The codes that mean something else in a shipment with `returnFlag`: it is delivered to its sender (support-developer.dhl.com 47001251916).
 * The table has no final status for it, so it stays open.
 */
export const returnedDhlStatuses: Readonly<Record<string, AdminStatus>> = { delivered: 'Returning' };

/** An `admin_status`, and whether its code has a place in the table. */
interface DhlAdminStatus {
  readonly adminStatus: AdminStatus;
  readonly isKnown: boolean;
}

/**
 * The `admin_status` of a row. The words of the row play no part (trap 5). A new code is In Transit (trap 8).
 * @param statusCode in any case: the responses have `pre-transit`, the subscriptions `Pre-Transit`
 * @param returned `returnFlag` of the shipment
 */
export function adminStatusOfDhl(statusCode: string, returned = false): DhlAdminStatus {
  const code = statusCode.trim().toLowerCase();
  const tables = returned ? [returnedDhlStatuses, dhlStatuses] : [dhlStatuses];
  const adminStatus = tables.find((table) => Object.hasOwn(table, code))?.[code];
  return { adminStatus: adminStatus ?? 'In Transit', isKnown: adminStatus !== undefined };
}

/** What `unknownCodes` has for a row without a code. */
const NO_CODE = '(none)';

/** Texts of a row, most general first, each once. Some divisions give one text twice, others a code as status and the details as description. */
function contentOf(row: DhlObject, code: string): string {
  const texts = [row.status, row.description, row.remark].map((text) => cleanText(text, 2000)).filter((text) => text !== '');
  const isSaid = (text: string, before: readonly string[]): boolean => before.some((other) => other.toLowerCase() === text.toLowerCase());
  const distinct = texts.filter((text, index) => !isSaid(text, texts.slice(0, index)));
  const specific = distinct.filter((text) => text.toLowerCase() !== code);
  return cleanText((specific.length > 0 ? specific : distinct).join('; '), 2000);
}

/** A readable place, most specific first. The street is left out: at delivery it is the recipient's. */
function readablePlace(location: unknown): string {
  const address = addressOf(location);
  const servicePoint = isDhlObject(location) && isDhlObject(location.servicePoint) ? location.servicePoint.label : undefined;
  const locality = cleanText(address.addressLocality, 200) || cleanText(address.postalCode, 50);
  const parts = [cleanText(servicePoint, 200), locality, cleanText(address.addressRegion, 100), cleanText(address.countryCode, 50)];
  return cleanText(parts.filter((part, index) => part !== '' && parts.indexOf(part) === index).join(', '), 500);
}

type ReadRow = { readonly node: TraceNode } | { readonly undated: UndatedRow } | { readonly leftOut: string };

function readRow(row: unknown, shipment: DhlObject, pieces: DhlPieces, parcel: SourceParcel): ReadRow {
  if (!isDhlObject(row)) return { leftOut: 'A row is not an object' };
  const scope = scopeOfRow(row, pieces);
  if (scope === 'other') return { leftOut: 'A row is of another piece of the shipment' };
  const code = statusCodeOf(row);
  const content = contentOf(row, code);
  if (code === '' && content === '') return { leftOut: 'A row has neither a code nor a text' };
  const address = readablePlace(row.location);
  const { adminStatus: ofCode } = adminStatusOfDhl(code, isReturned(shipment));
  // The other pieces of the parcel are still under way.
  const adminStatus = scope === 'some' && ofCode === 'Delivery Success' ? 'In Transit' : ofCode;
  const status = cleanText(code, 200) || NO_CODE;
  if ((row.timestamp ?? '') === '') return { undated: { address, content, status, adminStatus } };
  const time = timeOfRow(row, shipment, parcel.destinationCountry);
  if (time === undefined) return { leftOut: 'A row has a time that does not exist' };
  const orderNo = cleanText(numberKey(shipment.id), 100) || parcel.trackingNumber;
  return { node: { orderNo, address, content, status, adminStatus, ...time, provider: cleanText(shipment.service, 50) || undefined } };
}

/** Rows older than this before the dispatch may be of another parcel: numbers are used again (trap 9). They say nothing of this one. */
const REUSE_MARGIN_MS = 3 * 86_400_000;

/**
 * Lets the rows before a row count: one of status `unknown` amid others changes nothing, so it has the status of the row before it.
 * @param nodes in the order of DHL
 * @param oldest instant of the first row that counts, epoch milliseconds
 */
function inContext(nodes: readonly TraceNode[], oldest: number): TraceNode[] {
  const result = [...nodes];
  const order = nodes.map((node, index) => ({ node, index, instant: nodeInstant(node) }));
  // Rows of one time are in the order that the history gives them (oldestFirst in domain/node-order.ts).
  if ((order[0]?.instant ?? 0) > (order.at(-1)?.instant ?? 0)) order.reverse();
  order.sort((a, b) => a.instant - b.instant);
  let last: AdminStatus | undefined;
  for (const { node, index, instant } of order) {
    if (instant < oldest) continue;
    const adminStatus: AdminStatus = node.status === 'unknown' ? (last ?? node.adminStatus) : node.adminStatus;
    last = adminStatus;
    result[index] = { ...node, adminStatus };
  }
  return result;
}

/**
 * The trace in one entry of `shipments[]`, of a response of DHL Shipment Tracking - Unified (v1.5.8) or of a push (v1.2.5).
 * Take the entry of a parcel from a response with `shipmentInResponse`: DHL may respond with another shipment.
 * @throws Error with the reason when it is no shipment of DHL's
 */
export function translateDhl(raw: unknown, parcel: SourceParcel): Trace {
  if (!isDhlObject(raw)) throw new Error('The shipment is not an object');
  const rows = rowsOf(raw);
  const pieces = piecesOf(raw, parcel.trackingNumber);
  const nodes: TraceNode[] = [];
  const undated: UndatedRow[] = [];
  const leftOut: string[] = [];
  for (const row of rows.slice(0, MAX_NODES)) {
    const read = readRow(row, raw, pieces, parcel);
    if ('node' in read) nodes.push(read.node);
    else if ('undated' in read) undated.push(read.undated);
    else leftOut.push(read.leftOut);
  }
  if (rows.length > MAX_NODES) leftOut.push(`The shipment has more than ${MAX_NODES} rows`);
  const codes = new Set([...nodes, ...undated].map(({ status }) => status));
  return {
    nodes: inContext(nodes, parcel.dispatchedAt - REUSE_MARGIN_MS),
    undated,
    leftOut,
    unknownCodes: [...codes].filter((code) => !adminStatusOfDhl(code).isKnown),
  };
}
