import { createKeyedPermutation } from '@parcelway/kernel/keyed-permutation';
import { checkDigitOf } from './check-digit.ts';

/** Digits of an SSCC before its check digit: extension digit, company prefix and serial reference together. */
const DIGITS = 17;

/**
 * The Serial Shipping Container Code of a forecast's carton (GS1 General Specifications, 2.2.1).
 * @param forecastId 1, 2, 3, …
 * @returns 18 digits, the same at every call; undefined once the numbers under the prefix are used up
 */
export type SsccOf = (forecastId: number) => string | undefined;

/**
 * Makes SSCCs under a company prefix. The extension digit and the serial reference together are a keyed permutation of the number of the forecast,
 * over all numbers that they can be: numbers of forecasts are never given twice, so no code is either, and a code does not say how many there are.
 * @param secret of the installation; with another one the codes are others
 * @param companyPrefix 4 to 12 digits, of the operator
 */
export function createSsccs(secret: string, companyPrefix: string): SsccOf {
  const room = DIGITS - companyPrefix.length;
  const count = 10 ** room;
  const permuted = createKeyedPermutation(secret, `SSCC ${companyPrefix}`, { from: 0, to: count });
  return (forecastId) => {
    if (forecastId > count) return undefined;
    const serial = String(permuted(forecastId - 1)).padStart(room, '0');
    // The extension digit comes before the prefix.
    const digits = `${serial[0]}${companyPrefix}${serial.slice(1)}`;
    return `${digits}${checkDigitOf(digits)}`;
  };
}
