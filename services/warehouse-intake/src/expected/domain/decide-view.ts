import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { SsccOf } from '@parcelway/contracts/sscc';
import { topics } from '@parcelway/contracts/topics';
import {
  type ExpectedForecast,
  type ForecastChange,
  MAX_CHANGE_BYTES,
  type WarehouseForecastChange,
} from '@parcelway/contracts/warehouse-change';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { isoInstant } from '@parcelway/kernel/clock';
import { afterEvent, type ViewEvent, type ViewForecast, type ViewItem, withItems } from './forecast-copy.ts';

/** What a batch changes in the view of a forecast. */
export interface ViewChange {
  readonly forecast: ViewForecast;
  /** Absent when they stay as they are. */
  readonly items?: readonly ViewItem[];
  /** What systems outside the platform hear of it, in this order. */
  readonly notes?: readonly ChangeNote[];
}

/** What a batch makes of a forecast as it is stored; undefined when nothing. Pure: may run several times. */
export type DecideView = (before: ViewForecast | undefined) => ViewChange | undefined;

export type ContentEvent = DomainEvent<'forecast.accepted'> | DomainEvent<'forecast.corrected'>;

/** Items that were read for the event that came without them. */
export interface ReadItems {
  readonly event: ContentEvent;
  readonly version: number;
  readonly items: readonly ViewItem[];
}

/** What an event makes of a forecast; undefined, or the same forecast, when nothing changes. */
type Step = (before: ViewForecast | undefined) => Pick<ViewChange, 'forecast' | 'items'> | undefined;

/** What events of a forecast change, in their order. */
function afterAll<E extends ViewEvent>(
  before: ViewForecast | undefined,
  events: readonly E[],
  stepOf: (event: E) => Step,
): ViewChange | undefined {
  let forecast = before;
  let items: readonly ViewItem[] | undefined;
  const notes: ChangeNote[] = [];
  for (const event of events) {
    const change = stepOf(event)(forecast);
    if (change === undefined || change.forecast === forecast) continue;
    forecast = change.forecast;
    items = change.items ?? items;
    // Nobody has a forecast whose acceptance is not known: that reports everything before it.
    if (forecast.warehouseCode !== null) notes.push({ change: changeNameOf(event), changedAt: isoInstant(Date.parse(event.time)) });
  }
  if (forecast === undefined || forecast === before) return undefined;
  return { forecast, ...(items && { items }), ...(notes.length > 0 && { notes }) };
}

/** What events of a forecast change in the view, in their order. An event that was followed before changes nothing. */
export function decideView(events: readonly ViewEvent[], before: ViewForecast | undefined, ssccOf: SsccOf): ViewChange | undefined {
  return afterAll(before, events, (event) => (found) => {
    const forecast = afterEvent(found, event, ssccOf);
    if (!isContentEvent(event) || event.data.items === null) return { forecast };
    const complete = withItems(forecast, event.data.version);
    return complete === undefined ? { forecast } : { forecast: complete, items: event.data.items };
  });
}

/** What items change that were read for an event; nothing of a forecast that is gone by now. */
export function decideItems(
  { event, version, items }: ReadItems,
  before: ViewForecast | undefined,
  ssccOf: SsccOf,
): ViewChange | undefined {
  return afterAll(before, [event], () => (found) => {
    const forecast = found && withItems(afterEvent(found, event, ssccOf), version);
    return forecast && { forecast, items };
  });
}

/** The events whose items are too large for them. */
export function eventsWithoutItems(events: readonly ViewEvent[]): readonly ContentEvent[] {
  return events.filter(isContentEvent).filter(({ data }) => data.items === null);
}

/** True for an event that brings the content of a forecast. */
function isContentEvent(event: ViewEvent): event is ContentEvent {
  return event.type === 'forecast.accepted' || event.type === 'forecast.corrected';
}

/** The change that systems outside the platform are notified of. */
function changeNameOf({ type }: ViewEvent): ForecastChange {
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

/** What has happened to a forecast that systems of warehouses are to hear of. */
export interface ChangeNote {
  readonly change: ForecastChange;
  /** ISO 8601. */
  readonly changedAt: string;
}

/** The entry of the outbox. It names the change alone: the message is made of the forecast as it is when it is published. */
export function noteEntry(forecastNo: string, note: ChangeNote): EncodedMessage {
  return { topic: topics.warehouseExpected, key: forecastNo, value: JSON.stringify(note) };
}

/**
 * The message that reports a change, as JSON of at most {@link MAX_CHANGE_BYTES}: without the items when it would be larger, and without the
 * reports of the warehouse when that is not enough.
 * @param entry value of a {@link noteEntry}
 * @param hasItems false while the items are those of a former version
 */
export function changeMessage(entry: string, detail: WarehouseForecastDetail, hasItems: boolean): string {
  const { change, changedAt } = JSON.parse(entry) as ChangeNote;
  const textOf = (forecast: ExpectedForecast): string =>
    JSON.stringify({ change, changed_at: changedAt, forecast } satisfies WarehouseForecastChange);
  const withoutItems = { ...detail, items: null };
  const text = textOf(hasItems ? detail : withoutItems);
  if (fits(text)) return text;
  const shorter = textOf(withoutItems);
  return fits(shorter) ? shorter : textOf({ ...withoutItems, measurements: null, photos: null, exceptions: null });
}

function fits(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_CHANGE_BYTES;
}
