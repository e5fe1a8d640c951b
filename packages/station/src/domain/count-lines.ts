import { type AtParcel, type Bench, hasCount, moved, type Question, type Step, said, titleOf } from './bench.ts';
import {
  type Counted,
  type CountRow,
  countRows,
  differenceText,
  isRight,
  isSku,
  MAX_COUNTED_SKUS,
  MAX_PIECES,
  nextUncounted,
  reportedCount,
  skusOf,
  summaryOf,
  withQuantity,
} from './count.ts';
import { comparable } from './entry.ts';

/** The state of the count. */
type Counting = Extract<Question, { ask: 'count' }>;

/** The count of the parcel on the bench: what was counted here, else what the platform knows. */
const countAt = ({ subject, counted }: AtParcel): readonly Counted[] => counted ?? subject.detail?.received_items ?? [];

/** The count of the parcel on the bench against its forecast. */
export function rowsAtBench(parcel: AtParcel): CountRow[] {
  return countRows(parcel.subject.detail?.items ?? [], countAt(parcel));
}

/** Begins to count. An earlier count goes on. */
export function countBegun(bench: Bench, parcel: AtParcel): Step {
  return parcel.subject.detail === undefined ? said(bench, 'cannotCount') : at(bench, parcel, {});
}

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

/** The fields of a report that brings the count; none when nobody has counted. */
export function countFields({ counted }: AtParcel): { readonly received_items?: Counted[] } {
  return counted === undefined || counted.length === 0 ? {} : { received_items: reportedCount(counted) };
}

/** The parcel once its count is reported. */
export function countReported({ counted, ...parcel }: AtParcel): AtParcel {
  const { detail } = parcel.subject;
  if (counted === undefined || detail === undefined) return parcel;
  return { ...parcel, subject: { ...parcel.subject, detail: { ...detail, received_items: [...counted] } } };
}
