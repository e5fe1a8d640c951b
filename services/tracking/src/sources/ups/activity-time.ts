import { instantOf, offsetOf } from '../../watch/domain/node.ts';
import { cleanText, type Fields, fieldsOf } from '../fields.ts';
import { readSourceTime, type SourceTime, sourceTimeOf, zoneLabel } from '../source-time.ts';
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
