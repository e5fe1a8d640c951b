import { type AtParcel, type Bench, type Candidate, moved, type Step, type Subject, said, titleOf } from './bench.ts';

/** Matches by a number of the parcel itself. Any other, such as the code of a product, may be on parcels that nobody announced. */
const OF_THE_PARCEL: ReadonlySet<Candidate['matched_by']> = new Set(['label', 'sscc', 'forecast_no', 'tracking_number', 'po_number']);
/** Forecasts whose arrival is remembered. */
const MAX_ARRIVED = 500;

/** `ACCEPTED`: announced, and not arrived. */
const ANNOUNCED = 1;

/** By what the arrival of a parcel is remembered. */
const arrivalKey = ({ scan, forecast }: Subject): string => forecast?.forecast_no ?? scan;

/**
 * The parcel that is opened, and whose arrival is reported, without asking: the only match, by a number of the parcel that is not in doubt. An arrival cannot
 * be taken back.
 */
export function openedUnasked(candidates: readonly Candidate[]): Candidate | undefined {
  const [candidate] = candidates;
  return candidates.length === 1 && candidate !== undefined && OF_THE_PARCEL.has(candidate.matched_by) && !candidate.is_doubtful
    ? candidate
    : undefined;
}

/** True when this bench has reported the arrival of the parcel. */
export const hasArrivedHere = ({ arrived }: Bench, subject: Subject): boolean => arrived.includes(arrivalKey(subject));

/** True when the arrival of a scanned parcel is to be reported: it was only announced, or nobody announced it, and this is its first scan here. */
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
