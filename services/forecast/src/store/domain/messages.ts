import { type DomainEventData, type DomainEventType, MAX_ITEMS_IN_EVENT_BYTES } from '@parcelway/contracts/domain-events';
import type { ForecastItem } from '@parcelway/contracts/forecast-submission-api';
import { isoInstant } from '@parcelway/kernel/clock';
import { type CanonicalForecast, optionalData, trackingNumbersOf } from './canonical.ts';
import type { ForecastRecord, WarehouseReport } from './forecast.ts';

type MessageType = Extract<DomainEventType, `forecast.${string}` | `parcel.${string}`>;

/** A message about a forecast, before it gets an id and is encoded. */
export interface ForecastMessage<T extends MessageType = MessageType> {
  readonly type: T;
  readonly data: DomainEventData<T>;
  /** Epoch milliseconds. */
  readonly time: number;
}

type Subject = Pick<ForecastRecord, 'forecastNo' | 'poNumber'>;

type Accepted = Pick<ForecastRecord, 'forecastNo' | 'poNumber' | 'forecastId' | 'forecastType' | 'warehouseCode' | 'createdAt'>;

/** What identifies a forecast, as in its events and the internal look-up. */
export function identityData(forecast: Accepted, content: CanonicalForecast) {
  return {
    forecast_no: forecast.forecastNo,
    po_number: forecast.poNumber,
    forecast_id: forecast.forecastId,
    forecast_type: forecast.forecastType,
    warehouse_code: forecast.warehouseCode,
    tracking_numbers: trackingNumbersOf(content),
    accepted_at: isoInstant(forecast.createdAt),
  };
}

/** The items as an event carries them; null when they are too large for that. */
function itemsData({ items }: CanonicalForecast): ForecastItem[] | null {
  return Buffer.byteLength(JSON.stringify(items)) > MAX_ITEMS_IN_EVENT_BYTES ? null : [...items];
}

type Versioned = Accepted & Pick<ForecastRecord, 'contentVersion'>;

/** What a forecast is, and what it is to contain, as its events say it. */
export function contentData(forecast: Versioned, content: CanonicalForecast) {
  const items = itemsData(content);
  return {
    ...identityData(forecast, content),
    version: forecast.contentVersion,
    ...optionalData(content),
    item_count: content.items.length,
    items,
  };
}

export function acceptedMessage(forecast: Versioned, content: CanonicalForecast): ForecastMessage<'forecast.accepted'> {
  return { type: 'forecast.accepted', time: forecast.createdAt, data: contentData(forecast, content) };
}

/**
 * The message that a forecast was corrected.
 * @param forecast after the correction
 * @param change JSON paths of what changed, and the warehouse before
 * @param now epoch milliseconds
 */
export function correctedMessage(
  forecast: Versioned & Pick<ForecastRecord, 'status'>,
  content: CanonicalForecast,
  change: { readonly changed: readonly string[]; readonly previousWarehouseCode: string },
  now: number,
): ForecastMessage<'forecast.corrected'> {
  const data = {
    ...contentData(forecast, content),
    status: forecast.status,
    changed: [...change.changed],
    previous_warehouse_code: change.previousWarehouseCode,
    corrected_at: isoInstant(now),
  };
  return { type: 'forecast.corrected', time: now, data };
}

/** The message that a forecast was cancelled. `now`: epoch milliseconds. */
export function cancelledMessage(forecast: Subject, now: number): ForecastMessage<'forecast.cancelled'> {
  const { forecastNo, poNumber } = forecast;
  const data = { forecast_no: forecastNo, po_number: poNumber, cancelled_at: isoInstant(now) };
  return { type: 'forecast.cancelled', time: now, data };
}

/**
 * The message that a cancelled forecast refused a report that was matched with it. Both times in epoch milliseconds.
 * @param photos tokens of those of the report that the forecast does not show anyway
 */
export function reportRefusedMessage(
  forecast: Subject,
  { warehouse_code, event_id }: WarehouseReport,
  photos: readonly string[],
  cancelledAt: number,
  now: number,
): ForecastMessage<'forecast.report_refused'> {
  const { forecastNo, poNumber } = forecast;
  const report = { warehouse_code, event_id, cancelled_at: isoInstant(cancelledAt), photos: [...photos] };
  return { type: 'forecast.report_refused', time: now, data: { forecast_no: forecastNo, po_number: poNumber, ...report } };
}

/**
 * The message that a tenant changed its own images on a forecast.
 * @param images tokens of all of them
 * @param now epoch milliseconds
 */
export function imagesChangedMessage(
  forecast: Subject,
  revision: number,
  images: readonly string[],
  now: number,
): ForecastMessage<'forecast.images_changed'> {
  const { forecastNo, poNumber } = forecast;
  const data = { forecast_no: forecastNo, po_number: poNumber, revision, images: [...images], changed_at: isoInstant(now) };
  return { type: 'forecast.images_changed', time: now, data };
}
