import type { WarehouseForecast, WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import {
  type AtParcel,
  type Bench,
  type Change,
  type Checking,
  type DocumentKind,
  moved,
  type Printed,
  type Step,
  type Subject,
  said,
  titleOf,
} from './bench.ts';
import { dispatchReported, dispatchStop } from './reporting.ts';

const URL_FIELDS = {
  label: 'shipping_label',
  'packing-list': 'shipping_note',
  'product-label': 'marketplace_label',
  'product-labels': 'marketplace_label',
  'packing-slip': 'packing_slip',
} as const satisfies Readonly<Record<DocumentKind, keyof WarehouseForecastDetail>>;

/** Address of a document; undefined when there is none. */
export function documentUrl(detail: WarehouseForecastDetail | undefined, kind: DocumentKind): string | undefined {
  const url = detail?.[URL_FIELDS[kind]] ?? undefined;
  return url !== undefined && kind === 'product-labels' ? `${url}?copies=quantity` : url;
}

const MAX_CHANGES = 12;

/** A parcel as it was known: by the list alone, or with its details. */
interface Known {
  readonly forecast: WarehouseForecast;
  readonly detail?: WarehouseForecastDetail;
}

/** What a correction has changed. Of a parcel whose details were not known before, only what the list shows is compared. */
export function changesBetween({ forecast, detail }: Known, after: WarehouseForecastDetail): Change[] {
  const changes: Change[] = [];
  if (detail !== undefined) {
    if (detail.shipping_label !== after.shipping_label) changes.push({ field: 'shipping_label' });
    if (detail.shipping_note !== after.shipping_note) changes.push({ field: 'shipping_note' });
  }
  for (const field of ['due_date', 'carton_count'] as const) {
    if (forecast[field] !== after[field]) changes.push({ field, from: shown(forecast[field]), to: shown(after[field]) });
  }
  if (forecast.tracking_numbers.join('\n') !== after.tracking_numbers.join('\n'))
    changes.push({ field: 'tracking_numbers', from: forecast.tracking_numbers.join(' '), to: after.tracking_numbers.join(' ') });
  if (detail !== undefined) changes.push(...itemChanges(detail.items, after.items));
  else if (forecast.item_count !== after.item_count)
    changes.push({ field: 'items', from: shown(forecast.item_count), to: shown(after.item_count) });
  return changes.length > 0 ? changes.slice(0, MAX_CHANGES) : [{ field: 'other' }];
}

const shown = (value: string | number | null): string => (value === null ? '–' : String(value));
type Items = WarehouseForecastDetail['items'];

function itemChanges(before: Items, after: Items): Change[] {
  const [former, present] = [quantities(before), quantities(after)];
  const changed = [...new Set([...former.keys(), ...present.keys()])].filter((sku) => former.get(sku) !== present.get(sku));
  if (changed.length > 0)
    return changed.map((sku) => ({ field: 'items', sku, from: String(former.get(sku) ?? 0), to: String(present.get(sku) ?? 0) }));
  return sorted(before) === sorted(after) ? [] : [{ field: 'items' }];
}

function quantities(items: Items): Map<string, number> {
  const bySku = new Map<string, number>();
  for (const { sku_code, forecast_quantity } of items) bySku.set(sku_code, (bySku.get(sku_code) ?? 0) + forecast_quantity);
  return bySku;
}

const sorted = (items: Items): string => JSON.stringify(items.map((item) => Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))));

/** The changes of two corrections in a row: of each thing the first value and the last. */
function joined(first: readonly Change[], second: readonly Change[]): Change[] {
  const all = new Map<string, Change>();
  for (const change of [...first, ...second]) {
    const key = `${change.field} ${change.sku ?? ''}`;
    const { from = change.from } = all.get(key) ?? {};
    all.set(key, { ...change, ...(from === undefined ? {} : { from }) });
  }
  return [...all.values()].slice(0, MAX_CHANGES);
}

const MAX_PRINTED = 500;

/** The parcel on the bench as it was read again. What was entered at the bench stays; a correction since then raises the alarm. */
export function readAgain(parcel: AtParcel, detail: WarehouseForecastDetail): AtParcel {
  const { forecast } = parcel.subject;
  // An older state than the one that is known comes from a replica that is behind.
  if (forecast === undefined || detail.version < forecast.version) return parcel;
  const { heldHere, ...subject } = parcel.subject;
  // A hold or a release of this bench counts although the platform has not taken it yet.
  const unsent = heldHere !== undefined && heldHere !== detail.on_hold;
  const isArrivalUnsent = detail.status === 1 && forecast.status === 2;
  const present: WarehouseForecast = {
    ...detail,
    ...(unsent ? { on_hold: heldHere } : {}),
    ...(isArrivalUnsent ? { status: forecast.status, status_name: forecast.status_name } : {}),
  };
  const here: AtParcel = { ...parcel, subject: { ...subject, forecast: present, detail, ...(unsent ? { heldHere } : {}) } };
  if (detail.version === forecast.version) return here;
  const changes = changesBetween({ ...parcel.subject, forecast }, detail);
  return { ...withMarkOf(detail, here), alarm: { changes: joined(parcel.alarm?.changes ?? [], changes) } };
}

/** The parcel without the mark of its count, if that is on a SKU that the forecast no longer names. */
function withMarkOf(detail: WarehouseForecastDetail, parcel: AtParcel): AtParcel {
  const { question, counted = [] } = parcel;
  if (question?.ask !== 'count' || question.current === undefined) return parcel;
  const { current, ...unmarked } = question;
  const isKnown = [...detail.items, ...counted].some(({ sku_code }) => sku_code === current);
  return isKnown ? parcel : { ...parcel, question: unmarked };
}

export function outdatedDocuments({ printed }: Bench, { forecast }: Subject): DocumentKind[] {
  if (forecast === undefined) return [];
  return printed.flatMap((each) => (each.forecastNo === forecast.forecast_no && each.version < forecast.version ? [each.kind] : []));
}

const FILES = { shipping_label: 'label', shipping_note: 'packing-list' } as const;

/** Documents that have to be printed before the alarm ends by itself: those printed before, and the new files of the merchant. */
function documentsToPrint(bench: Bench, { subject, alarm }: AtParcel): DocumentKind[] {
  const isNew = (kind: DocumentKind): boolean =>
    bench.printed.some((each) => each.kind === kind && isOf(each, subject) && each.version === subject.forecast?.version);
  const files = (alarm?.changes ?? []).flatMap(({ field }) => (field in FILES ? [FILES[field as keyof typeof FILES]] : []));
  return [...outdatedDocuments(bench, subject), ...files.filter((kind) => !isNew(kind))];
}

const isOf = ({ forecastNo }: Printed, { forecast }: Subject): boolean => forecastNo === forecast?.forecast_no;

/** A document has been printed. @param unseen the alarm was not on view yet when it was asked for, so it stays */
export function documentPrinted(before: Bench, made: Printed, unseen: boolean): Bench {
  const others = before.printed.filter(({ forecastNo, kind }) => forecastNo !== made.forecastNo || kind !== made.kind);
  const bench: Bench = { ...before, printed: [...others, made].slice(-MAX_PRINTED) };
  const { flow } = bench;
  if (flow.at !== 'parcel' || flow.alarm === undefined || unseen) return bench;
  if (!isOf(made, flow.subject) || made.version !== flow.subject.forecast?.version) return bench;
  if (documentsToPrint(bench, flow).length > 0) return bench;
  const { alarm: _ended, ...parcel } = flow;
  return { ...bench, flow: parcel };
}

/** The bench without the alarm of its parcel, and without the memory of what was printed before: somebody has seen it. */
export function alarmSeen(bench: Bench, { alarm: _seen, ...parcel }: AtParcel): { readonly bench: Bench; readonly parcel: AtParcel } {
  const { forecast } = parcel.subject;
  const printed = bench.printed.filter((each) => !isOf(each, parcel.subject) || each.version >= (forecast?.version ?? 0));
  return { bench: { ...bench, flow: parcel, printed }, parcel };
}

/**
 * Reads the parcel again before one of its documents is printed or its dispatch is reported: its merchant may have corrected it.
 * @returns undefined for a parcel without a forecast, of which there is nothing to read
 */
export function recheckBegun(bench: Bench, parcel: AtParcel, wants: Checking['wants']): Step | undefined {
  const { forecast } = parcel.subject;
  if (forecast === undefined) return undefined;
  const checking = { wants, version: forecast.version, ahead: [] };
  return { bench: moved(bench, { ...parcel, checking }), effects: [{ do: 'read', forecastNo: forecast.forecast_no, why: 'check' }] };
}

export interface ReadAgain {
  readonly forecastNo: string;
  /** Why it was read: because something waits for it, or because the list shows a correction. */
  readonly why: 'check' | 'corrected';
  /** Undefined when the platform could not be asked. */
  readonly detail?: WarehouseForecastDetail;
}

interface Settled extends Step {
  readonly ahead: readonly string[];
}

const nothing = (bench: Bench): Settled => ({ bench, effects: [], ahead: [] });

export function listed(bench: Bench, forecastNo: string, version: number): Step {
  const { flow } = bench;
  const known = flow.at === 'parcel' ? flow.subject.forecast : undefined;
  if (known?.forecast_no !== forecastNo || version <= known.version) return { bench, effects: [] };
  return { bench, effects: [{ do: 'read', forecastNo, why: 'corrected' }] };
}

export function onReadAgain(bench: Bench, { forecastNo, why, detail }: ReadAgain): Settled {
  const { flow } = bench;
  if (flow.at !== 'parcel' || flow.subject.forecast?.forecast_no !== forecastNo) return nothing(bench);
  const parcel = detail === undefined ? flow : readAgain(flow, detail);
  const { checking, ...here } = parcel;
  if (why === 'corrected' || checking === undefined) return nothing({ ...bench, flow: parcel });
  const isCorrected = here.alarm !== undefined && here.subject.forecast?.version !== checking.version;
  const settled = wanted(moved(bench, here), here, checking, { isCorrected, isRead: detail !== undefined });
  // What was typed ahead was meant for the parcel as it was.
  return isCorrected ? { ...corrected(settled, here, checking.ahead), ahead: [] } : { ...settled, ahead: checking.ahead };
}

/** Says that the parcel was corrected, and which of the lines that were typed meanwhile are ignored. */
function corrected({ bench, effects }: Step, { subject }: AtParcel, ahead: readonly string[]): Step {
  const lines = ahead.filter((line) => line !== '').map((line) => `“${line}”`);
  return { bench: said(bench, 'corrected', titleOf(subject), 'bad', lines.join(', ')).bench, effects };
}

interface Outcome {
  readonly isCorrected: boolean;
  readonly isRead: boolean;
}

function wanted(bench: Bench, here: AtParcel, checking: Checking, outcome: Outcome): Step {
  const { wants } = checking;
  if (wants.what === 'print') return printing(bench, here, { ...checking, wants }, outcome);
  if (here.alarm !== undefined) {
    const { what: _dispatch, ...handover } = wants;
    return { bench: moved(bench, { ...here, question: { ask: 'corrected', handover } }), effects: [] };
  }
  const stop = dispatchStop(here.subject);
  if (stop !== undefined) return said(bench, stop.key, stop.value);
  const reported = dispatchReported(bench, here, wants);
  // One that is not reported, as on a full device, says why instead.
  if (outcome.isRead || reported.effects.length === 0) return reported;
  return { ...said(reported.bench, 'dispatchUnchecked'), effects: reported.effects };
}

type PrintCheck = Checking & { readonly wants: { readonly kind: DocumentKind } };

function printing(bench: Bench, here: AtParcel, checking: PrintCheck, { isCorrected, isRead }: Outcome): Step {
  const { kind } = checking.wants;
  const { detail } = here.subject;
  if (detail === undefined) return said(bench, 'documentUnknown');
  const { forecast_no: forecastNo, version } = detail;
  const url = documentUrl(detail, kind);
  if (url === undefined) return said(bench, 'noDocument', kind);
  // Without having been read again it may be out of date.
  const next = isRead ? bench : said(bench, 'documentUnchecked').bench;
  return { bench: next, effects: [{ do: 'print', url, forecastNo, kind, version, unseen: isCorrected }] };
}
