import { instantOf, localTime } from '../watch/domain/node.ts';
import type { TraceNode, ZoneBasis } from './trace.ts';
import { offsetOfPlace, type Place } from './zone-of-place.ts';

/** The time of a node, and how its zone is known. */
export type SourceTime = Pick<TraceNode, 'createTime' | 'times' | 'zoneBasis'>;

/** ISO 8601 and its usual variants: a blank for the T, no seconds, any fraction of a second, an offset with or without a colon, or none. */
const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)? ?(Z|[+-]\d{2}:?\d{2})?$/;

/** Zone label of an offset (milliseconds) from UTC, such as `(GMT+08:00)`. */
export function zoneLabel(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `(GMT${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)})`;
}

/** Years in which parcels are tracked. Sources write year 1 for a time that they do not know. */
const FIRST_YEAR = '2000';
const LAST_YEAR = '2099';

function timeAt(createTime: string, times: string, zoneBasis: ZoneBasis): SourceTime | undefined {
  const year = createTime.slice(0, 4);
  if (year < FIRST_YEAR || year > LAST_YEAR || instantOf(createTime, times) === undefined) return undefined;
  return { createTime, times, zoneBasis };
}

/**
 * Reads a local time of a source.
 * @param text such as `2026-11-25T08:30:00.331986369+01:00`, `2026-11-25 08:30`
 * @param place where the row happened, for a time without an offset
 * @returns undefined when it is no time of the calendar from 2000 to 2099, or its offset is none of a civil zone
 */
export function readSourceTime(text: unknown, place: Place): SourceTime | undefined {
  const match = typeof text === 'string' ? TIME.exec(text.trim()) : null;
  if (match === null) return undefined;
  const [, date, minutes, seconds = '00', offset] = match;
  const createTime = `${date} ${minutes}:${seconds}`;
  if (offset === 'Z') return timeAt(createTime, zoneLabel(0), 'given');
  if (offset !== undefined) return timeAt(createTime, `(GMT${offset.slice(0, 3)}:${offset.slice(-2)})`, 'given');
  const local = Date.parse(`${date}T${minutes}:${seconds}Z`);
  if (Number.isNaN(local)) return undefined;
  const { offsetMs, basis } = offsetOfPlace(place, local);
  return timeAt(createTime, zoneLabel(offsetMs), basis);
}

/**
 * The time of an instant at an offset that the source gives beside it.
 * @param instant epoch milliseconds
 * @param offsetMs from UTC
 */
export function sourceTimeOf(instant: number, offsetMs: number, zoneBasis: ZoneBasis): SourceTime | undefined {
  if (!Number.isFinite(instant) || Math.abs(instant) > 8.64e15 - 86_400_000) return undefined;
  return timeAt(localTime(instant, offsetMs), zoneLabel(offsetMs), zoneBasis);
}
