import type { Warning } from '../warnings.ts';
import { wrongCheckDigit } from './detect.ts';

/**
 * Warns of a tracking number whose check digit is wrong. The number is accepted all the same: a carrier may have changed its format.
 * @param field path of the field that has the number, or name of the parameter
 * @param trackingNumber normalised by `normaliseTrackingNumber`
 * @returns undefined unless the number has the form of exactly one checked, distinctive format (see `wrongCheckDigit`)
 */
export function checkDigitWarning(field: string, trackingNumber: string): Warning | undefined {
  const format = wrongCheckDigit(trackingNumber);
  if (format === undefined) return undefined;
  return {
    field,
    message: `${field} looks like a number of the format ${format}, but its check digit does not fit; check for a typing mistake`,
  };
}
