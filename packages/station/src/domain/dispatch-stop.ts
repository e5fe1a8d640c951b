import { isCancelled, type Subject, titleOf } from './bench.ts';
import type { Notice } from './notice.ts';

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
