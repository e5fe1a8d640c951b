import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventType } from '@parcelway/contracts/domain-events';
import type { SsccOf } from '@parcelway/contracts/sscc';
import type { ForecastChange } from '@parcelway/contracts/warehouse-change';
import { isoInstant } from '@parcelway/kernel/clock';
import type { ChangeNote } from './change-message.ts';
import { cancelled, dispatched, held, progressed, type ViewForecast, type ViewItem, withContent, withItems } from './forecast-copy.ts';

/** What a batch changes in the view of a forecast. */
export interface ViewChange {
  readonly forecast: ViewForecast;
  /** Absent when they stay as they are. */
  readonly items?: readonly ViewItem[];
  /** What systems outside the platform hear of it, in this order. */
  readonly notes?: readonly ChangeNote[];
}

/** Forecasts by their numbers. */
export type KnownForecasts = ReadonlyMap<string, ViewForecast>;

/** What a batch makes of the forecasts as they are stored; nothing of those that it does not change. Pure: may run several times. */
export type DecideView = (known: KnownForecasts) => readonly ViewChange[];

/** An event with the content of a forecast. */
export type ContentEvent = DomainEvent<'forecast.accepted'> | DomainEvent<'forecast.corrected'>;

/** Items that were read for the event that came without them. */
export interface ReadItems {
  readonly event: ContentEvent;
  readonly version: number;
  readonly items: readonly ViewItem[];
}

interface Progress {
  forecast: ViewForecast | undefined;
  items?: readonly ViewItem[];
  readonly notes: ChangeNote[];
}

/** Forecasts while a batch changes them. */
class ViewFold {
  readonly #known: KnownForecasts;
  readonly #changes = new Map<string, Progress>();

  constructor(known: KnownForecasts) {
    this.#known = known;
  }

  /** @param after undefined when nothing changes */
  apply(event: ViewEvent, after: (before: ViewForecast | undefined) => Pick<ViewChange, 'forecast' | 'items'> | undefined): void {
    const { forecast_no: forecastNo } = event.data;
    const progress = this.#changes.get(forecastNo) ?? { forecast: this.#known.get(forecastNo), notes: [] };
    const change = after(progress.forecast);
    if (change === undefined || change.forecast === progress.forecast) return;
    progress.forecast = change.forecast;
    if (change.items !== undefined) progress.items = change.items;
    // Nobody has a forecast whose acceptance is not known: that reports everything before it.
    if (change.forecast.warehouseCode !== null)
      progress.notes.push({ change: changeNameOf(event), changedAt: isoInstant(Date.parse(event.time)) });
    this.#changes.set(forecastNo, progress);
  }

  changes(): readonly ViewChange[] {
    return [...this.#changes.values()].flatMap(({ forecast, items, notes }) =>
      forecast === undefined ? [] : [{ forecast, ...(items && { items }), ...(notes.length > 0 && { notes }) }],
    );
  }
}

/** What events change in the view, in their order: those of one forecast become one change. An event that was followed before changes nothing. */
export function decideView(events: readonly ViewEvent[], known: KnownForecasts, ssccOf: SsccOf): readonly ViewChange[] {
  const fold = new ViewFold(known);
  for (const event of events) {
    fold.apply(event, (before) => {
      const forecast = afterEvent(before, event, ssccOf);
      if (!isContentEvent(event) || event.data.items === null) return { forecast };
      const complete = withItems(forecast, event.data.version);
      return complete === undefined ? { forecast } : { forecast: complete, items: event.data.items };
    });
  }
  return fold.changes();
}

/** What items change that were read for events, in the order of these; nothing of forecasts that are gone by now. */
export function decideItems(found: readonly ReadItems[], known: KnownForecasts, ssccOf: SsccOf): readonly ViewChange[] {
  const fold = new ViewFold(known);
  for (const { event, version, items } of found) {
    fold.apply(event, (before) => {
      const forecast = before && withItems(afterEvent(before, event, ssccOf), version);
      return forecast && { forecast, items };
    });
  }
  return fold.changes();
}

/** The events whose items are too large for them. */
export function eventsWithoutItems(events: readonly ViewEvent[]): readonly ContentEvent[] {
  return events.filter(isContentEvent).filter(({ data }) => data.items === null);
}

/** True for an event that brings the content of a forecast. */
export function isContentEvent(event: ViewEvent): event is ContentEvent {
  return event.type === 'forecast.accepted' || event.type === 'forecast.corrected';
}

/** Types of the events that the view follows. */
export const viewEventTypes = [
  'forecast.accepted',
  'forecast.corrected',
  'forecast.cancelled',
  'forecast.dispatched',
  'parcel.arrived',
  'parcel.weighed',
  'parcel.photographed',
  'parcel.processed',
  'parcel.put_away',
  'parcel.completed',
  'parcel.exception',
  'parcel.held',
  'parcel.released',
] as const satisfies readonly DomainEventType[];

/** An event that the view follows. */
export type ViewEvent = { readonly [T in (typeof viewEventTypes)[number]]: DomainEvent<T> }[(typeof viewEventTypes)[number]];

/** The forecast after an event; the same object when the event changes nothing. */
export function afterEvent(before: ViewForecast | undefined, event: ViewEvent, ssccOf: SsccOf): ViewForecast {
  switch (event.type) {
    case 'forecast.accepted':
    case 'forecast.corrected':
      return withContent(before, event, ssccOf);
    case 'forecast.cancelled':
      return cancelled(before, event);
    case 'forecast.dispatched':
      return dispatched(before, event);
    case 'parcel.held':
    case 'parcel.released':
      return held(before, event);
    default:
      return progressed(before, event);
  }
}

/** The change that systems outside the platform are notified of. */
export function changeNameOf({ type }: ViewEvent): ForecastChange {
  switch (type) {
    case 'forecast.accepted':
      return 'accepted';
    case 'forecast.corrected':
      return 'corrected';
    case 'forecast.cancelled':
      return 'cancelled';
    case 'parcel.held':
      return 'held';
    case 'parcel.released':
      return 'released';
    default:
      return 'status';
  }
}
