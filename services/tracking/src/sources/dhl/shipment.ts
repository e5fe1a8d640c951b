import { MAX_NODES, nodeInstant } from '../../domain/node.ts';
import { readSourceTime, type SourceTime } from '../source-time.ts';

/** An object of DHL's JSON, of which nothing is known yet. */
export type DhlObject = Readonly<Record<string, unknown>>;

/** True for an object that is no array. */
export function isDhlObject(value: unknown): value is DhlObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectIn(object: DhlObject, name: string): DhlObject {
  const value = object[name];
  return isDhlObject(value) ? value : {};
}

/** A number as it is compared: without blanks, in capitals. DHL's own sample has a JSON number as id. Empty when it is no number of a parcel. */
export function numberKey(value: unknown): string {
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || text.length > 200) return '';
  const key = text.replace(/\s+/g, '').toUpperCase();
  return key.length <= 100 ? key : '';
}

function listsNumber(list: unknown, key: string): boolean {
  return Array.isArray(list) && list.slice(0, MAX_NODES).some((item: unknown) => numberKey(item) === key);
}

/** True when a shipment has this number, or one of its pieces has it: DHL looks for pieces where no shipment has the number. */
export function hasNumber(shipment: DhlObject, key: string): boolean {
  return key !== '' && (numberKey(shipment.id) === key || listsNumber(objectIn(shipment, 'details').pieceIds, key));
}

/** True when a row is of other pieces of the shipment alone, and the parcel is one piece of it. */
export function isOfOtherPieces(row: DhlObject, shipment: DhlObject, key: string): boolean {
  const pieces = row.pieceIds;
  if (!Array.isArray(pieces) || pieces.length === 0 || numberKey(shipment.id) === key) return false;
  return listsNumber(objectIn(shipment, 'details').pieceIds, key) && !listsNumber(pieces, key);
}

/**
 * The rows of a shipment: its events, or its status when it has none. A push may carry the status alone.
 * @throws Error when it is no shipment of DHL's
 */
export function rowsOf(shipment: DhlObject): readonly unknown[] {
  const events = shipment.events ?? undefined;
  const status = shipment.status ?? undefined;
  if (events === undefined && status === undefined) throw new Error('The shipment has neither events nor a status');
  if (events !== undefined && !Array.isArray(events)) throw new Error('The events of the shipment are not an array');
  if (events !== undefined && events.length > 0) return events as readonly unknown[];
  return status === undefined ? [] : [status];
}

/** The code of a row, in small letters; empty when it has none. */
export function statusCodeOf(row: DhlObject): string {
  return typeof row.statusCode === 'string' ? row.statusCode.slice(0, 200).trim().toLowerCase() : '';
}

/** True when DHL says that the shipment could not be delivered and goes back, or is back. */
export function isReturned(shipment: DhlObject): boolean {
  return shipment.returnFlag === true;
}

/** The address of a row, of an origin or of a destination. */
export function addressOf(place: unknown): DhlObject {
  return isDhlObject(place) ? objectIn(place, 'address') : {};
}

function countryOf(place: unknown): string | undefined {
  const { countryCode } = addressOf(place);
  return typeof countryCode === 'string' && /^[a-z]{2}$/i.test(countryCode) ? countryCode.toUpperCase() : undefined;
}

/** Where a row without a country most likely happened: at home in a domestic shipment, otherwise at the origin or destination, as its code says. */
function likelyCountry(shipment: DhlObject, code: string, destinationCountry: string | undefined): string | undefined {
  const origin = countryOf(shipment.origin);
  const destination = countryOf(shipment.destination) ?? destinationCountry?.toUpperCase();
  if (origin === destination || code === 'pre-transit') return origin;
  return code === 'delivered' && !isReturned(shipment) ? destination : undefined;
}

/**
 * The time of a row. DHL gives a local time, with an offset or without one. Without one, the country of the row decides; a country that is
 * concluded from the shipment is assumed.
 * @returns undefined when the row has no time that exists
 */
export function timeOfRow(row: DhlObject, shipment: DhlObject, destinationCountry: string | undefined): SourceTime | undefined {
  const country = countryOf(row.location);
  if (country !== undefined) {
    const { addressRegion } = addressOf(row.location);
    return readSourceTime(row.timestamp, { country, state: typeof addressRegion === 'string' ? addressRegion.trim() : undefined });
  }
  const time = readSourceTime(row.timestamp, { country: likelyCountry(shipment, statusCodeOf(row), destinationCountry) });
  return time?.zoneBasis === 'derived' ? { ...time, zoneBasis: 'assumed' } : time;
}

/** Instant of the newest row or of the status of a shipment, epoch milliseconds; minus infinity when nothing in it has a time. */
export function newestInstantOf(shipment: DhlObject): number {
  const events = Array.isArray(shipment.events) ? shipment.events.slice(0, MAX_NODES) : [];
  return [shipment.status, ...events].reduce<number>((newest, row: unknown) => {
    const time = isDhlObject(row) ? timeOfRow(row, shipment, undefined) : undefined;
    return time === undefined ? newest : Math.max(newest, nodeInstant(time));
  }, Number.NEGATIVE_INFINITY);
}
