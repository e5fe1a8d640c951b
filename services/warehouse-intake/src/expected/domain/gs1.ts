import { gtin14Of, hasCheckDigit } from './gtin.ts';

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
/** Of a GS1 symbol: GS1-128, GS1 DataBar, GS1 DataMatrix, GS1 QR code. */
const GS1_SYMBOLOGY = /^\](C1|e0|d2|Q3)/;
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
