import { scopes } from '@parcelway/contracts/scopes';
import { parseDuration } from '@parcelway/kernel/duration';
import { parseNetwork } from '@parcelway/kernel/networks';
import { InvalidArgumentError } from 'commander';

/** Items separated by commas. @throws InvalidArgumentError for an empty list */
export function parseList(text: string): string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (items.length === 0) throw new InvalidArgumentError('Enter at least one value, separated by commas.');
  return items;
}

/** Reads comma-separated values of a closed list. @param what such as `scope` @param known the allowed values */
export const listOf =
  <T extends string>(what: string, known: readonly T[]) =>
  /** @throws InvalidArgumentError */
  (text: string): T[] => {
    const items = parseList(text);
    const unknown = items.filter((item) => !(known as readonly string[]).includes(item));
    if (unknown.length === 0) return items as T[];
    const name = `${what[0]?.toUpperCase()}${what.slice(1)}`;
    throw new InvalidArgumentError(`Unknown ${what} ${unknown.join(', ')}. ${name}s: ${known.join(', ')}.`);
  };

/** Scopes separated by commas. @throws InvalidArgumentError */
export const parseScopes = listOf('scope', scopes);

/** A duration such as 90d in whole seconds. @throws InvalidArgumentError */
export function parseSeconds(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms < 1000) throw new InvalidArgumentError('Enter a duration of at least 1s, such as 12h or 90d.');
  return Math.floor(ms / 1000);
}

/** A duration in whole seconds, which may be none: `0s`. @throws InvalidArgumentError */
export function parseOverlap(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError('Enter a duration such as 24h, or 0s for none.');
  return Math.floor(ms / 1000);
}

/** Addresses and networks separated by commas, or `any` for an empty list. @throws InvalidArgumentError */
export function parseAddresses(text: string): string[] {
  if (text === 'any') return [];
  const items = parseList(text);
  const wrong = items.filter((item) => parseNetwork(item) === undefined);
  if (wrong.length === 0) return items;
  throw new InvalidArgumentError(`Not an address or network: ${wrong.join(', ')}. Enter some such as 203.0.113.7,2001:db8::/32, or any.`);
}

/** `off`, or calls per second and burst as `20:200`. @throws InvalidArgumentError */
export function parseRateLimit(text: string): 'off' | { readonly per_second: number; readonly burst: number } {
  if (text === 'off') return 'off';
  const match = /^(\d+(?:\.\d+)?):(\d+)$/.exec(text);
  const limit = { per_second: Number(match?.[1]), burst: Number(match?.[2]) };
  if (!(limit.per_second > 0 && limit.burst >= 1))
    throw new InvalidArgumentError('Enter off, or calls per second and burst such as 20:200.');
  return limit;
}

/** A number above 0, such as 0.5. @throws InvalidArgumentError */
export function parsePositive(text: string): number {
  const number = /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : 0;
  if (number === 0) throw new InvalidArgumentError('Enter a number above 0, such as 20 or 0.5.');
  return number;
}

/** Reads a whole number within bounds. @param message says what to enter */
export const wholeNumber =
  (least: number, most: number, message: string) =>
  /** @throws InvalidArgumentError */
  (text: string): number => {
    const number = /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= least && number <= most)) throw new InvalidArgumentError(message);
    return number;
  };

/** A count from 1. @throws InvalidArgumentError */
export const parseCount = wholeNumber(1, 999_999_999, 'Enter a whole number of at least 1.');

/** Entries of a log to show. @throws InvalidArgumentError */
export const parseShown = wholeNumber(1, 1000, 'Enter a whole number of 1 to 1000.');

/** A JSON object; undefined for any other text. */
export function parseJsonObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    // Its message shows a part of the text, which may be secret; the caller says what is allowed.
    return undefined;
  }
}

/** The position of a message in a topic. */
export interface LogPosition {
  readonly partition: number;
  readonly offset: string;
}

/** A position as lists show it, such as `3:17`. @throws InvalidArgumentError */
export function parsePosition(text: string): LogPosition {
  const [, partition, offset] = /^(0|[1-9]\d{0,5}):(0|[1-9]\d{0,18})$/.exec(text) ?? [];
  if (partition === undefined || offset === undefined)
    throw new InvalidArgumentError('Enter partition and offset as shown by parcelctl dlq list, such as 3:17.');
  return { partition: Number(partition), offset };
}

/** An instant: ISO 8601 with offset, a date, or an age such as 2h. @returns ISO 8601 @throws InvalidArgumentError */
export function parseInstant(text: string): string {
  const age = parseDuration(text);
  const at = age === undefined ? Date.parse(text) : Date.now() - age;
  const isDated = age !== undefined || /^\d{4}-\d{2}-\d{2}(T.*(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  if (!isDated || Number.isNaN(at)) throw new InvalidArgumentError('Enter a time such as 2026-01-31T08:00:00+08:00, or an age such as 2h.');
  return new Date(at).toISOString();
}

/** A day that exists, such as 2026-12-31. @throws InvalidArgumentError */
export function parseDay(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Some that do not exist are read as a later one.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(text))
    throw new InvalidArgumentError('Enter a day such as 2026-12-31.');
  return text;
}
