import { cleanText, type Fields, fieldsOf } from '../fields.ts';
import { readSourceTime, type SourceTime } from '../source-time.ts';
import type { Place } from '../zone-of-place.ts';

/** The list in a field. 17TRACK writes null for an empty one. @throws Error naming it when it is something else */
export function listIn(value: unknown, name: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Error(`17TRACK: ${name} is not a list`);
  return value;
}

/** Tracking number of an item; empty when it has none. */
export function numberOf(item: Fields): string {
  return cleanText(item['number'], 100);
}

/** 17TRACK's code of the carrier of an item. It comes as a number or as text; 0 is none. */
export function carrierOf(item: Fields): string | undefined {
  const { carrier } = item;
  const code = typeof carrier === 'number' ? String(carrier) : carrier;
  return typeof code === 'string' && /^[1-9]\d{0,9}$/.test(code) ? code : undefined;
}

/** Offset that a carrier wrote, as 17TRACK forwards it. */
const OFFSET = /^(?:Z|[+-]\d{2}:?\d{2})$/;

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !isBlank(value);
}

/** The carrier's own clock, such as `2026-11-20 08:30:00`; undefined without a date or without a time of day. */
function clockOf(raw: Fields): string | undefined {
  const { date, time } = raw;
  return isText(date) && isText(time) ? `${date.trim()} ${time.trim()}` : undefined;
}

/** `time`; where the carrier named no zone, its clock at its place, or with the offset that was guessed. */
function withZoneOf(place: Place, isZoneNamed: boolean, time: SourceTime | undefined): SourceTime | undefined {
  if (time === undefined || isZoneNamed || time.zoneBasis !== 'given') return time;
  const local = readSourceTime(time.createTime, place);
  return local?.zoneBasis === 'derived' ? local : { ...time, zoneBasis: 'assumed' };
}

/** Where a row happened, for a time without an offset. */
function placeOf(event: Fields): Place {
  const { country, state } = fieldsOf(event['address']);
  return { country: typeof country === 'string' ? country : undefined, state: typeof state === 'string' ? state : undefined };
}

/**
 * When a row happened. The carrier's clock and zone come first, then `time_iso`, then the clock alone, then `time_utc`: where the last two
 * disagree, `time_utc` is the conversion that went wrong. Without `time_raw.timezone` 17TRACK has guessed the offset of `time_iso`
 * (README.md): the place decides where it lies in one zone.
 * @returns undefined when no field holds a time of the calendar
 */
export function timeOfEvent(event: Fields): SourceTime | undefined {
  const place = placeOf(event);
  const raw = fieldsOf(event['time_raw']);
  const [clock, zone] = [clockOf(raw), raw['timezone']];
  const isZoneNamed = !isBlank(zone);
  const own = clock !== undefined && isText(zone) && OFFSET.test(zone.trim()) ? `${clock}${zone.trim()}` : undefined;
  return (
    readSourceTime(own, place) ??
    withZoneOf(place, isZoneNamed, readSourceTime(event['time_iso'], place)) ??
    readSourceTime(clock, place) ??
    withZoneOf({}, isZoneNamed, readSourceTime(event['time_utc'], {}))
  );
}
