import { createHmac } from 'node:crypto';

/** A barcode of a label, as it was decoded. */
export interface DecodedBarcode {
  readonly format: string;
  /** FNC1 of GS1 symbols is U+001D. */
  readonly text: string;
}

/** Readings of one file, at most. */
export const MAX_READINGS = 32;

/** Logistics numbers have such lengths. */
const TOKEN = /^[A-Z0-9]{4,64}$/;

/** What barcodes write around a logistics number. Each pattern matches a whole token and captures the number in it. */
const WRAPPED: readonly RegExp[] = [
  // USPS: GS1 application identifier 420 with a ZIP code of 5 or 9 digits in front of the package identifier.
  /^420\d{5}(\d{20,26})$/,
  /^420\d{9}(\d{20,26})$/,
  // GS1 application identifiers: SSCC (00), consignment (401), shipment (402).
  /^00(\d{18})$/,
  /^401([A-Z0-9]{6,30})$/,
  /^402(\d{17})$/,
  // FedEx: 34 digits that end in the tracking number; Ground 96 of 22 digits.
  /^\d{22}(\d{12})$/,
  /^96\d{5}(\d{15})$/,
  // DPD: postcode, parcel number, service and country.
  /^[A-Z0-9]{7}(\d{14})\d{6}$/,
  // ANSI MH10.8.2 data identifiers of licence plates: J, 1J to 6J.
  /^[1-6]?J([A-Z0-9]{8,35})$/,
];

const compact = (text: string): string => text.toUpperCase().replace(/[^A-Z0-9]/g, '');

/**
 * What a barcode may mean: all of it, its parts between separators (GS1 elements, segments of a URL), and the numbers within those.
 * Upper case, letters and digits alone; each once, the whole first.
 */
export function barcodeReadings(text: string): string[] {
  const parts = text.split(/[^A-Za-z0-9 -]+/).map(compact);
  // Words are parts of URLs and addresses.
  const tokens = [compact(text), ...parts.filter((part) => /\d/.test(part))].filter((token) => TOKEN.test(token));
  const within = tokens.flatMap((token) => WRAPPED.flatMap((pattern) => pattern.exec(token)?.[1] ?? []));
  return [...new Set([...tokens, ...within])];
}

/** Product codes: what they say is never a logistics number. */
const PRODUCT_FORMATS = /^(EAN|UPC|ISBN)/;

/** True for a barcode that reads like a logistics number and not like a product, a postcode or a web page. */
function looksLikeNumber({ format, text }: DecodedBarcode): boolean {
  const whole = compact(text);
  if (PRODUCT_FORMATS.test(format) || text.includes('://') || /^420\d{5}(\d{4})?$/.test(whole)) return false;
  return whole.length >= 8 && whole.length <= 40 && whole.replace(/\D/g, '').length >= 5;
}

/** What the barcodes of a file may mean, as hashes: they show whether a number is among them, and do not reveal it. */
export interface BarcodeSummary {
  /** True when a label of these barcodes should name a logistics number among them. */
  readonly hasNumber: boolean;
  /** Of each reading 8 hex digits; at most {@link MAX_READINGS}. */
  readonly readings: readonly string[];
}

/** @param secret of the file service; without it the numbers cannot be tried out */
function hashOf(secret: string, reading: string): string {
  return createHmac('sha256', secret).update(`barcode\n${reading}`).digest('hex').slice(0, 8);
}

/**
 * Sums up the barcodes of a file.
 * @param isComplete false when there may be further barcodes, so that the absence of a number says nothing
 */
export function summariseBarcodes(secret: string, barcodes: readonly DecodedBarcode[], isComplete: boolean): BarcodeSummary {
  const readings = barcodes.map(({ text }) => barcodeReadings(text));
  // The whole of every barcode comes before the parts of any.
  const ordered = new Set([...readings.flatMap((of) => of.slice(0, 1)), ...readings.flat()]);
  const isKept = ordered.size <= MAX_READINGS;
  return {
    hasNumber: isComplete && isKept && barcodes.some(looksLikeNumber),
    readings: [...ordered].slice(0, MAX_READINGS).map((reading) => hashOf(secret, reading)),
  };
}

/** True when one of the barcodes names one of the numbers, whatever a carrier writes around it. */
export function namesAnyNumber(secrets: string | readonly string[], { readings }: BarcodeSummary, numbers: readonly string[]): boolean {
  const known = new Set(readings);
  const isKnown = (reading: string): boolean => [secrets].flat().some((secret) => known.has(hashOf(secret, reading)));
  return numbers.some((number) => barcodeReadings(number).some(isKnown));
}
