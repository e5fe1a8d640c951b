/**
 * The check digit of GS1 numbers (GTIN, SSCC): weights 3 and 1 from the right (GS1 General Specifications, 7.9.1).
 * @param digits decimal digits without the check digit
 */
export function checkDigitOf(digits: string): number {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) sum += Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 3 : 1);
  return (10 - (sum % 10)) % 10;
}

/** True for digits whose last one is their check digit. */
export function hasCheckDigit(digits: string): boolean {
  return checkDigitOf(digits.slice(0, -1)) === Number(digits.at(-1));
}
