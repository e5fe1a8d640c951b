import { isLogisticsNumber, normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';

export const comparable = normaliseTrackingNumber;
export const isParcelNumber = isLogisticsNumber;

/** Sides of a parcel, in cm. */
export interface Size {
  readonly lengthCm: number;
  readonly widthCm: number;
  readonly heightCm: number;
}

const commands = {
  L: 'label',
  K: 'packing-list',
  P: 'product-label',
  Q: 'product-labels',
  S: 'packing-slip',
  C: 'camera',
  F: 'file',
  N: 'count',
  X: 'exception',
  H: 'hold',
  D: 'dispatch',
  W: 'processing',
  U: 'put-away',
  E: 'end',
  O: 'seen',
  G: 'scale',
  A: 'unclaimed',
  R: 'reports',
} as const;
type CommandKey = keyof typeof commands;
export type Command = (typeof commands)[CommandKey];

export const keyOf = Object.fromEntries(Object.entries(commands).map(([key, command]) => [command, key])) as Readonly<
  Record<Command, CommandKey>
>;

/** Longest line that is looked at, as for the lookup. */
const MAX_LINE = 1024;

/** A line as it is understood: trimmed, without control characters such as the separators of GS1. */
export function cleanLine(text: string): string {
  return text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, MAX_LINE);
}

/** The command of a line of one letter; numbers that are scanned have at least four characters. */
export function commandOf(line: string): Command | undefined {
  const key = line.toUpperCase();
  return Object.hasOwn(commands, key) ? commands[key as CommandKey] : undefined;
}

const KG_PER_UNIT: Readonly<Record<string, number>> = { kg: 1, g: 0.001, lb: 0.45359237, 公斤: 1, 千克: 1, 克: 0.001 };
const WEIGHT = /^(\d{1,6}(?:[.,]\d{1,4})?)\s*(kg|g|lb|公斤|千克|克)?$/i;

export interface TypedWeight {
  readonly kg: number;
  readonly withUnit: boolean;
}

/** Digits without unit or decimal point that are no weight any more but the number of a parcel. */
const NUMBER_FROM = 5;

/** The weight of a line such as `1.25`, `1,25 kg` or `800 g`; undefined when it is none. Five bare digits and more are a number that was scanned. */
export function weightOf(line: string): TypedWeight | undefined {
  const [, digits, unit] = WEIGHT.exec(line) ?? [];
  if (digits === undefined || (unit === undefined && new RegExp(`^\\d{${NUMBER_FROM},}$`).test(digits))) return undefined;
  const kg = rounded(Number(digits.replace(',', '.')) * (KG_PER_UNIT[unit?.toLowerCase() ?? 'kg'] as number), 4);
  return kg > 0 ? { kg, withUnit: unit !== undefined } : undefined;
}

/** A number, perhaps with letters for digits, and what may have been meant as a unit. */
const NEAR_WEIGHT = /^[+-]?[.,]?\d[\d.,\soli]*(?:[a-z]{0,3}|公斤|千克|克)$/i;
/** Longest line that is taken for a weight gone wrong. */
const MAX_NEAR_WEIGHT = 10;

/** True for a line that looks like a weight gone wrong, such as `1.25o`, `-1` or `250000`. Without a decimal point it may still be a number. */
export const resemblesWeight = (line: string): boolean => line.length <= MAX_NEAR_WEIGHT && NEAR_WEIGHT.test(line);

/** Three digits after a comma or point may be thousands, unless a zero comes before it or the unit shows it. */
const AMBIGUOUS = /^[1-9]\d{0,2}[.,]\d{3}\s*(?:g|克)?$/i;
/** True for a line such as `1,500`: 1.5, or 1500 with a separator of thousands. */
export const isAmbiguousWeight = (line: string): boolean => AMBIGUOUS.test(line);

/** A number that is printed in groups, such as `123 456 789 012`, may look like a size. */
const GROUPED = /^\d{9,}$/;

/** True for a line that is no scan but a weight or a size that comes too early: `1.5`, `1.2kg`, `30x20x10`, or digits shorter than a number. */
export function isMeasure(line: string): boolean {
  if (GROUPED.test(comparable(line))) return false;
  return weightOf(line) !== undefined || sizeOf(line) !== undefined || isWrongWeight(line) || resemblesSize(line);
}

/** True for a weight gone wrong that no parcel has as its number: with a sign or a decimal point, or too short. */
export const isWrongWeight = (line: string): boolean => resemblesWeight(line) && (/^[+-]|[.,]/.test(line) || !isParcelNumber(line));

/** Longest side of what lies on a bench, in cm. Three numbers beyond it are the groups of a number that was scanned. */
export const MAX_SIDE_CM = 1000;

/** The three sides of a line such as `30x20x10`, `30 20 10`, `30*20*10 cm` or `300x200x100mm`; undefined when it has not three. */
export function sizeOf(line: string): Size | undefined {
  const [, text = '', unit] = /^(.*?)\s*(cm|mm|厘米|毫米)?$/i.exec(line) ?? [];
  const cmPerUnit = unit?.toLowerCase() === 'mm' || unit === '毫米' ? 0.1 : 1;
  // A comma parts the sides only where nothing else does: elsewhere it is a decimal point.
  const parts = /^[\d.]+,[\d.]+,[\d.]+$/.test(text) ? text.split(',') : text.split(/\s*[x×*;/]\s*|\s+/i);
  if (parts.length !== 3 || !parts.every((part) => /^\d{1,5}(?:[.,]\d{1,3})?$/.test(part))) return undefined;
  const [lengthCm = 0, widthCm = 0, heightCm = 0] = parts.map((part) => rounded(Number(part.replace(',', '.')) * cmPerUnit, 3));
  const plausible = Math.min(lengthCm, widthCm, heightCm) > 0 && Math.max(lengthCm, widthCm, heightCm) <= MAX_SIDE_CM;
  return plausible ? { lengthCm, widthCm, heightCm } : undefined;
}

/** Most characters of one side of a size gone wrong. */
const NEAR_SIDE = /^[+-]?[\d.,]{0,6}\s*[a-z厘毫米]{0,2}$/i;
/** Without an x between them, longer numbers are the groups of a number that was scanned. */
const SHORT_SIDE = /^[+-]?\d{1,3}(?:[.,]\d*)?[a-z]{0,2}$/i;

/** True for a line that looks like a size gone wrong, such as `30x20`, `0x1x1` or `30x20x1o`. */
export function resemblesSize(line: string): boolean {
  if (!/^[+-]?[\d.,]/.test(line) || line.length > 40) return false;
  const parts = line.split(/[x×*]/i).map((part) => part.trim());
  if (parts.length > 1) return parts.every((part) => NEAR_SIDE.test(part));
  const others = line.split(/\s*[;/]\s*|\s+/);
  return others.length > 1 && others.every((part) => SHORT_SIDE.test(part));
}

const rounded = (value: number, decimals: number): number => Number(value.toFixed(decimals));
/** Longest line that a scanner types. */
const MAX_TYPED = 1024;
/** Shortest line that is a scan: a letter and Enter may be meant for a button. */
const MIN_SCAN = 4;

export interface TypedKeys {
  /** What was typed so far and is no scan yet. */
  readonly typed: string;
  readonly scan?: string;
  /** True when the key is part of a scan: the button that has the focus must not be pressed by it. */
  readonly taken: boolean;
}

/** A key that is pressed where nothing takes text, such as in a window with a list: a scanner types its number and Enter anywhere. */
export function withKey(typed: string, key: string): TypedKeys {
  if (key === 'Enter') return typed.length < MIN_SCAN ? { typed: '', taken: false } : { typed: '', scan: typed, taken: true };
  // A space by itself presses a button.
  if (key.length === 1 && (key !== ' ' || typed !== '')) return { typed: (typed + key).slice(0, MAX_TYPED), taken: true };
  // Shift is pressed between the characters of a scan; Tab or Escape ends what was typed.
  return { typed: key === 'Shift' || key === 'CapsLock' ? typed : '', taken: false };
}
