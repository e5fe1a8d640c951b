import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { type AtParcel, type Bench, type Checking, type DocumentKind, moved, type Step, said, titleOf } from './bench.ts';
import { documentUrl, readAgain } from './corrections.ts';
import { dispatchReported, dispatchStop } from './reporting.ts';

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
