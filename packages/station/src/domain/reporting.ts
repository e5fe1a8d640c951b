import { detectCarriers, isCarrierCode } from '@parcelway/contracts/carrier-detection/detect';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import type { WarehouseForecast } from '@parcelway/contracts/warehouse-view-api';
import {
  type AtParcel,
  type Bench,
  type Candidate,
  type Handover,
  hasUnsaved,
  isCancelled,
  moved,
  type Notice,
  numbersOf,
  type Question,
  type Step,
  type Subject,
  said,
  titleOf,
} from './bench.ts';
import { countReported } from './count.ts';
import { isParcelNumber } from './entry.ts';
import type { BenchPhoto, ReportDraft } from './report.ts';

/** The parcel once it is put on hold or released: what an earlier hold said is no longer shown. */
function heldSubject({ holdReason: _earlier, ...subject }: Subject, forecast: WarehouseForecast, draft: ReportDraft): Subject {
  if (draft.type !== 'hold') return { ...subject, forecast: { ...forecast, on_hold: false }, heldHere: false };
  return { ...subject, forecast: { ...forecast, on_hold: true }, heldHere: true, holdReason: draft.reason ?? '' };
}

function exceptedSubject(subject: Subject, draft: ReportDraft): Subject {
  if (draft.type !== 'exception') return subject;
  const { reason, text } = draft;
  return { ...subject, excepted: [{ reason, ...(text !== undefined && { text }) }, ...(subject.excepted ?? [])] };
}

/** Reports something about the parcel, which stays on the bench. `hold` and `release` show at once; a count that goes with it is reported. */
export function reporting(bench: Bench, here: AtParcel, draft: ReportDraft, photos: readonly BenchPhoto[] = []): Step {
  if (bench.full) return said(bench, 'queueFull');
  const parcel = 'received_items' in draft ? countReported(here) : here;
  const { forecast } = parcel.subject;
  const held = draft.type === 'hold' || draft.type === 'release';
  const subject = held && forecast ? heldSubject(parcel.subject, forecast, draft) : exceptedSubject(parcel.subject, draft);
  const left = parcel.photos.filter((photo) => !photos.includes(photo));
  const title = titleOf(subject);
  return {
    bench: moved(bench, { ...parcel, subject, photos: left }, { tone: 'good', key: 'reported', value: draft.type }),
    effects: [{ do: 'report', title, draft, photos }],
  };
}

/** Matches by a number of the parcel itself. Any other, such as the code of a product, may be on unannounced parcels. */
const OF_THE_PARCEL: ReadonlySet<Candidate['matched_by']> = new Set(['label', 'sscc', 'forecast_no', 'tracking_number', 'po_number']);
const MAX_ARRIVED = 500;
/** `ACCEPTED`: announced, and not arrived. */
const ANNOUNCED = 1;
const arrivalKey = ({ scan, forecast }: Subject): string => forecast?.forecast_no ?? scan;

/** The only match, and only by an unambiguous number of the parcel: an arrival cannot be undone. */
export function openedUnasked(candidates: readonly Candidate[]): Candidate | undefined {
  const [candidate] = candidates;
  return candidates.length === 1 && candidate !== undefined && OF_THE_PARCEL.has(candidate.matched_by) && !candidate.is_doubtful
    ? candidate
    : undefined;
}

export const hasArrivedHere = ({ arrived }: Bench, subject: Subject): boolean => arrived.includes(arrivalKey(subject));

/** True when a scan reports an arrival: the parcel is announced or unknown, and this is its first scan here. */
export function arrives(bench: Bench, subject: Subject): boolean {
  const { forecast } = subject;
  return (forecast === undefined || forecast.status === ANNOUNCED) && !hasArrivedHere(bench, subject);
}

/** Reports the arrival of a parcel that lies on the bench now. On a full device the parcel is not opened. */
export function arrivalReported(bench: Bench, parcel: AtParcel): Step {
  if (bench.full) return said(moved(bench, { at: 'scan' }), 'queueFull');
  const { subject } = parcel;
  const { forecast } = subject;
  const title = titleOf(subject);
  const numbers = forecast === undefined ? { express_no: subject.scan } : { forecast_no: forecast.forecast_no };
  const draft = { type: 'arrival' as const, ...numbers, ...(subject.expressNo === undefined ? {} : { express_no: subject.expressNo }) };
  const arrived = [...bench.arrived, arrivalKey(subject)].slice(-MAX_ARRIVED);
  const here = forecast === undefined ? subject : { ...subject, forecast: { ...forecast, status: 2, status_name: 'ARRIVED' as const } };
  const key = forecast === undefined ? 'arrivedUnknown' : 'arrived';
  return {
    bench: moved({ ...bench, arrived }, { ...parcel, subject: here }, { tone: 'good', key, value: title }),
    effects: [{ do: 'report', title, draft, photos: [] }],
  };
}

/** `forecast_type` of a stock replenishment: its goods stay in the warehouse. */
const STOCK = 1;

/**
 * What stops the dispatch of a parcel: its merchant has cancelled it, it is on hold, or its goods stay in the warehouse. Asked when the
 * dispatch begins, and again before it is reported. A correction does not stop a dispatch: the bench asks first (`dispatch.ts`).
 * @returns undefined for a parcel that may leave, such as one without a forecast
 */
export function dispatchStop(subject: Subject): Pick<Notice, 'key' | 'value'> | undefined {
  if (isCancelled(subject)) return { key: 'cancelledParcel', value: titleOf(subject) };
  if (subject.forecast?.on_hold === true) return { key: 'releaseFirst', value: titleOf(subject) };
  return subject.forecast?.forecast_type === STOCK ? { key: 'noDispatch' } : undefined;
}

/** Asks for the carrier, unless something stops the dispatch. A parcel that was corrected has to be confirmed first. */
export function dispatchBegun(bench: Bench, parcel: AtParcel): Step {
  const stop = dispatchStop(parcel.subject);
  if (stop !== undefined) return said(bench, stop.key, stop.value);
  return { bench: moved(bench, { ...parcel, question: { ask: parcel.alarm === undefined ? 'carrier' : 'corrected' } }), effects: [] };
}

/** Reports the dispatch. The parcel leaves the bench, unless something about it is not reported yet. */
export function dispatchReported(bench: Bench, parcel: AtParcel, { carrier, trackingNumber }: Handover): Step {
  const draft = { type: 'dispatch' as const, ...numbersOf(parcel.subject), carrier_code: carrier, tracking_number: trackingNumber };
  const reported = reporting({ ...bench, lastCarrier: carrier }, parcel, draft);
  if (hasUnsaved(parcel) || reported.effects.length === 0) return reported;
  return { ...reported, bench: moved(reported.bench, { at: 'scan' }, reported.bench.notice) };
}

const CARRIER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
/** Carriers that the bench offers by number, at most. */
export const MAX_OFFERED = 9;
type CarrierQuestion = Extract<Question, { readonly ask: 'carrier' }>;

const isKnown = ({ carriers, confirmed }: Bench, code: string): boolean =>
  isCarrierCode(code) || [...carriers, ...confirmed].includes(code.toLowerCase());

/** What Enter takes: the code to confirm, else the carrier of the number that was scanned, else the last one. */
const carrierOnEnter = ({ lastCarrier }: Bench, { unknown, detected }: CarrierQuestion): string | undefined =>
  unknown ?? detected ?? lastCarrier;

/**
 * Takes a carrier code, the number of an offered one, Enter, or a tracking number that reveals the carrier. An unknown
 * code needs one confirmation.
 */
export function lineAtCarrier(
  bench: Bench,
  parcel: AtParcel,
  question: CarrierQuestion,
  line: string,
  chosen: (bench: Bench, carrier: string, trackingNumber: string | undefined) => Step,
): Step {
  const { trackingNumber, unknown } = question;
  const offered = /^[1-9]$/.test(line) ? bench.carriers[Number(line) - 1] : undefined;
  const code = offered ?? (line === '' ? carrierOnEnter(bench, question) : line) ?? '';
  const [best] = isKnown(bench, code) ? [] : detectCarriers(normaliseTrackingNumber(line));
  if (best !== undefined && isParcelNumber(line)) {
    // Hardly more than the length fits: the last carrier is the better guess.
    const isVague = best.confidence === 'low' && bench.lastCarrier !== undefined;
    const next: Question = { ask: 'carrier', trackingNumber: line, ...(!isVague && { detected: best.carrierCode }) };
    return { bench: moved(bench, { ...parcel, question: next }), effects: [] };
  }
  if (!CARRIER.test(code)) return said(bench, 'badCarrier');
  if (isKnown(bench, code)) return chosen(bench, code, trackingNumber);
  if (code === unknown) return chosen({ ...bench, confirmed: [...bench.confirmed, code.toLowerCase()] }, code, trackingNumber);
  const asked = moved(bench, { ...parcel, question: { ...question, unknown: code } });
  return said(asked, 'unknownCarrier', code, 'wait');
}
