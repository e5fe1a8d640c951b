import { exampleParcel } from './example-parcel.ts';
import type { WarehouseEvent, WarehouseEventType } from './warehouse-api.ts';

const { forecastNo, warehouseCode, expressNo } = exampleParcel;

const photoId = 'ph_eyJpZCI6NTEyMH0.f3Hs9aUeD7oKxQ2iT6wMzA';

const reported = { warehouse_code: warehouseCode, express_no: expressNo };

/** One report of each kind, as a warehouse sends it. */
export const warehouseEventExamples: { readonly [T in WarehouseEventType]: Extract<WarehouseEvent, { type: T }> } = {
  arrival: { event_id: 'sz01-20251124-000871', type: 'arrival', occurred_at: '2025-11-24T08:52:10+08:00', ...reported },
  weighing: {
    event_id: 'sz01-20251124-000902',
    type: 'weighing',
    occurred_at: '2025-11-24T09:15:02+08:00',
    ...reported,
    length_cm: 32.5,
    width_cm: 24,
    height_cm: 11.2,
    weight_kg: 2.415,
    photo_ids: [photoId],
  },
  photo: {
    event_id: 'sz01-20251124-000903',
    type: 'photo',
    occurred_at: '2025-11-24T09:16:20+08:00',
    ...reported,
    photo_id: photoId,
    image_type: 'package',
    image_order: 1,
  },
  processing: { event_id: 'sz01-20251124-000955', type: 'processing', occurred_at: '2025-11-24T10:40:00+08:00', ...reported },
  put_away: {
    event_id: 'sz01-20251124-000990',
    type: 'put_away',
    occurred_at: '2025-11-24T11:05:31+08:00',
    warehouse_code: warehouseCode,
    forecast_no: forecastNo,
    received_items: [{ sku_code: 'SKU-TEE-BLK-M', quantity: 2 }],
  },
  dispatch: {
    event_id: 'sz01-20251125-000114',
    type: 'dispatch',
    occurred_at: '2025-11-25T18:30:00+08:00',
    warehouse_code: warehouseCode,
    forecast_no: forecastNo,
    carrier_code: exampleParcel.carrierCode,
    tracking_number: exampleParcel.carrierNumber,
  },
  exception: {
    event_id: 'sz01-20251124-000910',
    type: 'exception',
    occurred_at: '2025-11-24T09:20:00+08:00',
    ...reported,
    reason: 'damaged',
    text: 'One corner of the carton is crushed',
    photo_ids: [photoId],
  },
  hold: {
    event_id: 'sz01-20251124-000911',
    type: 'hold',
    occurred_at: '2025-11-24T09:21:00+08:00',
    ...reported,
    reason: 'Waits for the merchant',
  },
  release: { event_id: 'sz01-20251124-000930', type: 'release', occurred_at: '2025-11-24T09:50:00+08:00', ...reported },
};
