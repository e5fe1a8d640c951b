import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import {
  type DomainEventData,
  type DomainEventType,
  type EventPhoto,
  MAX_HOLDS_IN_EVENT,
  MAX_ITEMS_IN_EVENT_BYTES,
} from '@parcelway/contracts/domain-events';
import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import type { ForecastItem } from '@parcelway/contracts/forecast-api';
import { isoInstant } from '@parcelway/kernel/clock';
import { type CanonicalForecast, trackingNumbersOf } from './domain/canonical.ts';
import type { ForecastRecord, Photo, WarehouseReport } from './domain/forecast.ts';
import type { HoldingNotice, Notice } from './domain/happening.ts';
import { isOnHold } from './domain/holds.ts';

/** Where an event comes from. */
export interface Origin {
  readonly environment: Environment;
  /** `traceparent` of what caused it, when that is known. */
  readonly traceparent: string | undefined;
}

type Told = Extract<DomainEventType, `forecast.${string}` | `parcel.${string}`>;
type Subject = Pick<ForecastRecord, 'tenantId' | 'forecastNo' | 'poNumber'>;

function message<T extends Told>(origin: Origin, forecast: Subject, now: number, type: T, data: DomainEventData<T>): EncodedMessage {
  const { tenantId, forecastNo } = forecast;
  const { environment, traceparent } = origin;
  return encodeEvent(
    createDomainEvent({ type, publisher: 'forecast', tenantId, environment, subject: forecastNo, time: now, traceparent, data }),
  );
}

type Accepted = Pick<ForecastRecord, 'forecastNo' | 'poNumber' | 'forecastId' | 'forecastType' | 'warehouseCode' | 'createdAt'>;

/** What tells a forecast from others, as its events and the internal look-up say it. */
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

type Versioned = Accepted & Subject & Pick<ForecastRecord, 'contentVersion'>;

/** What a forecast is, and what it is to contain, as its events say it. */
export function contentData(forecast: Versioned, content: CanonicalForecast) {
  return {
    ...identityData(forecast, content),
    version: forecast.contentVersion,
    due_date: content.due_date ?? null,
    shipping_label: content.shipping_label ?? null,
    shipping_note: content.shipping_note ?? null,
    carton_count: content.carton_count ?? null,
    item_count: content.items.length,
    items: itemsData(content),
  };
}

/** The message that a forecast was accepted. */
export function acceptedMessage(origin: Origin, forecast: Versioned, content: CanonicalForecast): EncodedMessage {
  return message(origin, forecast, forecast.createdAt, 'forecast.accepted', contentData(forecast, content));
}

/**
 * The message that a forecast was corrected.
 * @param forecast after the correction
 * @param told JSON paths of what changed, and the warehouse before
 * @param now epoch milliseconds
 */
export function correctedMessage(
  origin: Origin,
  forecast: Versioned & Pick<ForecastRecord, 'status'>,
  content: CanonicalForecast,
  told: { readonly changed: readonly string[]; readonly previousWarehouseCode: string },
  now: number,
): EncodedMessage {
  const data = {
    ...contentData(forecast, content),
    status: forecast.status,
    changed: [...told.changed],
    previous_warehouse_code: told.previousWarehouseCode,
    corrected_at: isoInstant(now),
  };
  return message(origin, forecast, now, 'forecast.corrected', data);
}

/** The message that a forecast was cancelled. `now`: epoch milliseconds. */
export function cancelledMessage(origin: Origin, forecast: Subject, now: number): EncodedMessage {
  const { forecastNo, poNumber } = forecast;
  const data = { forecast_no: forecastNo, po_number: poNumber, cancelled_at: isoInstant(now) };
  return message(origin, forecast, now, 'forecast.cancelled', data);
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
export function noticeMessage(origin: Origin, forecast: Subject, notice: Notice, now: number): EncodedMessage {
  const subject = { forecast_no: forecast.forecastNo, po_number: forecast.poNumber, status: notice.status };
  const say = <T extends Told>(type: T, data: DomainEventData<T>): EncodedMessage => message(origin, forecast, now, type, data);
  switch (notice.kind) {
    case 'weighed':
      return say('parcel.weighed', { ...subject, weighed_at: notice.weighedAt });
    case 'dispatched': {
      const { carrierCode, trackingNumber, dispatchedAt } = notice.dispatch;
      const shipment = { carrier_code: carrierCode, tracking_number: trackingNumber, dispatched_at: dispatchedAt };
      return say('forecast.dispatched', { ...subject, ...shipment });
    }
    case 'photographed': {
      const { imageType, imageOrder, url } = notice.photo;
      const image = { image_type: imageType, image_order: imageOrder, image_url: url };
      return say('parcel.photographed', { ...subject, ...reported(notice.report), ...image });
    }
    case 'put_away': {
      const { report, receivedItems } = notice;
      return say('parcel.put_away', {
        ...subject,
        ...reported(report),
        ...(receivedItems && { received_items: receivedItems.map(({ skuCode, quantity }) => ({ sku_code: skuCode, quantity })) }),
      });
    }
    case 'exception': {
      const { reason, text, photos } = notice.exception;
      return say('parcel.exception', { ...subject, ...reported(notice.report), reason, text, photos: photos.map(eventPhoto) });
    }
    case 'held':
      return say('parcel.held', { ...subject, ...reported(notice.report), reason: notice.reason, ...holdingData(notice) });
    case 'released':
      return say('parcel.released', { ...subject, ...reported(notice.report), ...holdingData(notice) });
    case 'completed':
      return say('parcel.completed', { ...subject, reason: notice.reason, completed_at: isoInstant(now) });
    default:
      return say(`parcel.${notice.kind}`, { ...subject, ...reported(notice.report) });
  }
}
