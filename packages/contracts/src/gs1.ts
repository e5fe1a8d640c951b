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

/** What a scan holds. */
export interface Gs1Reading {
  /** The scan without the symbology identifier that a scanner may put before it. */
  readonly text: string;
  /** 18 digits with a valid check digit. */
  readonly sscc?: string;
  /** As GTIN-14. */
  readonly gtin?: string;
}

/** What a scanner can put before a text to say which kind of symbol it has read, as `]C1` (ISO/IEC 15424). */
const SYMBOLOGY = /^\][A-Za-z][0-9A-Za-z]/;
/** Of a GS1 symbol: GS1-128, GS1 DataBar, GS1 DataMatrix, GS1 QR code; in any case, as texts are compared. */
const GS1_SYMBOLOGY = /^\](C1|e0|d2|Q3)/i;
/** SSCC and GTIN by their application identifiers, perhaps behind FNC1 (GS1 General Specifications, 3.3.1 and 3.3.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: FNC1 is transmitted as the control character GS.
const ELEMENT = /^\u001d?(?:\(00\)|00)(?<sscc>[0-9]{18})(?<more>.*)$|^\u001d?(?:\(01\)|01)(?<gtin>[0-9]{14})(?<otherMore>.*)$/s;

const asSscc = (digits: string | undefined): { readonly sscc: string } | undefined =>
  digits !== undefined && /^[0-9]{18}$/.test(digits) && hasCheckDigit(digits) ? { sscc: digits } : undefined;

/**
 * Reads the SSCC (application identifier 00) or the GTIN (01) of a GS1 symbol, with or without parentheses and symbology identifier. Further elements may
 * follow where one of these says that there are elements. An SSCC needs no application identifier.
 * @param scan without blanks around it
 */
export function readGs1(scan: string): Gs1Reading {
  const text = scan.replace(SYMBOLOGY, '');
  const found = ELEMENT.exec(text)?.groups;
  const isComplete = found?.more === '' || found?.otherMore === '';
  if (found === undefined || !(isComplete || text.startsWith('(') || GS1_SYMBOLOGY.test(scan))) return { text, ...asSscc(text) };
  const gtin = found.gtin === undefined ? undefined : gtin14Of(found.gtin);
  return { text, ...asSscc(found.sscc), ...(gtin !== undefined && { gtin }) };
}

/** Lengths of EAN-8, UPC-A, EAN-13 and GTIN-14. */
const LENGTHS = [8, 12, 13, 14];

/**
 * A barcode as GTIN-14, the form in which all of them are compared: a UPC-A and its EAN-13 with a zero in front are one number.
 * @returns undefined when it is no EAN-8, UPC-A, EAN-13 or GTIN-14 with a valid check digit
 */
export function gtin14Of(barcode: string): string | undefined {
  if (!/^[0-9]+$/.test(barcode) || !LENGTHS.includes(barcode.length) || !hasCheckDigit(barcode)) return undefined;
  return barcode.padStart(14, '0');
}
