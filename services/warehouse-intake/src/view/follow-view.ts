import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { ForecastChange } from '@parcelway/contracts/warehouse-change';
import { isoInstant } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import {
  cancelled,
  dispatched,
  documented,
  held,
  type ProgressEvent,
  progressed,
  type ViewForecast,
  type ViewItem,
  withContent,
  withItems,
} from './domain/view-forecast.ts';
import type { DecideChange, ViewChange, ViewWriter } from './ports.ts';

/** Items of a forecast that are too large for its event. */
export interface ItemSource {
  /**
   * The items of the current version.
   * @throws AppError 50301 when they cannot be read now, 40401 when the forecast is not there
   */
  itemsOf(
    tenantId: string,
    forecastNo: string,
    version: number,
  ): Promise<{ readonly version: number; readonly items: readonly ViewItem[] }>;
}

/** What following the forecasts for the view needs. */
export interface FollowViewOptions {
  readonly view: ViewWriter;
  readonly items: ItemSource;
}

async function changeView(view: ViewWriter, forecastNo: string, decide: DecideChange): Promise<void> {
  await failpointAsync('intake.before-view');
  await view.change(forecastNo, decide);
  await failpointAsync('intake.after-view');
}

/** An event about a forecast. */
interface ForecastEvent {
  readonly time: string;
  readonly data: { readonly forecast_no: string };
}

/** What the view and those who follow it hear of an event. Nobody has a forecast whose acceptance is not known: that tells of all before it. */
function changeBy(forecast: ViewForecast, change: ForecastChange, { time }: ForecastEvent): ViewChange {
  return forecast.warehouseCode === null ? { forecast } : { forecast, note: { change, changedAt: isoInstant(Date.parse(time)) } };
}

/** Applies what an event says, unless it changes nothing. */
function apply(
  view: ViewWriter,
  event: ForecastEvent,
  change: ForecastChange,
  after: (before: ViewForecast | undefined) => ViewForecast,
): Promise<void> {
  return changeView(view, event.data.forecast_no, (before) => {
    const forecast = after(before);
    return forecast === before ? undefined : changeBy(forecast, change, event);
  });
}

/**
 * Shows a warehouse what was accepted or corrected. Items that are too large for the event are read when the rest is stored, so
 * that the warehouse sees the forecast even while they cannot be read.
 */
export async function followContent(
  { view, items: source }: FollowViewOptions,
  event: DomainEvent<'forecast.accepted' | 'forecast.corrected'>,
): Promise<void> {
  const { forecast_no: forecastNo, version = 1, items } = event.data;
  const change = event.type === 'forecast.accepted' ? 'accepted' : 'corrected';
  const store = (items: readonly ViewItem[], of: number): Promise<void> =>
    changeView(view, forecastNo, (before) => {
      const forecast = withContent(before, event);
      const complete = withItems(forecast, of);
      if (complete !== undefined) return { ...changeBy(complete, change, event), items };
      return forecast === before ? undefined : changeBy(forecast, change, event);
    });
  if (items) return store(items, version);
  await apply(view, event, change, (before) => withContent(before, event));
  // A former release says nothing of items, and has no route to read them from.
  if (items === undefined) return;
  await failpointAsync('intake.before-items');
  const current = await source.itemsOf(event.tenantid, forecastNo, version);
  await store(current.items, current.version);
}

/** Shows a warehouse that a forecast was cancelled. */
export function followViewCancellation({ view }: FollowViewOptions, event: DomainEvent<'forecast.cancelled'>): Promise<void> {
  return apply(view, event, 'cancelled', (before) => cancelled(before, event));
}

/** Shows a warehouse that a parcel has left. */
export function followDispatch({ view }: FollowViewOptions, event: DomainEvent<'forecast.dispatched'>): Promise<void> {
  return apply(view, event, 'status', (before) => dispatched(before, event));
}

/** Shows a warehouse how far a parcel has come. */
export function followProgress({ view }: FollowViewOptions, event: ProgressEvent): Promise<void> {
  return apply(view, event, 'status', (before) => progressed(before, event));
}

/** Shows a warehouse whether a parcel is held back. */
export function followHold({ view }: FollowViewOptions, event: DomainEvent<'parcel.held' | 'parcel.released'>): Promise<void> {
  return apply(view, event, event.type === 'parcel.held' ? 'held' : 'released', (before) => held(before, event));
}

/** Shows a warehouse the documents of a forecast. */
export function followDocuments({ view }: FollowViewOptions, event: DomainEvent<'documents.generated'>): Promise<void> {
  return apply(view, event, 'documents', (before) => documented(before, event));
}
