import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import type { Candidate } from './bench.ts';
import { countRows, skusOf } from './count.ts';
import { comparable } from './entry.ts';

/** Lengths of EAN-8, UPC-A, EAN-13 and GTIN-14. */
const GTIN = /^(?:\d{8}|\d{12,14})$/;
/** The GTIN of a GS1 code by its application identifier. */
const ELEMENT = /^(?:\(01\)|01)(\d{14})(.*)$/s;
/** What a scanner can put before a text to say which kind of symbol it has read, as `]C1`. */
const SYMBOLOGY = /^\][A-Z][0-9A-Z]/;
/** Of a GS1 symbol, as {@link comparable} leaves it. */
const GS1_SYMBOLOGY = /^\](?:C1|E0|D2|Q3)/;

function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((before, digit, index) => before + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/** The GTIN of an EAN, UPC or GTIN with its check digit, alone or as element (01) of a GS1 code; undefined for anything else. A SKU has no form. */
function gtinOf(scan: string): string | undefined {
  const compared = comparable(scan);
  const text = compared.replace(SYMBOLOGY, '');
  if (GTIN.test(text)) return hasCheckDigit(text) ? text : undefined;
  const [, gtin = '', more] = ELEMENT.exec(text) ?? [];
  // Elements that follow need a mark of GS1: otherwise it is the number of a carrier that happens to begin with 01.
  const isElement = more === '' || text.startsWith('(') || GS1_SYMBOLOGY.test(compared);
  return gtin !== '' && isElement && hasCheckDigit(gtin) ? gtin : undefined;
}

export const isProductCode = (scan: string): boolean => gtinOf(scan) !== undefined;

/** True for a number that is the barcode or the SKU of an item of the forecast, and no logistics number that it declares. */
export function isProductOf({ items, tracking_numbers }: WarehouseForecastDetail, number: string): boolean {
  if (tracking_numbers.some((each) => comparable(each) === comparable(number))) return false;
  return skusOf(countRows(items, []), gtinOf(number) ?? number).length > 0;
}

export const isByProduct = ({ matched_by }: Candidate): boolean => matched_by === 'barcode' || matched_by === 'sku_code';
