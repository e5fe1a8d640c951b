import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { AppError } from '@parcelway/kernel/app-error';
import { withAttachedPhoto } from './attached-photos.ts';
import { withWeighing } from './current-measurement.ts';
import type { Fact, HoldingNotice, Notice } from './fact.ts';
import type { Dispatch, ForecastRecord, ParcelException, Progress, ReceivedItem, WarehouseReport } from './forecast.ts';
import { type HoldFact, holdsOf, withHoldFact } from './holds.ts';
import { MAX_KEPT_LARGE, placed } from './kept-list.ts';
import { statusAfter, takesDispatch } from './status-transitions.ts';

/** A forecast after something happened. */
export interface Advance {
  readonly status: ForecastStatus;
  readonly progress: Progress;
  readonly notices: readonly Notice[];
  /** A count that replaces the one before. */
  readonly receivedItems?: readonly ReceivedItem[];
}

/** The dispatch that holds after a report: the latest by the warehouse's time; a report of an earlier one changes nothing. */
function latestDispatch(known: Dispatch | null, reported: Dispatch): Dispatch {
  return known !== null && known.dispatchedAtMs > reported.dispatchedAtMs ? known : reported;
}

function sameShipment(a: Dispatch | null, b: Dispatch): boolean {
  return a !== null && a.carrierCode === b.carrierCode && a.trackingNumber === b.trackingNumber;
}

/** The progress after a step from one status to another; the same when that stays. @param now epoch milliseconds */
export function moved(progress: Progress, from: ForecastStatus, to: ForecastStatus, now: number, reason: string): Progress {
  return from === to ? progress : { ...progress, history: [...progress.history, { status: to, at: now, reason }] };
}

const occurredLater = (a: ParcelException, b: ParcelException): boolean => a.occurredAtMs > b.occurredAtMs;

function withHold(progress: Progress, kind: HoldFact['kind'], reason: string | null, report: WarehouseReport): Progress {
  const fact = { kind, reason, at: report.occurredAt, atMs: report.occurredAtMs };
  return { ...progress, holdFacts: withHoldFact(progress.holdFacts ?? [], fact), holdReports: (progress.holdReports ?? 0) + 1 };
}

/** What a fact leaves behind. @param progress with the history after it */
function recorded(progress: Progress, fact: Fact): Progress {
  switch (fact.step) {
    case 'tracking.ended':
      return progress;
    case 'warehouse.weighed':
      return withWeighing(progress, fact.measurement, fact.photos);
    case 'warehouse.photographed':
      return { ...progress, attachedPhotos: withAttachedPhoto(progress.attachedPhotos, fact.photo) };
    case 'warehouse.dispatched':
      return { ...progress, dispatch: latestDispatch(progress.dispatch, fact.dispatch) };
    case 'warehouse.exception':
      return { ...progress, exceptions: placed(progress.exceptions ?? [], fact.exception, occurredLater, MAX_KEPT_LARGE) };
    case 'warehouse.held':
      return withHold(progress, 'held', fact.reason, fact.report);
    case 'warehouse.released':
      return withHold(progress, 'released', null, fact.report);
    default: {
      const { occurredAt: at, occurredAtMs: atMs } = fact.report;
      return isCount(progress, fact) ? { ...progress, counted: { at, atMs } } : progress;
    }
  }
}

/** True when a fact brings a count that holds from now on: none made later is known. */
function isCount({ counted }: Progress, fact: Fact): fact is Fact & { readonly receivedItems: readonly ReceivedItem[] } {
  if (!('receivedItems' in fact) || fact.receivedItems === undefined) return false;
  return counted === undefined || counted.atMs <= fact.report.occurredAtMs;
}

/** The notices of a fact itself. */
function noticesOf(fact: Fact, status: ForecastStatus, before: Progress, after: Progress): Notice[] {
  if (fact.step === 'tracking.ended') return [];
  const { report } = fact;
  const holding = (): HoldingNotice => ({ holds: holdsOf(after.holdFacts ?? []), holdReports: after.holdReports ?? 0 });
  switch (fact.step) {
    case 'warehouse.arrived':
      return [{ kind: 'arrived', status, report }];
    case 'warehouse.weighed':
      return [{ kind: 'weighed', status, weighedAt: fact.measurement.weighedAt }];
    case 'warehouse.photographed':
      return [{ kind: 'photographed', status, report, photo: fact.photo }];
    case 'warehouse.processed':
      return [{ kind: 'processed', status, report }];
    case 'warehouse.put-away':
      return [{ kind: 'put_away', status, report, ...(fact.receivedItems && { receivedItems: fact.receivedItems }) }];
    case 'warehouse.exception':
      return [{ kind: 'exception', status, report, exception: fact.exception }];
    case 'warehouse.held':
      return [{ kind: 'held', status, report, reason: fact.reason, ...holding() }];
    case 'warehouse.released':
      return [{ kind: 'released', status, report, ...holding() }];
    case 'warehouse.dispatched': {
      const { dispatch } = after;
      return dispatch === null || sameShipment(before.dispatch, dispatch) ? [] : [{ kind: 'dispatched', status, dispatch }];
    }
  }
}

/** The notice of the completion: once, by the fact that completes. */
function completion({ step }: Fact, before: ForecastStatus, status: ForecastStatus): Notice[] {
  if (status === before || status !== forecastStatuses.COMPLETED) return [];
  return [{ kind: 'completed', status, reason: step === 'tracking.ended' ? 'tracking_ended' : 'put_away' }];
}

/**
 * A forecast after something happened to it. Every report of the warehouse is published, also one that comes late or belongs to a
 * cancelled forecast; a dispatch is published when it changes carrier or number, the completion when the status becomes COMPLETED.
 * @param now when the platform records it; epoch milliseconds
 * @throws AppError 40902 for a dispatch of a type 1 forecast, whose goods stay in the warehouse
 */
export function advance(forecast: Pick<ForecastRecord, 'status' | 'forecastType' | 'progress'>, fact: Fact, now: number): Advance {
  if (fact.step === 'warehouse.dispatched' && !takesDispatch(forecast.forecastType)) {
    throw new AppError('40902', 'A type 1 forecast takes no dispatch');
  }
  const status = statusAfter(forecast.status, forecast.forecastType, fact.step);
  const progress = recorded(moved(forecast.progress, forecast.status, status, now, fact.step), fact);
  const notices = [...noticesOf(fact, status, forecast.progress, progress), ...completion(fact, forecast.status, status)];
  return { status, progress, notices, ...(isCount(forecast.progress, fact) && { receivedItems: fact.receivedItems }) };
}

/**
 * The warehouse that has the parcel, when the first report that moves the forecast on comes from another than the forecast's: a
 * correction has moved the forecast while the parcel was arriving. Undefined when they agree.
 * @param status after the fact
 */
export function foundElsewhere(
  forecast: Pick<ForecastRecord, 'status' | 'warehouseCode'>,
  fact: Fact,
  status: ForecastStatus,
): string | undefined {
  if (forecast.status !== forecastStatuses.ACCEPTED || status === forecastStatuses.ACCEPTED || !('report' in fact)) return undefined;
  const { warehouseCode } = fact.report;
  return warehouseCode === forecast.warehouseCode ? undefined : warehouseCode;
}
