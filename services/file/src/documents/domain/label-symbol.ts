import { hasCheckDigit } from '@parcelway/contracts/gs1';

/** A symbol that a scanner reads; `text` is what it reads. */
export interface LabelSymbol {
  readonly kind: 'ean8' | 'ean13' | 'upca' | 'code128' | 'qrcode' | 'gs1-128';
  readonly text: string;
}

/** Kind of a product's barcode by its number of digits. */
const RETAIL_KINDS: Readonly<Record<number, LabelSymbol['kind']>> = { 8: 'ean8', 12: 'upca', 13: 'ean13' };

/** What Code 128 encodes and every scanner reads: ASCII that can be seen, and blanks. */
const CODE_128 = /^[\x20-\x7e]+$/;

/**
 * The symbol of an item: its barcode when that is a valid EAN-8, EAN-13 or UPC-A, otherwise Code 128 of the SKU.
 * @returns undefined when the SKU has characters that Code 128 lacks: the label shows it as text alone
 */
export function itemSymbol(item: { readonly sku_code: string; readonly barcode?: string | undefined }): LabelSymbol | undefined {
  const barcode = item.barcode ?? '';
  const kind = /^\d+$/.test(barcode) ? RETAIL_KINDS[barcode.length] : undefined;
  if (kind !== undefined && hasCheckDigit(barcode)) return { kind, text: barcode };
  return code128(item.sku_code);
}

/** Code 128 of a text, or undefined when it has characters that Code 128 lacks. */
export function code128(text: string): LabelSymbol | undefined {
  return CODE_128.test(text) ? { kind: 'code128', text } : undefined;
}

/** The QR code of a carton: JSON with the keys in this order. */
export function cartonQr(forecast: {
  readonly forecastNo: string;
  readonly poNumber: string;
  readonly warehouseCode: string;
}): LabelSymbol {
  const text = JSON.stringify({ forecast_no: forecast.forecastNo, po_number: forecast.poNumber, warehouse_code: forecast.warehouseCode });
  return { kind: 'qrcode', text };
}
