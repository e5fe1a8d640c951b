import {
  type DomainEventData,
  type DomainEventType,
  type EventPhoto,
  MAX_HOLDS_IN_EVENT,
  MAX_ITEMS_IN_EVENT_BYTES,
} from '@parcelway/contracts/domain-events';
import type { ForecastItem } from '@parcelway/contracts/forecast-submission-api';
import { isoInstant } from '@parcelway/kernel/clock';
import { type CanonicalForecast, optionalData, trackingNumbersOf } from './canonical.ts';
import type { HoldingNotice, Notice } from './fact.ts';
import type { ForecastRecord, Photo, WarehouseReport } from './forecast.ts';
import { isOnHold } from './holds.ts';

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
  { warehouseCode, eventId }: WarehouseReport,
  photos: readonly string[],
  cancelledAt: number,
  now: number,
): ForecastMessage<'forecast.report_refused'> {
  const { forecastNo, poNumber } = forecast;
  const report = { warehouse_code: warehouseCode, event_id: eventId, cancelled_at: isoInstant(cancelledAt), photos: [...photos] };
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

const reported = ({ warehouseCode, occurredAt }: WarehouseReport) => ({ warehouse_code: warehouseCode, occurred_at: occurredAt });

function eventPhoto({ id, path, url, sizeByte, uploadTime }: Photo): EventPhoto {
  return { id, image_path: path, image_url: url, file_size: sizeByte, upload_time: uploadTime };
}

/** What holds of a forecast, latest first, as its events say it. */
export function holdingData({ holds, holdReports }: HoldingNotice) {
  return {
    hold_reports: holdReports,
    on_hold: isOnHold(holds),
    holds: holds
      .slice(0, MAX_HOLDS_IN_EVENT)
      .map(({ reason, heldAt, releasedAt }) => ({ reason, held_at: heldAt, released_at: releasedAt })),
  };
}

/** The message of a notice. `now`: epoch milliseconds. */
export function noticeMessage(forecast: Subject, notice: Notice, now: number): ForecastMessage {
  const subject = { forecast_no: forecast.forecastNo, po_number: forecast.poNumber, status: notice.status };
  const message = <T extends MessageType>(type: T, data: DomainEventData<T>): ForecastMessage<T> => ({ type, data, time: now });
  switch (notice.kind) {
    case 'weighed':
      return message('parcel.weighed', { ...subject, weighed_at: notice.weighedAt });
    case 'dispatched': {
      const { carrierCode, trackingNumber, dispatchedAt } = notice.dispatch;
      const shipment = { carrier_code: carrierCode, tracking_number: trackingNumber, dispatched_at: dispatchedAt };
      const details = notice.sealedDetails === undefined ? {} : { sealed_details: notice.sealedDetails };
      return message('forecast.dispatched', { ...subject, ...shipment, ...details });
    }
    case 'photographed': {
      const { imageType, imageOrder, url } = notice.photo;
      const image = { image_type: imageType, image_order: imageOrder, image_url: url };
      return message('parcel.photographed', { ...subject, ...reported(notice.report), ...image });
    }
    case 'put_away': {
      const { report, receivedItems } = notice;
      return message('parcel.put_away', {
        ...subject,
        ...reported(report),
        ...(receivedItems && { received_items: receivedItems.map(({ skuCode, quantity }) => ({ sku_code: skuCode, quantity })) }),
      });
    }
    case 'exception': {
      const { reason, text, photos } = notice.exception;
      return message('parcel.exception', { ...subject, ...reported(notice.report), reason, text, photos: photos.map(eventPhoto) });
    }
    case 'held':
      return message('parcel.held', { ...subject, ...reported(notice.report), reason: notice.reason, ...holdingData(notice) });
    case 'released':
      return message('parcel.released', { ...subject, ...reported(notice.report), ...holdingData(notice) });
    case 'completed':
      return message('parcel.completed', { ...subject, reason: notice.reason, completed_at: isoInstant(now) });
    default:
      return message(`parcel.${notice.kind}`, { ...subject, ...reported(notice.report) });
  }
}
