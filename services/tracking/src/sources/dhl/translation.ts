import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { cleanText, codeTable, type Fields, isFields } from '../fields.ts';
import { inContext, type ReadRow, readRows, type SourceParcel, type Trace } from '../trace.ts';
import { addressOf, type DhlPieces, isReturned, numberKey, piecesOf, rowsOf, scopeOfRow, statusCodeOf, timeOfRow } from './shipment.ts';

/**
 * The five codes of DHL. Customs, delivery, pickup and attempt are in the words of a division alone, so
 * `transit` stays In Transit. `failure` holds an attempt, customs, an expired stay and a return alike, so it is Exception and never final (trap 3).
 */
const dhlStatuses = codeTable<AdminStatus>({
  'Info Received': 'pre-transit',
  'In Transit': 'transit',
  'Delivery Success': 'delivered',
  Exception: 'failure',
  Pending: 'unknown',
});

/** The `admin_status` of a row; undefined for a new code. The words of the row play no part (trap 5). */
function adminStatusOf(shipment: Fields, code: string, scope: 'all' | 'some'): AdminStatus | undefined {
  if (code !== 'delivered') return dhlStatuses.get(code);
  // It is delivered to its sender (support-developer.dhl.com 47001251916). No final status is sure, so it stays open.
  if (isReturned(shipment)) return 'Returning';
  // Otherwise the other pieces of the parcel are still under way.
  return scope === 'all' ? 'Delivery Success' : 'In Transit';
}

/** What `unknownCodes` has for a row without a code. */
const NO_CODE = '(none)';

/** Texts of a row, most general first, each once. Some divisions give one text twice, others a code as status and the details as description. */
function contentOf(row: Fields, code: string): string {
  const texts = [row.status, row.description, row.remark].map((text) => cleanText(text, 2000)).filter((text) => text !== '');
  const isSaid = (text: string, before: readonly string[]): boolean => before.some((other) => other.toLowerCase() === text.toLowerCase());
  const distinct = texts.filter((text, index) => !isSaid(text, texts.slice(0, index)));
  const specific = distinct.filter((text) => text.toLowerCase() !== code);
  return cleanText((specific.length > 0 ? specific : distinct).join('; '), 2000);
}

/** A readable place, most specific first. The street is left out: at delivery it is the recipient's. */
function readablePlace(location: unknown): string {
  const address = addressOf(location);
  const servicePoint = isFields(location) && isFields(location.servicePoint) ? location.servicePoint.label : undefined;
  const locality = cleanText(address.addressLocality, 200) || cleanText(address.postalCode, 50);
  const parts = [cleanText(servicePoint, 200), locality, cleanText(address.addressRegion, 100), cleanText(address.countryCode, 50)];
  return cleanText(parts.filter((part, index) => part !== '' && parts.indexOf(part) === index).join(', '), 500);
}

function readRow(row: Fields, shipment: Fields, pieces: DhlPieces, parcel: SourceParcel): ReadRow | undefined {
  const scope = scopeOfRow(row, pieces);
  if (scope === 'other') return undefined;
  const code = statusCodeOf(row);
  const content = contentOf(row, code);
  if (code === '' && content === '') return undefined;
  const address = readablePlace(row.location);
  const adminStatus = adminStatusOf(shipment, code, scope);
  const status = cleanText(code, 200) || NO_CODE;
  const time = timeOfRow(row, shipment, parcel.destinationCountry);
  const unknownCode = adminStatus === undefined ? status : undefined;
  const orderNo = cleanText(numberKey(shipment.id), 100) || parcel.trackingNumber;
  // A new code is In Transit (trap 8).
  return { orderNo, address, content, status, adminStatus: adminStatus ?? 'In Transit', time, unknownCode };
}

/**
 * The trace in one entry of `shipments[]`, of a response of DHL Shipment Tracking - Unified (v1.5.8) or of a push (v1.2.5).
 * Take the entry of a parcel from a response with `shipmentOf`: DHL may respond with another shipment.
 * @throws Error with the reason when it is no shipment of DHL's
 */
export function translateDhl(raw: unknown, parcel: SourceParcel): Trace {
  if (!isFields(raw)) throw new Error('The shipment is not an object');
  const rows = rowsOf(raw);
  const pieces = piecesOf(raw, parcel.trackingNumber);
  const trace = readRows(rows, 'first', (row) => readRow(row, raw, pieces, parcel));
  // A row of status `unknown` amid others changes nothing, so it has the status of the row before it.
  const nodes = inContext(trace.nodes, parcel, ({ status, adminStatus }, _index, before) =>
    status === 'unknown' ? (before ?? adminStatus) : adminStatus,
  );
  return { ...trace, nodes };
}
