import { instantOf, nodeInstant } from '../../domain/node.ts';
import { readSourceTime, type SourceTime, sourceTimeOf, zoneLabel } from '../source-time.ts';
import { offsetOfPlace, type Place } from '../zone-of-place.ts';

const UTC = zoneLabel(0);

/** Civil offsets are multiples of it. */
const QUARTER_HOUR_MS = 15 * 60_000;

/** A row of `track_events`, unread. */
export type RawEvent = Readonly<Record<string, unknown>>;

/** What a field says: undefined for one that is absent, empty, or holds the year 1, which stands for "no time". */
function said(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' && (value.trim() === '' || value.trim().startsWith('0001-')) ? undefined : value;
}

function placeOf(event: RawEvent): Place {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value.trim() : undefined);
  return { country: text(event['process_country']), state: text(event['process_province']) };
}

/**
 * The time of a local clock and of an instant. Their difference is the offset.
 * Both cannot be right when the difference is no civil offset, or is zero at a place that is not known to be at UTC: the instant counts, and the zone is assumed.
 */
function timeOfPair(clock: SourceTime, instant: number, place: Place): SourceTime | undefined {
  const offsetMs = (instantOf(clock.createTime, UTC) ?? Number.NaN) - instant;
  const ofPlace = offsetOfPlace(place, instant);
  const isDoubtful = offsetMs === 0 && (ofPlace.offsetMs !== 0 || ofPlace.basis !== 'derived');
  const time = Number.isInteger(offsetMs / QUARTER_HOUR_MS) && !isDoubtful ? sourceTimeOf(instant, offsetMs, 'given') : undefined;
  return time ?? sourceTimeOf(instant, 0, 'assumed');
}

/**
 * The time of a row: `process_utc_time` is the instant, `process_time` the clock at the place.
 * A `Z` on `process_time` is part of its format and names no zone. With the instant alone the zone is UTC; with the clock alone the place decides.
 * @returns 'none' when the row has no time, 'unreadable' when it has one that is none
 */
export function eventTime(event: RawEvent): SourceTime | 'none' | 'unreadable' {
  const [local, utc] = [said(event['process_time']), said(event['process_utc_time'])];
  if (local === undefined && utc === undefined) return 'none';
  const [clock, utcTime] = [readSourceTime(local, {}), readSourceTime(utc, {})];
  if (clock?.zoneBasis === 'given' && clock.times !== UTC) return clock;
  const place = placeOf(event);
  if (utcTime !== undefined) {
    const instant = nodeInstant(utcTime);
    return (clock === undefined ? sourceTimeOf(instant, 0, 'given') : timeOfPair(clock, instant, place)) ?? 'unreadable';
  }
  return (clock && readSourceTime(clock.createTime, place)) ?? 'unreadable';
}
