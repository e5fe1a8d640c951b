import { EXAMPLE_BASE_URL, exampleParcel, examplePhoto } from './example-parcel.ts';
import type { UploadedFile } from './file-api.ts';
import type { ForecastCancellation, ForecastDetail, ForecastSummary } from './forecast-api.ts';
import type { CorrectedForecast, ForecastCorrection } from './forecast-correction-api.ts';
import type { ForecastCount } from './forecast-counts-api.ts';
import { type ForecastStatusName, forecastStatuses } from './forecast-status.ts';
import type { ForecastAcceptance, ForecastItem, ForecastSubmission } from './forecast-submission-api.ts';
import type { RouteExample } from './route-example.ts';
import type { TrackingResult } from './tracking-api.ts';
import type { WeighingData } from './weighing-api.ts';

const { poNumber, forecastNo, warehouseCode } = exampleParcel;
const labelUrl = `${EXAMPLE_BASE_URL}/files/Qm3vT8sLx0yWnB5kRz1dHg-a7Xk2pVcJ9eUoF4tN6iMwQ.pdf`;
const noteUrl = `${EXAMPLE_BASE_URL}/files/h2KpW7rZc4tYbN9mLx5sVg-D1oUe8iQfG3aJkT6vR0nXw.pdf`;

const item: ForecastItem = {
  sku_code: 'MUG-BLUE-350',
  barcode: '6901234567892',
  product_name_en: 'Ceramic mug, blue, 350 ml',
  product_name_cn: '蓝色陶瓷杯 350 毫升',
  product_image: 'https://cdn.example.com/mug-blue-350.jpg',
  forecast_quantity: 24,
  forecast_price: 3.5,
  hs_code: '6912001000',
  tracking_number: exampleParcel.trackingNumber,
  declared_weight_kg: 0.1,
};

const submission: ForecastSubmission = {
  po_number: poNumber,
  forecast_type: 2,
  warehouse_code: warehouseCode,
  due_date: '2025-11-24',
  shipping_label: labelUrl,
  shipping_note: noteUrl,
  items: [{ ...item, tracking_number: exampleParcel.expressNo }],
};

const acceptance: ForecastAcceptance = {
  forecast_no: forecastNo,
  po_number: poNumber,
  item_count: 1,
  status: 'ACCEPTED',
  create_time: '2025-11-21T08:00:00.120+00:00',
  warnings: [],
};

const summary: ForecastSummary = {
  forecast_no: forecastNo,
  po_number: poNumber,
  forecast_type: 2,
  warehouse_code: warehouseCode,
  due_date: '2025-11-24',
  item_count: 1,
  version: 2,
  status: 3,
  status_name: 'WEIGHED',
  has_exception: true,
  on_hold: false,
  create_time: acceptance.create_time,
  update_time: '2025-11-24T01:15:03.000+00:00',
};

const { image_path: _path, ...reportPhoto } = examplePhoto;
const condition = {
  on_hold: false,
  holds: [{ reason: 'Waits for the merchant', held_at: '2025-11-24T09:21:00+08:00', released_at: '2025-11-24T09:50:00+08:00' }],
  exceptions: [
    {
      reason: 'damaged',
      text: 'One corner of the carton is crushed',
      occurred_at: '2025-11-24T09:20:00+08:00',
      photos: [reportPhoto],
    },
  ],
};

const detail: ForecastDetail = {
  ...summary,
  shipping_label: labelUrl,
  shipping_note: noteUrl,
  marketplace_label: `${EXAMPLE_BASE_URL}/files/4Kd0sQe7UuYx2bWmZr9LTA-1hVqJc8eNfPz6GtRkXoS3w.pdf`,
  marketplace_label_version: 2,
  packing_slip: `${EXAMPLE_BASE_URL}/files/Zr9LTA4Kd0sQe7UuYx2bWm-fPz6GtRkXoS3w1hVqJc8eN.pdf`,
  carton_count: 1,
  items: [item],
  carrier_code: null,
  tracking_number: null,
  history: [
    { status: 1, status_name: 'ACCEPTED', time: acceptance.create_time, reason: 'submitted', key_id: exampleParcel.keyId },
    { status: 2, status_name: 'ARRIVED', time: '2025-11-24T00:52:11.000+00:00', reason: 'warehouse.arrived', key_id: null },
    { status: 3, status_name: 'WEIGHED', time: '2025-11-24T01:15:03.000+00:00', reason: 'warehouse.weighed', key_id: null },
  ],
  measurements: [
    {
      length_cm: 32.5,
      width_cm: 24,
      height_cm: 11.2,
      weight_kg: 2.415,
      weighed_at: '2025-11-24T09:15:02+08:00',
      photos: [reportPhoto],
      reported_by: { warehouse_code: warehouseCode, event_id: 'sz01-20251124-000902', express_no: exampleParcel.expressNo },
    },
  ],
  ...condition,
  received_items: [{ sku_code: item.sku_code, forecast_quantity: 24, received_quantity: 23, difference: -1 }],
  declared: { weight_kg: 2.4, volume_cm3: null },
  measured: { weight_kg: 2.415, volume_cm3: 8736 },
  difference: { weight_kg: 0.015, volume_cm3: null },
  volumetric_weight_kg: 1.747,
  chargeable_weight_kg: 2.415,
  volume_divisor: 5000,
  corrections: [
    {
      version: 2,
      time: '2025-11-21T09:05:00.000+00:00',
      key_id: exampleParcel.keyId,
      changes: [{ field: 'due_date', from: '2025-11-25', to: '2025-11-24' }],
      has_more_changes: false,
    },
  ],
};

const corrected: CorrectedForecast = {
  ...detail,
  status: 1,
  status_name: 'ACCEPTED',
  update_time: '2025-11-21T09:05:00.000+00:00',
  history: detail.history.slice(0, 1),
  measurements: [],
  has_exception: false,
  holds: [],
  exceptions: [],
  marketplace_label_version: 1,
  warnings: [],
};

const correction: ForecastCorrection = { due_date: '2025-11-24', items: [{ ...item, tracking_number: exampleParcel.expressNo }] };

const weighing: WeighingData = {
  po_number: poNumber,
  status: 3,
  length_cm: 32.5,
  width_cm: 24,
  height_cm: 11.2,
  weight_kg: 2.415,
  weighing_images: [{ ...examplePhoto, express_no: exampleParcel.expressNo }],
  forecast_images: [
    {
      id: examplePhoto.id,
      forecast_id: exampleParcel.forecastId,
      image_type: 'package',
      image_url: examplePhoto.image_url,
      image_order: 1,
      upload_source: 'warehouse',
    },
  ],
  ...condition,
};

const node = { order_no: exampleParcel.carrierNumber, times: '(GMT+08:00)' };
const trackingNodes: TrackingResult['nodes'] = [
  {
    ...node,
    address: 'Hong Kong',
    content: 'Departed from the sorting centre',
    status: 'DEPARTED',
    create_time: '2025-11-26 12:05:00',
    admin_status: 'In Transit',
  },
  {
    ...node,
    address: 'Shenzhen',
    content: 'Picked up by the carrier',
    status: 'PICKED_UP',
    create_time: '2025-11-25 19:40:00',
    admin_status: 'Picked Up',
  },
];
const trackingSummary = { is_terminal: false, latest_status: 'In Transit', nodes: trackingNodes };
const tracking: TrackingResult = {
  po_number: poNumber,
  is_shipped: true,
  ...trackingSummary,
  shipments: [
    {
      carrier_code: exampleParcel.carrierCode,
      tracking_number: exampleParcel.carrierNumber,
      dispatched_at: '2025-11-25T11:30:00.000+00:00',
      ...trackingSummary,
    },
  ],
};

const cancellation: ForecastCancellation = {
  forecast_no: forecastNo,
  po_number: poNumber,
  status: 'CANCELLED',
  cancel_time: '2025-11-21T09:30:00.000+00:00',
};

const file: UploadedFile = {
  url: labelUrl,
  url_expire_time: null,
  attachment_id: 20871,
  origin_name: 'label-PO-2025-1121-001.pdf',
  size_byte: 1572864,
  size_info: '1.50 MB',
  deduplicated: false,
  warnings: [],
  barcodes: [{ page: 1, format: 'Code128', text: 'SF123456789012' }],
};

function replenishment(): ForecastSubmission {
  const { tracking_number: _none, ...goods } = item;
  return { po_number: poNumber, forecast_type: 1, warehouse_code: warehouseCode, items: [goods] };
}

/** Route id → example, for forecasts with their files and tracking. */
const counts: ForecastCount[] = (Object.keys(forecastStatuses) as ForecastStatusName[]).map((status_name) => ({
  status_name,
  count: status_name === 'SHIPPED' ? 10_000 : 12,
  has_more: status_name === 'SHIPPED',
}));

export const forecastRouteExamples: Readonly<Record<string, RouteExample>> = {
  submitForecast: {
    requests: { replenishment: replenishment(), directMail: submission },
    needs: { directMail: 'Upload a label and a packing list before, and put their URLs in' },
    data: acceptance,
  },
  listForecasts: { requests: {}, data: { forecasts: [summary], next_cursor: null } },
  countForecasts: { requests: {}, data: { statuses: counts } },
  exportForecasts: { requests: {} },
  queryWeighing: { requests: {}, data: weighing },
  queryTracking: { requests: {}, data: tracking },
  getForecast: { requests: {}, data: detail },
  correctForecast: { requests: { correction }, data: corrected },
  cancelForecast: { requests: {}, data: cancellation },
  uploadPdf: { requests: {}, data: file },
  openFile: { requests: {} },
  openPhoto: { requests: {} },
};
