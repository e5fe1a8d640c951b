import { type AtParcel, type Candidate, type Step, type Subject, said, titleOf } from './bench.ts';
import type { Notice } from './notice.ts';

/** True when another parcel takes the place of one that nobody has weighed. */
export function isLeftUnweighed({ subject: { forecast, detail } }: AtParcel, ...next: readonly Candidate[]): boolean {
  if (next.some((each) => each.forecast.forecast_no === forecast?.forecast_no)) return false;
  return (forecast === undefined || forecast.status < 3) && (detail?.measurements.length ?? 0) === 0;
}

/** Says that a parcel has left the bench without a weight, unless what was typed ahead has led to something else that is said. */
export function leftBehind(next: Step, { subject }: AtParcel, title: string): Step {
  const { flow, notice } = next.bench;
  if (flow.at !== 'parcel' && flow.at !== 'choose') return next;
  if (notice !== undefined && notice.tone === 'bad') return next;
  return { ...said(next.bench, 'notWeighed', titleOf(subject), 'wait', title), effects: next.effects };
}

/** A warning that the parcel has its weight already. Of several parcels of a forecast each has its own, and the bench cannot know which one this is. */
export function weighedBefore({ forecast, detail }: Subject): Notice | undefined {
  const [last] = detail?.measurements ?? [];
  const isOne = (forecast?.carton_count ?? 1) === 1 && (forecast?.tracking_numbers.length ?? 0) <= 1;
  return last !== undefined && isOne ? { tone: 'wait', key: 'weighedBefore', value: `${last.weight_kg} kg` } : undefined;
}
