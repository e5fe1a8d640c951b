const UNITS: ReadonlyArray<readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number]> = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** Seconds within which a time is simply "now". */
const NOW_SECONDS = 2;
/** A unit is used from a little below one of it, so that 59.9 minutes are an hour. */
const NEARLY_ONE = 0.99;
/** True when an instant is so near, before or after, that it is shown as "now". @param at epoch milliseconds @param now epoch milliseconds */
export const isNow = (at: number, now: number): boolean => Math.abs(Math.round((at - now) / 1000)) <= NOW_SECONDS;

/** A text with a blank between digits and Chinese characters, as everywhere on the page. */
const spaced = (text: string): string => text.replace(/(?<=\p{Script=Han})(?=\d)|(?<=\d)(?=\p{Script=Han})/gu, ' ');

/** Rounded, in the largest unit that fits. @param at epoch milliseconds @param now epoch milliseconds */
export function relativeTime(at: number, now: number, locale: string): string {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const format = { format: (value: number, unit: Intl.RelativeTimeFormatUnit) => spaced(relative.format(value, unit)) };
  const seconds = Math.round((at - now) / 1000);
  if (isNow(at, now)) return format.format(0, 'second');
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length * NEARLY_ONE) ?? ['second', 1];
  return format.format(Math.round(seconds / size), unit);
}

/** An instant in the time zone of the reader, to the second, with the zone. @param at epoch milliseconds */
export function absoluteTime(at: number, locale: string, timeZone?: string): string {
  const parts = { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const zone = timeZone === undefined ? {} : { timeZone };
  const formatOf = (fields: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { ...fields, hourCycle: 'h23', ...zone });
  // Chinese would have the zone between date and time.
  const named = formatOf({ timeZoneName: 'short' }).formatToParts(at);
  const zoneName = named.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${formatOf(parts).format(at)} ${zoneName}`.trimEnd();
}

/** @param local such as `2026-11-21 08:05:00` @param zone such as `(GMT+08:00)` */
export function instantOfCarrier(local: string, zone: string): string | undefined {
  const [, offset] = /^\(GMT([+-]\d{2}:\d{2})\)$/.exec(zone) ?? [];
  const text = `${local.replace(' ', 'T')}${offset}`;
  return offset === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}

/** True for a time with a local offset; the platform's own times are in UTC. @param sent RFC 3339 */
export const hasPlace = (sent: string): boolean => /[+-](?!00:00)\d{2}:\d{2}$/.test(sent);

/** A duration, such as `148 ms` or `2.4 s`. @param milliseconds not negative */
export const duration = (milliseconds: number): string =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

/** @param local such as `2026-11-24T09:15`, of a field of the kind `datetime-local` */
export function instantOfLocal(local: string): string | undefined {
  if (local === '') return undefined;
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** What a field of the kind `datetime-local` shows for an instant. @param at epoch milliseconds */
export function localOfInstant(at: number): string {
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** To three decimals. @param signed true puts a sign before it unless it is 0 */
export const numberText = (value: number, locale: string, signed = false): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 3, signDisplay: signed ? 'exceptZero' : 'auto' }).format(value);

const BYTE_UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** A number of bytes in the largest unit of which there is one, to one decimal, such as `546 B` or `1.5 MB`. A kB has 1000 bytes. */
export function bytesText(bytes: number, locale: string): string {
  const power = Math.min(BYTE_UNITS.length, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const unit = BYTE_UNITS[power - 1];
  // The browser's short form of a byte is the word.
  if (unit === undefined) return `${numberText(bytes, locale)} B`;
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 });
  return format.format(bytes / 1000 ** power);
}

/** A text with its JSON set out in lines; the text as it is when it is no JSON. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

type JsonToken = 'key' | 'string' | 'number' | 'word' | 'plain';
const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g;

export function jsonTokens(text: string): ReadonlyArray<readonly [kind: JsonToken, text: string]> {
  const pieces: Array<readonly [JsonToken, string]> = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) pieces.push(['plain', text.slice(end, match.index)]);
    const [whole, quoted, colon, digits] = match;
    if (quoted !== undefined) pieces.push([colon === undefined ? 'string' : 'key', quoted]);
    else pieces.push([digits === undefined ? 'word' : 'number', whole]);
    if (colon !== undefined) pieces.push(['plain', colon]);
    end = match.index + whole.length;
  }
  if (end < text.length) pieces.push(['plain', text.slice(end)]);
  return pieces;
}
