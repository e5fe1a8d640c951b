/**
 * A logistics number in the form in which it is stored and compared: upper case, spaces and hyphens removed.
 * The same form serves uniqueness, the match of a scanned parcel, and the carrier query.
 */
export function normaliseTrackingNumber(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}
