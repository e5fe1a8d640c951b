import { parseDuration } from '@parcelway/kernel/duration';
import { InvalidArgumentError } from 'commander';

/* Texts of the command line in the types of the API. Which values are allowed, the platform says. */

/** Items separated by commas. @throws InvalidArgumentError for an empty list */
export function parseList(text: string): string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  if (items.length === 0) throw new InvalidArgumentError('Enter at least one value, separated by commas.');
  return items;
}

/** Addresses and networks separated by commas, or `any` for an empty list. */
export const parseAddresses = (text: string): string[] => (text === 'any' ? [] : parseList(text));

/** A duration such as 90d in whole seconds. @throws InvalidArgumentError */
export function parseSeconds(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError('Enter a duration such as 12h or 90d.');
  return Math.floor(ms / 1000);
}

/** `off`, or calls per second and burst as `20:200`. @throws InvalidArgumentError */
export function parseRateLimit(text: string): 'off' | { readonly per_second: number; readonly burst: number } {
  if (text === 'off') return 'off';
  const [, perSecond, burst] = /^(\d+(?:\.\d+)?):(\d+)$/.exec(text) ?? [];
  if (burst === undefined) throw new InvalidArgumentError('Enter off, or calls per second and burst such as 20:200.');
  return { per_second: Number(perSecond), burst: Number(burst) };
}

/** A number. @throws InvalidArgumentError */
export function parseNumber(text: string): number {
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw new InvalidArgumentError('Enter a number such as 20 or 0.5.');
  return Number(text);
}

/** A count from 1, for what parcelctl itself counts. @throws InvalidArgumentError */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Enter a whole number of at least 1.');
  return Number(text);
}

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
  const [, partition, offset] = /^(\d{1,6}):(\d{1,19})$/.exec(text) ?? [];
  if (offset === undefined) throw new InvalidArgumentError('Enter partition and offset as shown by parcelctl dlq list, such as 3:17.');
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
