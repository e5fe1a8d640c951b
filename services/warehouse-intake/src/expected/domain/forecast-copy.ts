import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventData, DomainEventType } from '@parcelway/contracts/domain-events';
import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { SsccOf } from '@parcelway/contracts/sscc';

/** An item as the events carry it. */
export type ViewItem = NonNullable<DomainEventData<'forecast.accepted'>['items']>[number];

/** How the parcel left. */
export interface ViewDispatch {
  readonly carrierCode: string;
  readonly trackingNumber: string;
  /** As the warehouse wrote it. */
  readonly dispatchedAt: string;
  /** Time and id of the event that said so. */
  readonly told: string;
}

/** What holds of a parcel that the warehouse keeps back, or has kept back. */
export interface ViewHolding {
  readonly onHold: boolean;
  /** Latest first. */
  readonly holds: readonly { readonly reason: string | null; readonly held_at: string; readonly released_at: string | null }[];
  /** Holds and releases that the forecast knew of: the event with the most is the latest. */
  readonly reports: number;
}

/** What a merchant's forecast says, without its items. */
export interface ViewContent {
  readonly forecastType: number;
  readonly version: number;
  /** ISO 8601. */
  readonly acceptedAt: string;
  readonly dueDate: string | null;
  readonly shippingLabel: string | null;
  readonly shippingNote: string | null;
  readonly cartonCount: number | null;
  readonly itemCount: number;
  /** All that the items declare, normalised, without repeats. */
  readonly trackingNumbers: readonly string[];
  /** SSCC of the carton; absent where the operator has no GS1 company prefix. */
  readonly sscc?: string;
}

/**
 * The view's copy of a forecast, as its events have made it, without its items. Events come in any order: until the acceptance is known,
 * there is no warehouse and nobody sees it (seen-by-warehouse.ts).
 */
export interface ViewForecast {
  readonly forecastNo: string;
  readonly tenantId: string;
  readonly poNumber: string;
  /** Null until the acceptance is known. */
  readonly warehouseCode: string | null;
  readonly status: ForecastStatus;
  readonly content: ViewContent | null;
  /** Version of the items that are stored; 0 when there are none. */
  readonly itemsVersion: number;
  readonly dispatch: ViewDispatch | null;
  /** Null until the warehouse holds the parcel back. */
  readonly holding: ViewHolding | null;
  /** Set when a correction has moved the forecast away: the rest is what the former warehouse still sees (seen-by-warehouse.ts). */
  readonly isMoved?: true;
}

const { ACCEPTED, SHIPPED, CANCELLED } = forecastStatuses;

/** True while the parcel is expected or present. */
export function isLive(status: ForecastStatus): boolean {
  return status < SHIPPED;
}

/** A text by which events of one forecast are ordered: by time, then by id. */
function reportedBy({ time, id }: DomainEvent): string {
  return `${time} ${id}`;
}

/** The forecast as an event finds it. */
function known(before: ViewForecast | undefined, event: DomainEvent): ViewForecast {
  const { forecast_no: forecastNo, po_number: poNumber } = event.data as { readonly forecast_no: string; readonly po_number: string };
  if (before !== undefined) return before;
  return {
    forecastNo,
    tenantId: event.tenantid,
    poNumber,
    warehouseCode: null,
    status: ACCEPTED,
    content: null,
    itemsVersion: 0,
    dispatch: null,
    holding: null,
  };
}

/** A status moves forward only, whatever the order in which its events come. */
function advanced(forecast: ViewForecast, status: number | undefined): ViewForecast {
  return status === undefined || status <= forecast.status ? forecast : { ...forecast, status: status as ForecastStatus };
}

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

export type ViewEvent = { readonly [T in (typeof viewEventTypes)[number]]: DomainEvent<T> }[(typeof viewEventTypes)[number]];

/** The forecast after an event, whatever the order in which they come; the same object when the event changes nothing. */
export function afterEvent(before: ViewForecast | undefined, event: ViewEvent, ssccOf: SsccOf): ViewForecast {
  const { type, data } = event;
  const status = type === 'forecast.cancelled' ? CANCELLED : 'status' in data ? data.status : undefined;
  const forecast = advanced(known(before, event), status);
  switch (type) {
    case 'forecast.accepted':
    case 'forecast.corrected':
      return withContent(forecast, event.data, ssccOf);
    case 'forecast.dispatched':
      return dispatched(forecast, event);
    case 'parcel.held':
    case 'parcel.released':
      return held(forecast, event.data);
    default:
      return forecast;
  }
}

/** The newer of two versions wins. */
function withContent(forecast: ViewForecast, data: DomainEventData<'forecast.accepted'>, ssccOf: SsccOf): ViewForecast {
  if (forecast.content !== null && forecast.content.version >= data.version) return forecast;
  return { ...forecast, warehouseCode: data.warehouse_code, content: contentOf(data, ssccOf) };
}

function contentOf(data: DomainEventData<'forecast.accepted'>, ssccOf: SsccOf): ViewContent {
  const sscc = ssccOf(data.forecast_id);
  return {
    forecastType: data.forecast_type,
    version: data.version,
    acceptedAt: data.accepted_at,
    dueDate: data.due_date,
    shippingLabel: data.shipping_label,
    shippingNote: data.shipping_note,
    cartonCount: data.carton_count,
    itemCount: data.item_count,
    trackingNumbers: data.tracking_numbers,
    ...(sscc !== undefined && { sscc }),
  };
}

/** The forecast with the items of a version, or undefined when it has those of a newer one. */
export function withItems(forecast: ViewForecast, version: number): ViewForecast | undefined {
  return forecast.itemsVersion >= version ? undefined : { ...forecast, itemsVersion: version };
}

/** True when the items that are stored are those of the content, and not of a version before it. */
export function hasItems({ content, itemsVersion }: ViewForecast): boolean {
  return content !== null && itemsVersion >= content.version;
}

/** The dispatch that holds: the later one by the warehouse's clock, as the forecast has it; of two at one moment the one reported later. */
function dispatched(forecast: ViewForecast, event: DomainEvent<'forecast.dispatched'>): ViewForecast {
  const { carrier_code: carrierCode, tracking_number: trackingNumber, dispatched_at: dispatchedAt } = event.data;
  const { dispatch: before } = forecast;
  const found: ViewDispatch = { carrierCode, trackingNumber, dispatchedAt, told: reportedBy(event) };
  if (before === null) return { ...forecast, dispatch: found };
  const lead = Date.parse(dispatchedAt) - Date.parse(before.dispatchedAt);
  return lead > 0 || (lead === 0 && found.told > before.told) ? { ...forecast, dispatch: found } : forecast;
}

/** What holds after more reports. Clocks say nothing here: several processes report one parcel. */
function held(forecast: ViewForecast, data: DomainEventData<'parcel.held' | 'parcel.released'>): ViewForecast {
  const { hold_reports: reports, on_hold: onHold, holds } = data;
  const isOlder = forecast.holding !== null && forecast.holding.reports >= reports;
  return isOlder ? forecast : { ...forecast, holding: { onHold, holds, reports } };
}

/** True while the forecast is kept without an end: its acceptance is known and the parcel is expected or present. */
export function isKept({ warehouseCode, status }: ViewForecast): boolean {
  return warehouseCode !== null && isLive(status);
}

/** True when what the forecast is found by differs, besides its items. */
export function isFoundOtherwise(before: ViewForecast | undefined, after: ViewForecast): boolean {
  return (
    before === undefined ||
    before.warehouseCode !== after.warehouseCode ||
    isLive(before.status) !== isLive(after.status) ||
    before.content?.sscc !== after.content?.sscc ||
    before.dispatch?.trackingNumber !== after.dispatch?.trackingNumber ||
    before.content?.trackingNumbers.join() !== after.content?.trackingNumbers.join()
  );
}
