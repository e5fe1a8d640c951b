import { INVISIBLE } from './visible.ts';

/** What people, labels and web pages put between the characters of a number: what shows nothing, and dashes of every kind. */
const IGNORED = new RegExp(INVISIBLE.replace('[', '[\\p{Pd}\\u2212'), 'gu');
const SHORTEST = 4;
const LONGEST = 64;

/**
 * A logistics number in the form in which it is stored and compared: upper case, without invisible characters (blanks among them) and dashes.
 * The same form serves uniqueness, the match of a scanned parcel, and the carrier query.
 */
export function normaliseTrackingNumber(text: string): string {
  return text.replace(IGNORED, '').toUpperCase();
}

/** True for a text whose {@link normaliseTrackingNumber | compared form} has 4 to 64 characters. */
export function isLogisticsNumber(text: string): boolean {
  const { length } = normaliseTrackingNumber(text);
  return length >= SHORTEST && length <= LONGEST;
}
