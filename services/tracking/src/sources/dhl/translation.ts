import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { MAX_NODES } from '../../watch/domain/node.ts';
import { cleanText, codeTable, type Fields, fieldsOf, isFields } from '../fields.ts';
import { readSourceTime, type SourceTime } from '../source-time.ts';
import { inContext, type ReadRow, readRows, type SourceParcel, type Trace } from '../trace.ts';
import type { Place } from '../zone-of-place.ts';

/**
 * A number as it is compared: without blanks and control characters, in capitals. DHL's own sample has a JSON number as id. Empty when it is no
 * number of a parcel.
 */
export function numberKey(value: unknown): string {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || text.length > 200) return '';
  const key = cleanText(text, 200).replace(/\s+/g, '').toUpperCase();
  return key.length <= 100 ? key : '';
}

function numberKeysIn(list: unknown): ReadonlySet<string> {
  const keys = new Set(Array.isArray(list) ? list.slice(0, MAX_NODES).map(numberKey) : []);
  keys.delete('');
  return keys;
}

/** True when a shipment has this number, or one of its pieces has it: DHL looks for pieces where no shipment has the number. */
export function hasNumber(shipment: Fields, key: string): boolean {
  return key !== '' && (numberKey(shipment.id) === key || numberKeysIn(fieldsOf(shipment.details).pieceIds).has(key));
}

/** The pieces of a shipment. */
interface DhlPieces {
  /** Their numbers, as {@link numberKey} gives them. */
  readonly keys: ReadonlySet<string>;
  /** The number of the parcel, when it is one piece of the shipment and not the shipment itself. */
  readonly own: string | undefined;
}

/** The pieces of a shipment. They are read once: a shipment may have as many pieces as rows. */
function piecesOf(shipment: Fields, trackingNumber: string): DhlPieces {
  const keys = numberKeysIn(fieldsOf(shipment.details).pieceIds);
  const key = numberKey(trackingNumber);
  return { keys, own: numberKey(shipment.id) !== key && keys.has(key) ? key : undefined };
}

/**
 * Whether a row is of the whole parcel, of some of its pieces, or of other pieces alone. A row that names no pieces is of them all. Where the
 * parcel is one piece of the shipment, a row with this piece is of the whole parcel.
 */
function scopeOfRow(row: Fields, { keys, own }: DhlPieces): 'all' | 'some' | 'other' {
  if (!Array.isArray(row.pieceIds) || row.pieceIds.length === 0 || keys.size === 0) return 'all';
  const named = numberKeysIn(row.pieceIds);
  if (own !== undefined) return named.has(own) ? 'all' : 'other';
  return [...keys].every((key) => named.has(key)) ? 'all' : 'some';
}

/**
 * The rows of a shipment: its events, or its status when it has none. A push may carry the status alone.
 * @throws Error when it is no shipment of DHL's
 */
function rowsOf(shipment: Fields): readonly unknown[] {
  const events = shipment.events ?? undefined;
  const status = shipment.status ?? undefined;
  if (events === undefined && status === undefined) throw new Error('The shipment has neither events nor a status');
  if (events !== undefined && !Array.isArray(events)) throw new Error('The events of the shipment are not an array');
  if (events !== undefined && events.length > 0) return events as readonly unknown[];
  return status === undefined ? [] : [status];
}

/** The code of a row, in small letters; empty when it has none. */
function statusCodeOf(row: Fields): string {
  return typeof row.statusCode === 'string' ? row.statusCode.slice(0, 200).trim().toLowerCase() : '';
}

/** True when DHL says that the shipment could not be delivered and goes back, or is back. */
function isReturned(shipment: Fields): boolean {
  return shipment.returnFlag === true;
}

/** The address of a row, of an origin or of a destination. */
function addressOf(place: unknown): Fields {
  return isFields(place) ? fieldsOf(place.address) : {};
}

function countryOf(place: unknown): string | undefined {
  const { countryCode } = addressOf(place);
  return typeof countryCode === 'string' && /^[a-z]{2}$/i.test(countryCode) ? countryCode.toUpperCase() : undefined;
}

/** Where a row without a country most likely happened: at home in a domestic shipment, otherwise at the origin or destination, as its code says. */
function likelyCountry(shipment: Fields, code: string, destinationCountry: string | undefined): string | undefined {
  const origin = countryOf(shipment.origin);
  const destination = countryOf(shipment.destination) ?? destinationCountry?.toUpperCase();
  if (origin === destination || code === 'pre-transit') return origin;
  return code === 'delivered' && !isReturned(shipment) ? destination : undefined;
}

/**
 * Reads a time with `Z`. DHL writes it behind local times too: in its sample the status has a `Z`, and the event of the same clock has no zone.
 * So it counts as local where the place lies in one zone. Elsewhere it is read as UTC, and assumed.
 */
function readTimeWithZ(text: string, place: Place): SourceTime | undefined {
  const utc = readSourceTime(text, {});
  if (utc === undefined) return undefined;
  const local = readSourceTime(text.replace(/Z\s*$/, ''), place);
  return local?.zoneBasis === 'derived' ? local : { ...utc, zoneBasis: 'assumed' };
}

/**
 * The time of a row (trap 10 in sources/README.md). An offset counts as it is; for `Z` see {@link readTimeWithZ}. Without one, the country of the
 * row decides; a country that is concluded from the shipment is assumed.
 * @returns undefined when the row has no time that exists
 */
export function timeOfRow(row: Fields, shipment: Fields, destinationCountry: string | undefined): SourceTime | undefined {
  const { timestamp } = row;
  if (typeof timestamp !== 'string' || timestamp.length > 100) return undefined;
  const country = countryOf(row.location);
  const { addressRegion } = addressOf(row.location);
  const place = { country, state: typeof addressRegion === 'string' ? addressRegion.trim() : undefined };
  if (/Z\s*$/.test(timestamp)) return readTimeWithZ(timestamp, place);
  if (country !== undefined) return readSourceTime(timestamp, place);
  const time = readSourceTime(timestamp, { country: likelyCountry(shipment, statusCodeOf(row), destinationCountry) });
  return time?.zoneBasis === 'derived' ? { ...time, zoneBasis: 'assumed' } : time;
}

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
