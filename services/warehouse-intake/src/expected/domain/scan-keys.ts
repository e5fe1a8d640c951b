import { gtin14Of, readGs1 } from '@parcelway/contracts/gs1';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import type { ScanMatch } from '@parcelway/contracts/warehouse-view-api';
import type { ViewForecast, ViewItem } from './forecast-copy.ts';

/*
 * What a scanner reads and what forecasts are found by, in one notation: a letter for the kind, a colon, the value in the
 * form in which it is compared.
 */

const numberKey = (number: string): string => `n:${number}`;
const poKey = (poNumber: string): string => `p:${poNumber}`;
const barcodeKey = (gtin14: string): string => `b:${gtin14}`;
const ssccKey = (sscc: string): string => `c:${sscc}`;
const skuKey = (sku: string): string => `s:${sku}`;
const dispatchKey = (number: string): string => `d:${number}`;

/** Keys by which the parcel itself is found. They are kept until the forecast is deleted. */
export function parcelKeys({ poNumber, content, dispatch }: ViewForecast): readonly string[] {
  const sscc = content?.sscc;
  return [
    poKey(poNumber),
    ...(content?.trackingNumbers ?? []).map(numberKey),
    ...(sscc === undefined ? [] : [ssccKey(sscc)]),
    ...(dispatch === null ? [] : [dispatchKey(normaliseTrackingNumber(dispatch.trackingNumber))]),
  ];
}

/** Keys by which what is in the parcel is found, without repeats. They end when the parcel leaves. */
export function itemKeys(items: readonly ViewItem[]): readonly string[] {
  const keys = new Set<string>();
  for (const { sku_code: sku, barcode } of items) {
    keys.add(skuKey(sku));
    const gtin = barcode === undefined ? undefined : gtin14Of(barcode);
    if (gtin !== undefined) keys.add(barcodeKey(gtin));
  }
  return [...keys];
}

/** One thing that a scan may be. */
export interface ScanReading {
  readonly matchedBy: ScanMatch;
  /** Key to look for; of a forecast number and of a claimed number the text itself. */
  readonly key: string;
  /** Why a forecast found by it is a candidate, in a sentence. */
  readonly reason: string;
  /** The scanned number as it is compared, where nothing but the merchant's word says that it is on the parcel. */
  readonly declared?: string;
  /** po_number that the forecast must have, of a label's QR code. */
  readonly poNumber?: string;
}

/** The QR code of a carton label. */
interface LabelCode {
  readonly forecast_no: string;
  readonly po_number: string;
}

function labelIn(scan: string): LabelCode | undefined {
  if (!scan.startsWith('{')) return undefined;
  try {
    const code = JSON.parse(scan) as Partial<Record<keyof LabelCode, unknown>>;
    const { forecast_no, po_number } = code;
    return typeof forecast_no === 'string' && typeof po_number === 'string' ? { forecast_no, po_number } : undefined;
  } catch {
    // No label's code, but perhaps a po_number that begins with a brace.
    return undefined;
  }
}

/** Forecast numbers are written in upper case. */
const forecastNoOf = (text: string): string => text.toUpperCase();

/** Everything that a scan may be, the surest first. */
export function readingsOf(scan: string): readonly ScanReading[] {
  const { text, sscc, gtin: gs1Gtin } = readGs1(scan.trim());
  const readings: ScanReading[] = [];
  const label = labelIn(text);
  if (label !== undefined) {
    const { forecast_no: forecastNo, po_number: poNumber } = label;
    readings.push({
      matchedBy: 'label',
      key: forecastNoOf(forecastNo),
      poNumber,
      reason: `The code of a carton label names the forecast ${forecastNo}`,
    });
  }
  readings.push({ matchedBy: 'forecast_no', key: forecastNoOf(text), reason: 'It is the number of the forecast' });
  if (sscc !== undefined)
    readings.push({ matchedBy: 'sscc', key: ssccKey(sscc), reason: `The carton of the forecast has the SSCC ${sscc}` });
  // What the warehouse itself has claimed comes before what merchants declare, as in the match of events.
  readings.push({ matchedBy: 'claimed_number', key: text, reason: `The warehouse has claimed the number ${text} for the forecast` });
  const number = normaliseTrackingNumber(text);
  if (number !== '') {
    const declares = `The forecast declares the logistics number ${number}`;
    readings.push({ matchedBy: 'tracking_number', key: numberKey(number), reason: declares, declared: number });
    const reason = `The carrier's number of the dispatch is ${number}`;
    readings.push({ matchedBy: 'tracking_number', key: dispatchKey(number), reason });
  }
  readings.push({ matchedBy: 'po_number', key: poKey(text), reason: 'It is the po_number of the forecast', declared: number });
  const gtin = gs1Gtin ?? gtin14Of(text);
  if (gtin !== undefined)
    readings.push({ matchedBy: 'barcode', key: barcodeKey(gtin), reason: `The barcode of an item is the GTIN ${gtin}` });
  readings.push({ matchedBy: 'sku_code', key: skuKey(text), reason: `The sku_code of an item is ${text}` });
  return readings;
}
