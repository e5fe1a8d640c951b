import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { comparable } from './entry.ts';

type Item = WarehouseForecastDetail['items'][number];

/** Pieces of one SKU that were counted, as they are reported. */
export type Counted = NonNullable<WarehouseForecastDetail['received_items']>[number];

/** What of a SKU was forecast, and what of it has been counted. */
export interface CountRow {
  readonly sku: string;
  /** Items of the forecast that have this SKU; none for one that the forecast does not name. */
  readonly items: readonly Item[];
  readonly forecast: number;
  /** Undefined while it has not been counted. */
  readonly counted: number | undefined;
}

/** Most pieces of one SKU, and most SKUs of a count, as the platform takes them. */
export const MAX_PIECES = 500_000;
export const MAX_COUNTED_SKUS = 2000;
/** Longest SKU. */
const MAX_SKU = 100;

/** A count against the forecast: its SKUs in its order, each once, then those that it does not name. */
export function countRows(items: readonly Item[], counted: readonly Counted[]): CountRow[] {
  const bySku = new Map<string, Item[]>();
  for (const item of items) bySku.set(item.sku_code, [...(bySku.get(item.sku_code) ?? []), item]);
  const quantities = new Map(counted.map(({ sku_code, quantity }) => [sku_code, quantity]));
  return [...new Set([...bySku.keys(), ...quantities.keys()])].map((sku) => {
    const those = bySku.get(sku) ?? [];
    const forecast = those.reduce((sum, { forecast_quantity }) => sum + forecast_quantity, 0);
    return { sku, items: those, forecast, counted: quantities.get(sku) };
  });
}

/** How a count differs from its forecast, in pieces. What was not counted is missing. */
export interface CountSummary {
  readonly counted: number;
  readonly forecast: number;
  readonly missing: number;
  readonly surplus: number;
}

/** Sums a count up. */
export function summaryOf(rows: readonly CountRow[]): CountSummary {
  let [pieces, forecasts, missing, surplus] = [0, 0, 0, 0];
  for (const { forecast, counted = 0 } of rows) {
    pieces += counted;
    forecasts += forecast;
    missing += Math.max(0, forecast - counted);
    surplus += Math.max(0, counted - forecast);
  }
  return { counted: pieces, forecast: forecasts, missing, surplus };
}

/** True when everything is there as forecast. What is missing is not made up for by what is too much. */
export const isRight = ({ missing, surplus }: CountSummary): boolean => missing === 0 && surplus === 0;

/** What is missing and what is too much, such as `−1 +2`; empty when all is right. */
export function differenceText({ missing, surplus }: CountSummary): string {
  return [missing > 0 ? `−${missing}` : '', surplus > 0 ? `+${surplus}` : ''].filter((part) => part !== '').join(' ');
}

/** The count with another quantity of a SKU. */
export function withQuantity(counted: readonly Counted[], sku_code: string, quantity: number): Counted[] {
  const changed = { sku_code, quantity };
  if (!counted.some((each) => each.sku_code === sku_code)) return [...counted, changed];
  return counted.map((each) => (each.sku_code === sku_code ? changed : each));
}

/** A barcode in the form in which it is compared: a UPC-A and its EAN-13 with a zero in front are one number. */
const barcodeOf = (code: string): string => (/^\d{8,14}$/.test(code) ? code.padStart(14, '0') : code);

/** SKUs that a scanned code means: that of the SKU itself, else those with the barcode. Several are several. */
export function skusOf(rows: readonly CountRow[], code: string): string[] {
  const exact = rows.filter(({ sku }) => sku === code);
  const same = exact.length > 0 ? exact : rows.filter(({ sku }) => comparable(sku) === comparable(code));
  const found =
    same.length > 0 ? same : rows.filter(({ items }) => items.some(({ barcode }) => barcode && barcodeOf(barcode) === barcodeOf(code)));
  return found.map(({ sku }) => sku);
}

/** The SKU that a typed number is for next: the first one of the forecast that has not been counted. */
export const nextUncounted = (rows: readonly CountRow[]): string | undefined => rows.find(({ counted }) => counted === undefined)?.sku;

/** True for a code that may be counted although the forecast does not name it. */
export const isSku = (code: string): boolean => code.length > 1 && code.length <= MAX_SKU;

/** The count as it is reported: a SKU that is left out counts as none, but the list is never empty. */
export function reportedCount(counted: readonly Counted[]): Counted[] {
  const found = counted.filter(({ quantity }) => quantity > 0);
  return found.length > 0 ? found : counted.slice(0, 1);
}
