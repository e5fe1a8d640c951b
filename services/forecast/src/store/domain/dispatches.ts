import { AppError } from '@parcelway/kernel/app-error';
import type { Dispatch, Progress } from './forecast.ts';

/*
 * The parcels of a forecast: each number under which the warehouse dispatches is one of them.
 */

/** Most parcels of a forecast. */
const MAX_DISPATCHES = 50;

type Dispatches = Pick<Progress, 'dispatch' | 'furtherDispatches' | 'endedNumbers'>;

const dispatchedLater = (a: Dispatch, b: Dispatch): boolean => Date.parse(a.dispatched_at) > Date.parse(b.dispatched_at);

/** One dispatch of each parcel, in the order of the warehouse's times. */
export function dispatchesOf({
  dispatch,
  furtherDispatches = [],
}: Pick<Dispatches, 'dispatch' | 'furtherDispatches'>): readonly Dispatch[] {
  return dispatch === null ? [] : [...furtherDispatches, dispatch];
}

/**
 * Adds a dispatch. Of two under one number the later one by the warehouse's time holds; of two at one instant, the later report.
 * @returns the same object when it changes nothing
 * @throws AppError 40902 for more than {@link MAX_DISPATCHES} numbers
 */
export function withDispatch(progress: Progress, reported: Dispatch): Progress {
  const known = dispatchesOf(progress);
  const former = known.find(({ tracking_number }) => tracking_number === reported.tracking_number);
  if (former !== undefined && dispatchedLater(former, reported)) return progress;
  const others = known.filter((dispatch) => dispatch !== former);
  if (others.length >= MAX_DISPATCHES) {
    throw new AppError('40902', `A forecast takes at most ${MAX_DISPATCHES} parcels, each dispatched under a number of its own`);
  }
  const all = [...others, reported].sort((a, b) => Date.parse(a.dispatched_at) - Date.parse(b.dispatched_at));
  const furtherDispatches = all.slice(0, -1);
  const next = { ...progress, dispatch: all.at(-1) ?? null, ...(furtherDispatches.length > 0 && { furtherDispatches }) };
  // With another carrier, the parcel is tracked from the beginning.
  return former?.carrier_code === reported.carrier_code ? next : withEnd(next, reported.tracking_number, false);
}

/** True when a dispatch is a new parcel, or names another carrier for a known one. No other is announced. */
export function isNewDispatch(before: Dispatches, after: Dispatches, reported: Dispatch): boolean {
  const isSame = ({ carrier_code, tracking_number }: Dispatch): boolean =>
    carrier_code === reported.carrier_code && tracking_number === reported.tracking_number;
  return !dispatchesOf(before).some(isSame) && dispatchesOf(after).some(isSame);
}

/** Notes that a parcel has a final status, or is under way again; nothing of a number that is none of the forecast's. */
export function withEnd(progress: Progress, number: string, hasEnded: boolean): Progress {
  const { endedNumbers = [] } = progress;
  if (!dispatchesOf(progress).some(({ tracking_number }) => tracking_number === number)) return progress;
  if (endedNumbers.includes(number) === hasEnded) return progress;
  return { ...progress, endedNumbers: hasEnded ? [...endedNumbers, number] : endedNumbers.filter((ended) => ended !== number) };
}

/** True when every known parcel has a final status. */
export function haveAllEnded(progress: Dispatches): boolean {
  const { endedNumbers = [] } = progress;
  return dispatchesOf(progress).every(({ tracking_number }) => endedNumbers.includes(tracking_number));
}
