import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { AppError } from '@parcelway/kernel/app-error';
import type { ForecastType } from '../../store/domain/canonical.ts';
import { haveAllEnded, withDispatch, withEnd } from '../../store/domain/dispatches.ts';
import type { Fact } from '../../store/domain/fact.ts';
import type { Measurement, WeighingPhoto } from '../../store/domain/forecast.ts';
import {
  type ForecastRecord,
  moved,
  type ParcelException,
  type Progress,
  type ReceivedItem,
  type WarehouseReport,
} from '../../store/domain/forecast.ts';
import { type HoldFact, withHoldFact } from '../../store/domain/holds.ts';
import { MAX_KEPT_LARGE, placed } from '../../store/domain/kept-list.ts';
import { withAttachedPhoto } from './attached-photos.ts';

const { ARRIVED, WEIGHED, PROCESSING, SHIPPED, COMPLETED, CANCELLED } = forecastStatuses;

/** What can happen to a forecast; named after the event that reports it. `tracking.ended`: a terminal tracking node; `tracking.resumed`: a correction of one. */
export type Step = Fact['step'];

/** The status that a step leads to, by the type of the forecast; absent when the step does not concern the status of that type. */
const goals: Readonly<Partial<Record<Step, Readonly<Partial<Record<ForecastType, ForecastStatus>>>>>> = {
  'warehouse.arrived': { 1: ARRIVED, 2: ARRIVED },
  'warehouse.weighed': { 1: WEIGHED, 2: WEIGHED },
  'warehouse.processed': { 1: PROCESSING, 2: PROCESSING },
  'warehouse.put-away': { 1: COMPLETED },
  'warehouse.dispatched': { 2: SHIPPED },
  'tracking.ended': { 2: COMPLETED },
};

/**
 * True when the goods leave the warehouse again. Those of a type 1 forecast are put on the shelf. The warehouse-intake service has the same
 * rule in expected/domain/match.ts.
 */
export function takesDispatch(type: ForecastType): boolean {
  return goals['warehouse.dispatched']?.[type] !== undefined;
}

/** The status after a step. Forward only: steps may be skipped, a late or repeated one changes nothing, cancelled is for good. */
export function statusAfter(status: ForecastStatus, type: ForecastType, step: Step): ForecastStatus {
  const goal = goals[step]?.[type];
  return status === CANCELLED || goal === undefined || goal < status ? status : goal;
}

const later = (a: string, b: string): boolean => Date.parse(a) > Date.parse(b);
const weighedLater = (a: Measurement, b: Measurement): boolean => later(a.weighed_at, b.weighed_at);
const uploadedLater = (a: WeighingPhoto, b: WeighingPhoto): boolean =>
  later(a.upload_time, b.upload_time) || (!later(b.upload_time, a.upload_time) && a.id > b.id);

/**
 * The progress after a weighing. The current measurement is the one weighed last, whichever report comes in last; of two at the same
 * instant it is the later report. Photos are sorted by upload, latest first; a photo that is known is replaced.
 */
export function withWeighing(progress: Progress, measurement: Measurement, photos: readonly WeighingPhoto[]): Progress {
  let weighingPhotos = progress.weighingPhotos;
  for (const photo of photos) {
    const others = weighingPhotos.filter((known) => known.id !== photo.id);
    weighingPhotos = placed(others, photo, uploadedLater);
  }
  return { ...progress, weighingPhotos, measurements: placed(progress.measurements, measurement, weighedLater) };
}

/** True when a count holds from now on: none made later is known. Of two at the same instant the later report holds. */
function replacesCount(counted: Progress['counted'], { occurred_at }: WarehouseReport): boolean {
  return counted === undefined || !later(counted.at, occurred_at);
}

/*
 * What a report makes of a forecast. Rules in files of their own: dispatches, attached-photos and holds (what
 * it leaves behind), announcements (who is notified).
 */

export interface Advance {
  readonly status: ForecastStatus;
  readonly progress: Progress;
  /** A count that replaces the one before. */
  readonly receivedItems?: readonly ReceivedItem[];
}

const occurredLater = (a: ParcelException, b: ParcelException): boolean => later(a.occurred_at, b.occurred_at);

function withHold(progress: Progress, kind: HoldFact['kind'], reason: string | null, report: WarehouseReport): Progress {
  const fact = { kind, reason, at: report.occurred_at };
  return { ...progress, holdFacts: withHoldFact(progress.holdFacts ?? [], fact), holdReports: (progress.holdReports ?? 0) + 1 };
}

/** What a fact leaves behind, but for the history. */
function recorded(progress: Progress, fact: Fact, newCount: readonly ReceivedItem[] | undefined): Progress {
  switch (fact.step) {
    case 'tracking.ended':
    case 'tracking.resumed':
      return withEnd(progress, fact.trackingNumber, fact.step === 'tracking.ended');
    case 'warehouse.weighed':
      return withWeighing(progress, fact.measurement, fact.photos);
    case 'warehouse.photographed':
      return { ...progress, attachedPhotos: withAttachedPhoto(progress.attachedPhotos, fact.photo) };
    case 'warehouse.dispatched':
      return withDispatch(progress, fact.dispatch);
    case 'warehouse.exception':
      return { ...progress, exceptions: placed(progress.exceptions ?? [], fact.exception, occurredLater, MAX_KEPT_LARGE) };
    case 'warehouse.held':
      return withHold(progress, 'held', fact.reason, fact.report);
    case 'warehouse.released':
      return withHold(progress, 'released', null, fact.report);
    default:
      return newCount === undefined ? progress : { ...progress, counted: { at: fact.report.occurred_at } };
  }
}

/** The count that a fact brings, if it holds from now on. */
function newCountOf({ counted }: Progress, fact: Fact): readonly ReceivedItem[] | undefined {
  if (!('receivedItems' in fact) || fact.receivedItems === undefined) return undefined;
  return replacesCount(counted, fact.report) ? fact.receivedItems : undefined;
}

/**
 * A forecast after something happened to it.
 * @param now when the platform records it; epoch milliseconds
 * @throws AppError 40902 for a dispatch of a type 1 forecast, whose goods stay in the warehouse, and for too many parcels
 */
export function advance(forecast: Pick<ForecastRecord, 'status' | 'forecastType' | 'progress'>, fact: Fact, now: number): Advance {
  if (fact.step === 'warehouse.dispatched' && !takesDispatch(forecast.forecastType)) {
    throw new AppError('40902', 'A type 1 forecast takes no dispatch');
  }
  const receivedItems = newCountOf(forecast.progress, fact);
  const known = recorded(forecast.progress, fact, receivedItems);
  // The end of one parcel is not that of the forecast while another one is under way.
  const isOver = fact.step !== 'tracking.ended' || haveAllEnded(known);
  const status = isOver ? statusAfter(forecast.status, forecast.forecastType, fact.step) : forecast.status;
  const progress = moved(known, forecast.status, status, now, fact.step);
  return { status, progress, ...(receivedItems && { receivedItems }) };
}
