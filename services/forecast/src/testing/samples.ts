import type { EventPhoto } from '@parcelway/contracts/domain-events';
import { isoInstant } from '@parcelway/kernel/clock';
import type { CanonicalForecast, ContentSummary } from '../store/domain/canonical.ts';
import {
  type Dispatch,
  type ForecastRecord,
  initialProgress,
  type Measurement,
  type ParcelException,
  type WarehouseReport,
} from '../store/domain/forecast.ts';

/** What a list shows of a content with one item. No value is null, so that tests notice a store that forgets one. */
export const summary: ContentSummary = { warehouseCode: 'WH1', dueDate: '2026-12-24', itemCount: 1 };

/** An accepted forecast of type 2 of the tenant `tnt_a`, accepted at 1000, unless stated otherwise. */
export function record(forecastNo: string, over: Partial<ForecastRecord> = {}): ForecastRecord {
  return {
    tenantId: 'tnt_a',
    forecastId: 1,
    forecastNo,
    poNumber: `PO-${forecastNo}`,
    forecastType: 2,
    ...summary,
    contentVersion: 1,
    status: 1,
    contentHash: 'hash',
    createdAt: 1000,
    updatedAt: 1000,
    hasException: false,
    onHold: false,
    progress: initialProgress(1000),
    ...over,
  };
}

/** What {@link record} contains: one item under the number `LP1`, unless stated otherwise. */
export function contentOf(forecastNo: string, over: Partial<CanonicalForecast> = {}): CanonicalForecast {
  return {
    po_number: `PO-${forecastNo}`,
    forecast_type: 2,
    warehouse_code: 'WH1',
    items: [{ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 1, tracking_number: 'LP1' }],
    ...over,
  };
}

/** A report of the warehouse WH1, without a scanned number. @param at epoch milliseconds; names the event as well */
export function reportAt(at: number, over: Partial<WarehouseReport> = {}): WarehouseReport {
  return { warehouse_code: 'WH1', event_id: `e${at}`, express_no: null, occurred_at: isoInstant(at), ...over };
}

/** A measurement of 1 cm × 1 cm × 1 cm and 1 kg, unless stated otherwise. */
export function measurementAt(at: number, over: Partial<Measurement> = {}): Measurement {
  const { occurred_at: weighed_at, ...reported_by } = reportAt(at);
  return { length_cm: 1, width_cm: 1, height_cm: 1, weight_kg: 1, weighed_at, reported_by, ...over };
}

/** A photo uploaded at the millisecond that its id names, unless stated otherwise. */
export function photo(id: number, over: Partial<EventPhoto> = {}): EventPhoto {
  return { id, image_path: `p${id}`, image_url: `u${id}`, file_size: id, upload_time: isoInstant(id), ...over };
}

export function dispatchAt(at: number, tracking_number = 'T1', carrier_code = 'acme'): Dispatch {
  return { carrier_code, tracking_number, dispatched_at: isoInstant(at) };
}

export function exceptionAt(at: number, ...photos: EventPhoto[]): ParcelException {
  return { reason: 'damaged', text: null, photos, occurred_at: isoInstant(at) };
}
