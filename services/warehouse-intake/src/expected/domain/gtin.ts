/** Lengths of EAN-8, UPC-A, EAN-13 and GTIN-14. */
const LENGTHS = [8, 12, 13, 14];

/** For digits. True when the last digit is the check digit of the others (GS1 General Specifications, section 7.9). */
export function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  // Weights alternate from the right: the check digit counts once, the digit before it three times.
  for (let index = 0; index < digits.length; index += 1) sum += Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 3);
  return sum % 10 === 0;
}

/**
 * A barcode as GTIN-14, the form in which all of them are compared: a UPC-A and its EAN-13 with a zero in front are one number.
 * @returns undefined when it is no EAN-8, UPC-A, EAN-13 or GTIN-14 with a valid check digit
 */
export function gtin14Of(barcode: string): string | undefined {
  if (!/^[0-9]+$/.test(barcode) || !LENGTHS.includes(barcode.length) || !hasCheckDigit(barcode)) return undefined;
  return barcode.padStart(14, '0');
}
