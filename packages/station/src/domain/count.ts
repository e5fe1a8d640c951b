import { gtin14Of, readGs1 } from '@parcelway/contracts/gs1';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import {
  type AtParcel,
  type Bench,
  type Candidate,
  type Counted,
  hasCount,
  moved,
  type Question,
  type Step,
  said,
  titleOf,
} from './bench.ts';
import { comparable } from './entry.ts';

type Item = WarehouseForecastDetail['items'][number];

export interface CountRow {
  readonly sku: string;
  /** Items of the forecast that have this SKU; none for one that the forecast does not name. */
  readonly items: readonly Item[];
  readonly forecast: number;
  /** Undefined while it has not been counted. */
  readonly counted: number | undefined;
}

/** Most pieces of one SKU, and most SKUs of a count, as the platform takes them. */
const MAX_PIECES = 500_000;
const MAX_COUNTED_SKUS = 2000;
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
interface CountSummary {
  readonly counted: number;
  readonly forecast: number;
  readonly missing: number;
  readonly surplus: number;
}

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
export const differenceText = ({ missing, surplus }: CountSummary): string =>
  [missing > 0 ? `−${missing}` : '', surplus > 0 ? `+${surplus}` : ''].filter((part) => part !== '').join(' ');

function withQuantity(counted: readonly Counted[], sku_code: string, quantity: number): Counted[] {
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
const nextUncounted = (rows: readonly CountRow[]): string | undefined => rows.find(({ counted }) => counted === undefined)?.sku;
/** True for a code that may be counted although the forecast does not name it. */
const isSku = (code: string): boolean => code.length > 1 && code.length <= MAX_SKU;

/** The count as it is reported: a SKU that is left out counts as none, but the list is never empty. */
export function reportedCount(counted: readonly Counted[]): Counted[] {
  const found = counted.filter(({ quantity }) => quantity > 0);
  return found.length > 0 ? found : counted.slice(0, 1);
}

type Counting = Extract<Question, { ask: 'count' }>;
/** The count of the parcel on the bench: what was counted here, else what the platform knows. */
const countAt = ({ subject, counted }: AtParcel): readonly Counted[] => counted ?? subject.detail?.received_items ?? [];
export const rowsAtBench = (parcel: AtParcel): CountRow[] => countRows(parcel.subject.detail?.items ?? [], countAt(parcel));

export const countBegun = (bench: Bench, parcel: AtParcel): Step =>
  parcel.subject.detail === undefined ? said(bench, 'cannotCount') : at(bench, parcel, {});

/** The count with something else marked; a typed number is for `current`. */
function at(bench: Bench, parcel: AtParcel, { current, refused }: Omit<Counting, 'ask'>): Step {
  const marked = current ?? nextUncounted(rowsAtBench(parcel));
  const question: Counting = { ask: 'count', ...(marked !== undefined && { current: marked }), ...(refused !== undefined && { refused }) };
  return { bench: moved(bench, { ...parcel, question }), effects: [] };
}

/** A line of a count: a code that was scanned adds one, a number is the quantity of the marked SKU, Enter alone ends the count. */
export function countLine(bench: Bench, parcel: AtParcel, counting: Counting, line: string): Step {
  const rows = rowsAtBench(parcel);
  if (line === '') return countEnded(bench, parcel, rows);
  if (line === '*') return said(at(bench, { ...parcel, counted: [] }, {}).bench, 'countForgotten', undefined, 'good');
  const skus = skusOf(rows, line);
  if (skus.length > 1) return said(bench, 'countSeveral', line);
  const [sku] = skus;
  if (sku !== undefined) return changed(bench, parcel, sku, (before) => before + 1, sku);
  const [, place] = /^#(\d{1,4})$/.exec(line) ?? [];
  if (place !== undefined) {
    const chosen = rows[Number(place) - 1]?.sku;
    return chosen === undefined ? said(bench, 'chooseNumber') : at(bench, parcel, { current: chosen });
  }
  const [, sign, digits] = /^([+=-]?)(\d{1,6})$/.exec(line) ?? [];
  // As with weights, five bare digits and more are a code that was scanned.
  if (digits !== undefined && (sign !== '' || digits.length < 5))
    return numbered(bench, parcel, counting.current, sign ?? '', Number(digits));
  return unknownCode(bench, parcel, counting, line);
}

function numbered(bench: Bench, parcel: AtParcel, current: string | undefined, sign: string, number: number): Step {
  if (current === undefined) return said(bench, 'countScanFirst');
  const next = (before: number): number => (sign === '+' ? before + number : sign === '-' ? Math.max(0, before - number) : number);
  // A number that stands by itself settles its SKU: the next one is for the next SKU.
  return changed(bench, parcel, current, next, sign === '' ? undefined : current);
}

/** Changes a quantity and says at once how it compares. @param stay the SKU that stays marked; undefined for the next one */
function changed(bench: Bench, parcel: AtParcel, sku: string, next: (before: number) => number, stay: string | undefined): Step {
  const counted = countAt(parcel);
  const quantity = next(counted.find(({ sku_code }) => sku_code === sku)?.quantity ?? 0);
  if (quantity > MAX_PIECES) return said(bench, 'countTooMany', String(MAX_PIECES));
  const here = { ...parcel, counted: withQuantity(counted, sku, quantity) };
  const rows = rowsAtBench(here);
  const forecast = rows.find((row) => row.sku === sku)?.forecast ?? 0;
  const marked = stay ?? nextUncounted(rows) ?? sku;
  const { bench: there } = at(bench, here, { current: marked });
  return said(there, quantity > forecast ? 'countedMore' : 'counted', sku, quantity > forecast ? 'bad' : 'good', `${quantity}/${forecast}`);
}

/** A code that the forecast does not name: the same code again counts it as surplus. */
function unknownCode(bench: Bench, parcel: AtParcel, { refused, current }: Counting, line: string): Step {
  const { scan, forecast } = parcel.subject;
  if ([scan, forecast?.forecast_no].some((each) => each !== undefined && comparable(each) === comparable(line)))
    return said(bench, 'sameParcel', titleOf(parcel.subject), 'good');
  if (!isSku(line)) return said(bench, 'countFirst');
  if (refused === line) {
    if (countAt(parcel).length >= MAX_COUNTED_SKUS) return said(bench, 'countTooMany', String(MAX_COUNTED_SKUS));
    return changed(bench, parcel, line, (before) => before + 1, line);
  }
  const waiting = at(bench, parcel, { ...(current !== undefined && { current }), refused: line });
  return said(waiting.bench, 'notOfParcel', line);
}

/** The count is done: it goes with the next report of the parcel. */
function countEnded(bench: Bench, parcel: AtParcel, rows: readonly CountRow[]): Step {
  const { question: _counting, ...here } = parcel;
  const there = moved(bench, here);
  if (!hasCount(here)) return { bench: there, effects: [] };
  const summary = summaryOf(rows);
  const right = isRight(summary);
  const value = `${summary.counted}/${summary.forecast}`;
  return said(there, right ? 'countRight' : 'countDiffers', value, right ? 'good' : 'bad', differenceText(summary));
}

/** The fields of a report that brings the count; empty without a count. */
export const countFields = ({ counted }: AtParcel): { readonly received_items?: Counted[] } =>
  counted === undefined || counted.length === 0 ? {} : { received_items: reportedCount(counted) };

export function countReported({ counted, ...parcel }: AtParcel): AtParcel {
  const { detail } = parcel.subject;
  if (counted === undefined || detail === undefined) return parcel;
  return { ...parcel, subject: { ...parcel.subject, detail: { ...detail, received_items: [...counted] } } };
}

/** The GTIN of an EAN, UPC or GTIN with its check digit, alone or as element (01) of a GS1 code; undefined for anything else. A SKU has no form. */
function gtinOf(scan: string): string | undefined {
  const { text, gtin } = readGs1(comparable(scan));
  return gtin ?? gtin14Of(text);
}

export const isProductCode = (scan: string): boolean => gtinOf(scan) !== undefined;

/** True for a number that is the barcode or the SKU of an item of the forecast, and no logistics number that it declares. */
export function isProductOf({ items, tracking_numbers }: WarehouseForecastDetail, number: string): boolean {
  if (tracking_numbers.some((each) => comparable(each) === comparable(number))) return false;
  const rows = countRows(items, []);
  return [number, readGs1(comparable(number)).text, gtinOf(number) ?? ''].some((code) => code !== '' && skusOf(rows, code).length > 0);
}

export const isByProduct = ({ matched_by }: Candidate): boolean => matched_by === 'barcode' || matched_by === 'sku_code';
