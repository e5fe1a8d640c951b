import { type AtParcel, type Bench, type Handover, hasUnsaved, moved, numbersOf, type Step, said } from './bench.ts';
import { dispatchStop } from './dispatch-stop.ts';
import { reporting } from './reporting.ts';

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
