import type { WarehouseForecast, WarehouseForecastDetail, WarehouseLookup } from '@parcelway/contracts/warehouse-view-api';
import type { NoticeKey } from '../messages/words.ts';
import type { Size } from './entry.ts';
import type { BenchPhoto, ExceptionReason, ReportDraft } from './report.ts';
import type { AtUnclaimed, UnclaimedAsk } from './unclaimed.ts';

const CANCELLED = 7;
export type Candidate = WarehouseLookup['candidates'][number];

export interface Subject {
  readonly scan: string;
  /** Set when the scan is a logistics number: reports carry it. */
  readonly expressNo?: string;
  /** Undefined for a parcel without a forecast. */
  readonly forecast?: WarehouseForecast;
  /** Undefined while only the list is known, as without a network. */
  readonly detail?: WarehouseForecastDetail;
  readonly excepted?: ReadonlyArray<{ readonly reason: ExceptionReason; readonly text?: string }>;
  readonly holdReason?: string;
  /** Held or released here, as long as the platform has not shown it. */
  readonly heldHere?: boolean;
}

export interface Handover {
  readonly carrier: string;
  readonly trackingNumber: string;
}

export interface Checking {
  readonly wants: { readonly what: 'print'; readonly kind: DocumentKind } | ({ readonly what: 'dispatch' } & Handover);
  readonly version: number;
  readonly ahead: readonly string[];
}

export type Question =
  | { readonly ask: 'reason' }
  | { readonly ask: 'exception-text'; readonly reason: ExceptionReason }
  | { readonly ask: 'hold-reason' }
  /** `trackingNumber`: was scanned in its place, and `detected` is its carrier; `unknown`: a code that has to be confirmed. */
  | { readonly ask: 'carrier'; readonly trackingNumber?: string; readonly detected?: string; readonly unknown?: string }
  /** `current`: the SKU that a typed number is for; `refused`: a code that the forecast does not name, scanned once. */
  | { readonly ask: 'count'; readonly current?: string; readonly refused?: string }
  | { readonly ask: 'tracking-number'; readonly carrier: string }
  /** Whether a parcel that was corrected is dispatched; without `handover`, before its carrier is asked. */
  | { readonly ask: 'corrected'; readonly handover?: Handover };

/** A parcel on the bench, with what has been entered and is not reported yet. */
export interface AtParcel {
  readonly at: 'parcel';
  readonly subject: Subject;
  readonly weightKg?: number;
  readonly size?: Size;
  readonly photos: readonly BenchPhoto[];
  /** Pieces that were counted, each SKU once; undefined before a count. */
  readonly counted?: readonly Counted[];
  readonly question?: Question;
  readonly correcting?: 'weight' | 'size';
  /** True after one Escape: the next one discards what was entered. */
  readonly discarding?: true;
  /** True after a scan that was not taken: what is typed next may belong to the other parcel, so only Enter and Escape go on. */
  readonly refusing?: true;
  readonly checking?: Checking;
  /** The merchant has corrected the parcel while it was on the bench or after it was printed. Stays until somebody has seen it or printed again. */
  readonly alarm?: { readonly changes: readonly Change[] };
}

/** The state of the work. Lines that are typed while something is being fetched or stored are kept `ahead`. */
export type Flow =
  | { readonly at: 'scan' }
  /** `from`: the parcel on the bench, to which a scan leads back that nothing fits. */
  | { readonly at: 'looking'; readonly scan: string; readonly ahead: readonly string[]; readonly from?: AtParcel }
  | { readonly at: 'choose'; readonly scan: string; readonly candidates: readonly Candidate[]; readonly hasMore: boolean }
  /** `asked`: whether its scan, which looks like the code of a product, is the number of the carrier. */
  | { readonly at: 'unknown'; readonly scan: string; readonly offline: boolean; readonly asked?: true }
  | AtParcel
  | AtUnclaimed
  | { readonly at: 'saving'; readonly parcel: AtParcel; readonly ahead: readonly string[] };

/** The bench: the state of the work, and what it remembers. */
export interface Bench {
  readonly flow: Flow;
  readonly notice?: Notice;
  readonly reading?: ScaleReading;
  readonly lastSize?: Size;
  readonly lastCarrier?: string;
  /** Codes that connections name, in lower case; empty until they are known. */
  readonly carriers: readonly string[];
  readonly confirmed: readonly string[];
  readonly arrived: readonly string[];
  readonly printed: readonly Printed[];
  /** True while no further report fits on the device. */
  readonly full: boolean;
}

export type Effect =
  | { readonly do: 'lookup'; readonly scan: string }
  | { readonly do: 'open'; readonly scan: string; readonly candidate: Candidate }
  | { readonly do: 'report'; readonly title: string; readonly draft: ReportDraft; readonly photos: readonly BenchPhoto[] }
  /** The report that ends the work on a parcel; its outcome follows as `kept` or `notKept`. */
  | { readonly do: 'save'; readonly title: string; readonly drafts: readonly Saved[] }
  /** `unseen`: it was asked for before the alarm of a correction was on view. */
  | ({ readonly do: 'print'; readonly url: string; readonly unseen: boolean } & Printed)
  | { readonly do: 'read'; readonly forecastNo: string; readonly why: 'check' | 'corrected' }
  | { readonly do: 'photo'; readonly from: 'camera' | 'file' }
  | { readonly do: 'drop-photos'; readonly photos: readonly BenchPhoto[] }
  | { readonly do: 'unclaimed'; readonly ask: UnclaimedAsk }
  | Resolved
  | { readonly do: 'scale' | 'reports' };

export interface Resolved {
  readonly do: 'resolved';
  readonly number: string;
  readonly ids: readonly string[];
  /** What it belongs to now; undefined for one that was dismissed. */
  readonly claimedFor?: string;
}

export interface Saved {
  readonly draft: ReportDraft;
  readonly photos: readonly BenchPhoto[];
}

export interface Step {
  readonly bench: Bench;
  readonly effects: readonly Effect[];
}

/** What is called a parcel at the bench: the merchant's number, else the one of the forecast or the scan. */
export const titleOf = ({ scan, forecast }: Subject): string =>
  forecast === undefined ? scan : forecast.po_number || forecast.forecast_no;

export function numbersOf({ scan, expressNo, forecast }: Subject): { readonly forecast_no?: string; readonly express_no?: string } {
  if (forecast === undefined) return { express_no: scan };
  return { forecast_no: forecast.forecast_no, ...(expressNo === undefined ? {} : { express_no: expressNo }) };
}

/** True when pieces were counted that no report holds yet. */
export const hasCount = ({ counted = [] }: AtParcel): boolean => counted.length > 0;
export const isCancelled = ({ forecast }: Subject): boolean => forecast?.status === CANCELLED;

/** True when something was entered that no report holds yet. */
export function hasUnsaved(parcel: AtParcel): boolean {
  const { weightKg, size, photos } = parcel;
  return weightKg !== undefined || size !== undefined || photos.length > 0 || hasCount(parcel);
}

/** True while photos may be taken by a letter: with no question, between two pieces, and while an exception is described. */
export const takesPhotos = ({ question }: AtParcel): boolean =>
  question === undefined || ['count', 'reason', 'exception-text'].includes(question.ask);

export function phaseOf({ weightKg, size, correcting }: AtParcel): 'weight' | 'size' | 'ready' {
  if (correcting !== undefined) return correcting;
  if (weightKg === undefined) return 'weight';
  return size === undefined ? 'size' : 'ready';
}

/** What Enter leads to after a scan that was not taken. */
const REFUSED = { weight: 'refusedAtWeight', size: 'refusedAtSize', ready: 'scanRefused' } as const;

/** Sets a weight or a size and ends a correction, so that the bench asks for the next measurement. */
export const measured = ({ correcting: _done, ...parcel }: AtParcel, known: Pick<AtParcel, 'weightKg' | 'size'>): AtParcel => ({
  ...parcel,
  ...known,
});

/** The parcel stays on the bench although something else was scanned. Until Enter or Escape nothing is taken. */
export const scanRefused = (bench: Bench, parcel: AtParcel, scan: string, key: NoticeKey = REFUSED[phaseOf(parcel)]): Step =>
  said(moved(bench, { ...parcel, refusing: true }), key, titleOf(parcel.subject), 'bad', scan);

export const moved = ({ notice: _said, ...bench }: Bench, flow: Flow, notice?: Notice): Bench => ({
  ...bench,
  flow,
  ...(notice === undefined ? {} : { notice }),
});

export function said(bench: Bench, key: NoticeKey, value?: string, tone: Notice['tone'] = 'bad', detail?: string): Step {
  const about = { ...(value === undefined ? {} : { value }), ...(detail === undefined ? {} : { detail }) };
  return { bench: moved(bench, bench.flow, { tone, key, ...about }), effects: [] };
}

export interface ScaleReading {
  readonly stable: boolean;
  readonly kg: number;
}

export type Counted = NonNullable<WarehouseForecastDetail['received_items']>[number];
export type DocumentKind = 'label' | 'packing-list' | 'product-label' | 'product-labels' | 'packing-slip';

export interface Printed {
  readonly forecastNo: string;
  readonly kind: DocumentKind;
  readonly version: number;
}

export type ChangedField = 'shipping_label' | 'shipping_note' | 'items' | 'due_date' | 'carton_count' | 'tracking_numbers' | 'other';

export interface Change {
  readonly field: ChangedField;
  /** Of `items`: the SKU whose quantity has changed. */
  readonly sku?: string;
  readonly from?: string;
  readonly to?: string;
}

export interface Notice {
  /** `wait`: a warning. */
  readonly tone: 'good' | 'wait' | 'bad';
  readonly key: NoticeKey;
  /** What it is about, such as a number. */
  readonly value?: string;
  /** A detail, such as a quantity. */
  readonly detail?: string;
  readonly reports?: number;
  readonly done?: { readonly weightKg?: number; readonly photos: number };
}
