import { EXAMPLE_BASE_URL, exampleParcel, examplePhoto } from './example-parcel.ts';
import type { RouteExample } from './route-example.ts';
import type { WarehouseForecastChange } from './warehouse-change.ts';
import { warehouseEventExamples } from './warehouse-event-examples.ts';
import type { WarehouseForecast, WarehouseForecastDetail, WarehouseForecastList, WarehouseLookup } from './warehouse-view-api.ts';

const { weighing, photo } = warehouseEventExamples;
const { id, image_url, file_size, upload_time } = examplePhoto;
const shownPhoto = { id, image_url, file_size, upload_time };

const forecast: WarehouseForecast = {
  forecast_no: exampleParcel.forecastNo,
  tenant_id: exampleParcel.tenantId,
  po_number: exampleParcel.poNumber,
  forecast_type: 2,
  warehouse_code: exampleParcel.warehouseCode,
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

/** Route id → example, of the warehouse's view. */
export const warehouseViewExamples: Readonly<Record<string, RouteExample>> = {
  listWarehouseForecasts: { requests: {}, data: list },
  getWarehouseForecast: { requests: {}, data: detail },
  lookUpScan: { requests: {}, data: lookup },
};

/** Parameter of these routes → example. */
export const warehouseViewParameterExamples: Readonly<Record<string, string>> = {
  forecast_no: exampleParcel.forecastNo,
  scan: exampleParcel.expressNo,
};
