import { EXAMPLE_BASE_URL, exampleParcel, examplePhoto } from './example-parcel.ts';
import type { UploadedPhoto } from './file-api.ts';
import type { RouteExample } from './route-example.ts';
import type { EventOutcome, ResolutionResult, WaitingEvent } from './unclaimed-api.ts';
import type { IntakeResult } from './warehouse-api.ts';
import type { WarehouseForecastChange } from './warehouse-change.ts';
import { warehouseEventExamples } from './warehouse-event-examples.ts';
import type { WarehouseForecast, WarehouseForecastDetail, WarehouseForecastList, WarehouseLookup } from './warehouse-view-api.ts';

const { forecastNo, warehouseCode } = exampleParcel;
const { arrival, weighing, photo } = warehouseEventExamples;

const waiting: WaitingEvent = {
  id: arrival.event_id,
  type: 'arrival',
  express_no: 'SF 1234-5678-9012',
  forecast_no: null,
  reason: 'ambiguous',
  candidates: [forecastNo, 'FC251120B2W8N5R1PD'],
  occurred_at: arrival.occurred_at,
  received_at: '2025-11-24T00:52:12.000+00:00',
};

const resolved: ResolutionResult = {
  id: arrival.event_id,
  action: 'claim',
  forecast_no: forecastNo,
  reason: null,
  events: 2,
  resolved_at: '2025-11-24T01:20:40.000+00:00',
  resolved_by: 'key_0193a5b1c0e07a1b8c2d9e3f4a5b6c7d',
};

const outcome: EventOutcome = {
  event_id: weighing.event_id,
  type: 'weighing',
  state: 'applied',
  forecast_no: forecastNo,
  waiting_for: null,
  candidates: [],
  code: null,
  errors: [],
  occurred_at: weighing.occurred_at,
  received_at: '2025-11-24T01:15:03.000+00:00',
  resolved_by: resolved.resolved_by,
  resolved_at: resolved.resolved_at,
  reason: null,
};

const needs = { aParcel: 'an event of this warehouse that waits' };

const { id, image_url, file_size, upload_time } = examplePhoto;
const shownPhoto = { id, image_url, file_size, upload_time };

const forecast: WarehouseForecast = {
  forecast_no: forecastNo,
  tenant_id: exampleParcel.tenantId,
  po_number: exampleParcel.poNumber,
  forecast_type: 2,
  warehouse_code: warehouseCode,
  status: 3,
  status_name: 'WEIGHED',
  due_date: '2025-11-24',
  item_count: 1,
  carton_count: 1,
  version: 1,
  tracking_numbers: [exampleParcel.trackingNumber],
  on_hold: false,
  update_time: '2025-11-24T01:15:03.000+00:00',
};

const detail: WarehouseForecastDetail = {
  ...forecast,
  create_time: '2025-11-21T08:00:00.120+00:00',
  shipping_label: `${EXAMPLE_BASE_URL}/files/Qm3vT8sLx0yWnB5kRz1dHg-a7Xk2pVcJ9eUoF4tN6iMwQ.pdf`,
  shipping_note: `${EXAMPLE_BASE_URL}/files/h2KpW7rZc4tYbN9mLx5sVg-D1oUe8iQfG3aJkT6vR0nXw.pdf`,
  marketplace_label: `${EXAMPLE_BASE_URL}/files/b6TyU1nHs8rLq4cXz0pKvA-E9wGi2oMjV5dSaR7tB3fLk.pdf`,
  marketplace_label_version: 1,
  packing_slip: `${EXAMPLE_BASE_URL}/files/v0QhN3mWk9tYe5uRz7xPaC-S4bJi8oLgF2dVsT6nK1rHy.pdf`,
  items: [
    {
      sku_code: 'MUG-BLUE-350',
      barcode: '6901234567892',
      product_name_en: 'Ceramic mug, blue, 350 ml',
      product_name_cn: '蓝色陶瓷杯 350 毫升',
      forecast_quantity: 24,
      tracking_number: exampleParcel.trackingNumber,
    },
  ],
  measurements: [
    {
      event_id: weighing.event_id,
      express_no: exampleParcel.expressNo,
      occurred_at: weighing.occurred_at,
      length_cm: weighing.length_cm,
      width_cm: weighing.width_cm,
      height_cm: weighing.height_cm,
      weight_kg: weighing.weight_kg,
      photos: [shownPhoto],
    },
  ],
  photos: [
    {
      event_id: photo.event_id,
      express_no: exampleParcel.expressNo,
      occurred_at: photo.occurred_at,
      ...shownPhoto,
      image_type: 'package',
      image_order: 1,
    },
  ],
  holds: [],
  exceptions: [],
  received_items: null,
  carrier_code: null,
  tracking_number: null,
  dispatch_time: null,
};

/** A message of the topic `warehouse.expected.v1`. */
export const exampleChange: WarehouseForecastChange = {
  change: 'accepted',
  changed_at: '2025-11-21T08:00:00.120+00:00',
  forecast: {
    ...detail,
    status: 1,
    status_name: 'ACCEPTED',
    update_time: '2025-11-21T08:00:00.310+00:00',
    marketplace_label: null,
    marketplace_label_version: null,
    packing_slip: null,
    measurements: [],
    photos: [],
  },
};

const list: WarehouseForecastList = {
  forecasts: [{ ...forecast, moved: false }],
  next_cursor: '2.q8Vw0rXkYtB7nLz3mJc5hQ1sDfG9pKeA2uIo4yTvRbNxWcMz6lHjUiPaSdFgEkZq',
  has_more: true,
};

const lookup: WarehouseLookup = {
  scan: exampleParcel.expressNo,
  candidates: [
    { forecast, matched_by: 'tracking_number', reason: `The forecast declares the logistics number ${exampleParcel.trackingNumber}` },
  ],
  has_more: false,
};

const uploaded: UploadedPhoto = {
  photo_id: 'ph_eyJpZCI6NTEyMH0.f3Hs9aUeD7oKxQ2iT6wMzA',
  image_url: examplePhoto.image_url,
  media_type: 'image/jpeg',
  size_byte: examplePhoto.file_size,
};

const intake: IntakeResult = {
  accepted: 2,
  duplicates: 0,
  waiting: 1,
  rejected: [],
  warnings: [
    {
      index: 1,
      event_id: warehouseEventExamples.weighing.event_id,
      field: 'express_no',
      rule: 'no_forecast',
      message: 'No forecast for this warehouse declares "SF 1234-5678-9012"; the event waits for one',
    },
  ],
};

// Without photos, which only the warehouse that uploaded them can name: so the reference can send these as they are.
const { photo_ids: _photos, ...weighed } = weighing;

/** Route id → example, of the routes of warehouses. */
export const warehouseRouteExamples: Readonly<Record<string, RouteExample>> = {
  listWarehouses: { requests: {}, data: { warehouses: [{ code: warehouseCode, name: 'Shenzhen demo warehouse' }] } },
  getOwnWarehouse: { requests: {}, data: { code: warehouseCode, name: 'Shenzhen demo warehouse' } },
  uploadPhoto: { requests: {}, data: uploaded },
  reportEvents: { requests: { oneEvent: weighed, severalEvents: { events: [arrival, weighed] } }, data: intake },
  getEventOutcome: { requests: {}, data: outcome },
  listUnclaimed: { requests: {}, data: { parcels: [waiting], next_cursor: null } },
  claimUnclaimed: { requests: { aParcel: { forecast_no: forecastNo } }, needs, data: resolved },
  dismissUnclaimed: {
    requests: { aParcel: { reason: 'Returned to the sender' } },
    needs,
    data: { ...resolved, action: 'dismiss', forecast_no: null, reason: 'Returned to the sender' },
  },
  listWarehouseForecasts: { requests: {}, data: list },
  getWarehouseForecast: { requests: {}, data: detail },
  lookUpScan: { requests: {}, data: lookup },
};

/** Parameter of these routes → example. */
export const warehouseParameterExamples: Readonly<Record<string, string>> = {
  id: arrival.event_id,
  event_id: weighing.event_id,
  forecast_no: forecastNo,
  scan: exampleParcel.expressNo,
};
