import { type AtParcel, type Bench, type Checking, type Handover, hasUnsaved, moved, numbersOf, type Step } from './bench.ts';
import { reporting } from './reporting.ts';

/** Reports the dispatch. A parcel that was dispatched leaves the bench, unless something about it is not reported yet. */
export function dispatchReported(bench: Bench, parcel: AtParcel, { carrier, trackingNumber }: Handover): Step {
  const draft = { type: 'dispatch' as const, ...numbersOf(parcel.subject), carrier_code: carrier, tracking_number: trackingNumber };
  const reported = reporting({ ...bench, lastCarrier: carrier }, parcel, draft);
  if (hasUnsaved(parcel) || reported.effects.length === 0) return reported;
  return { ...reported, bench: moved(reported.bench, { at: 'scan' }, reported.bench.notice) };
}

/** Reads the parcel again before something is done with it. @returns undefined for a parcel without a forecast, of which there is nothing to read */
export function checked(bench: Bench, parcel: AtParcel, wants: Checking['wants']): Step | undefined {
  const { forecast } = parcel.subject;
  if (forecast === undefined) return undefined;
  const checking = { wants, version: forecast.version, ahead: [], waits: 0 };
  return {
    bench: moved(bench, { ...parcel, checking }),
    effects: [{ do: 'read', forecastNo: forecast.forecast_no, why: 'check' }],
  };
}
