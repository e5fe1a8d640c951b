import type { WarehouseForecast, WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import type { AtParcel, Bench, Subject } from './bench.ts';
import { changesBetween, joined } from './correction-changes.ts';
import type { DocumentKind, Printed } from './documents.ts';

/** Documents that are remembered as printed. */
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

/** Documents of the parcel that were printed here before it was corrected. */
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
