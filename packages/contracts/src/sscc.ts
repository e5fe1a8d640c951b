import { createKeyedPermutation } from '@parcelway/kernel/keyed-permutation';
import { checkDigitOf } from './gs1.ts';

/** Digits of an SSCC before its check digit: extension digit, company prefix and serial reference together. */
const DIGITS = 17;

/**
 * The Serial Shipping Container Code of a forecast's carton (GS1 General Specifications, 2.2.1).
 * @param forecastId 1, 2, 3, …
 * @returns 18 digits, the same at every call; undefined without a prefix, and once the numbers under the prefix are used up
 */
export type SsccOf = (forecastId: number) => string | undefined;

/** GS1 General Specifications, 1.4.3. */
const COMPANY_PREFIX = /^\d{4,12}$/;

/** Reads `GS1_COMPANY_PREFIX`: the operator's, or undefined. @throws Error that says what is allowed */
export function readCompanyPrefix(value: string | undefined): string | undefined {
  if (value !== undefined && !COMPANY_PREFIX.test(value)) throw new Error('must be a GS1 company prefix of 4 to 12 digits');
  return value;
}

/**
 * Makes SSCCs under a company prefix, and none without one. The extension digit and the serial reference together are a keyed permutation of the number of the forecast,
 * over all numbers that they can be: numbers of forecasts are never given twice, so no code is either, and a code does not say how many there are.
 * @param secret of the installation; with another one the codes are others
 * @param companyPrefix of {@link readCompanyPrefix}
 */
export function createSsccs(secret: string, companyPrefix: string | undefined): SsccOf {
  if (companyPrefix === undefined) return () => undefined;
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
