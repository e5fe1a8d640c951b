import { exampleParcel, examplePhoto, warehouseEventExamples, webhookExamples } from './examples.ts';
import type { UploadedFile, UploadedPhoto } from './file-api.ts';
import type {
  ForecastAcceptance,
  ForecastCancellation,
  ForecastDetail,
  ForecastItem,
  ForecastSubmission,
  ForecastSummary,
  WeighingData,
} from './forecast-api.ts';
import type { Simulation, SimulationResult } from './sandbox-api.ts';
import type { TrackingResult } from './tracking-api.ts';
import type { IntakeResult } from './warehouse-api.ts';
import type { Delivery, DeliveryAttempt, EndpointChange, EndpointCreation, ReplayRequest, WebhookEndpoint } from './webhook-api.ts';

/** Example of one route, for the API reference. */
export interface RouteExample {
  /** Bodies by a short name; empty when the route takes none, or an upload. */
  readonly requests: Readonly<Record<string, unknown>>;
  /** `data` of the answer; undefined when that is a file. */
  readonly data?: unknown;
}

const { poNumber, forecastNo, warehouseCode } = exampleParcel;
const labelUrl = 'https://api.example.com/files/Qm3vT8sLx0yWnB5kRz1dHg-a7Xk2pVcJ9eUoF4tN6iMwQ.pdf';
const noteUrl = 'https://api.example.com/files/h2KpW7rZc4tYbN9mLx5sVg-D1oUe8iQfG3aJkT6vR0nXw.pdf';

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
};

const submission: ForecastSubmission = {
  po_number: poNumber,
  forecast_type: 2,
  warehouse_code: warehouseCode,
  due_date: '2026-11-24',
  shipping_label: labelUrl,
  shipping_note: noteUrl,
  items: [{ ...item, tracking_number: exampleParcel.expressNo }],
};

const acceptance: ForecastAcceptance = {
  forecast_no: forecastNo,
  po_number: poNumber,
  item_count: 1,
  status: 'ACCEPTED',
  create_time: '2026-11-21T08:00:00.120+00:00',
  warnings: [],
};

const summary: ForecastSummary = {
  forecast_no: forecastNo,
  po_number: poNumber,
  forecast_type: 2,
  warehouse_code: warehouseCode,
  due_date: '2026-11-24',
  item_count: 1,
  status: 3,
  status_name: 'WEIGHED',
  create_time: acceptance.create_time,
  update_time: '2026-11-24T01:15:03.000+00:00',
};

const detail: ForecastDetail = {
  ...summary,
  shipping_label: labelUrl,
  shipping_note: noteUrl,
  items: [item],
  carrier_code: null,
  tracking_number: null,
  history: [
    { status: 1, status_name: 'ACCEPTED', time: acceptance.create_time, reason: 'submitted' },
    { status: 2, status_name: 'ARRIVED', time: '2026-11-24T00:52:11.000+00:00', reason: 'warehouse.arrived' },
    { status: 3, status_name: 'WEIGHED', time: '2026-11-24T01:15:03.000+00:00', reason: 'warehouse.weighed' },
  ],
  measurements: [{ length_cm: 32.5, width_cm: 24, height_cm: 11.2, weight_kg: 2.415, weighed_at: '2026-11-24T09:15:02+08:00' }],
};

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
};

const node = { order_no: exampleParcel.carrierNumber, times: '(GMT+08:00)' };
const tracking: TrackingResult = {
  po_number: poNumber,
  is_shipped: true,
  is_terminal: false,
  latest_status: 'In Transit',
  nodes: [
    {
      ...node,
      address: 'Hong Kong',
      content: 'Departed from the sorting centre',
      status: 'DEPARTED',
      create_time: '2026-11-26 12:05:00',
      admin_status: 'In Transit',
    },
    {
      ...node,
      address: 'Shenzhen',
      content: 'Picked up by the carrier',
      status: 'PICKED_UP',
      create_time: '2026-11-25 19:40:00',
      admin_status: 'Picked Up',
    },
  ],
};

const cancellation: ForecastCancellation = {
  forecast_no: forecastNo,
  po_number: poNumber,
  status: 'CANCELLED',
  cancel_time: '2026-11-21T09:30:00.000+00:00',
};

const file: UploadedFile = {
  url: labelUrl,
  attachment_id: 20871,
  origin_name: 'label-PO-2026-1121-001.pdf',
  size_byte: 1572864,
  size_info: '1.50 MB',
  deduplicated: false,
};

const photo: UploadedPhoto = {
  photo_id: 'ph_eyJpZCI6NTEyMH0.f3Hs9aUeD7oKxQ2iT6wMzA',
  image_url: examplePhoto.image_url,
  media_type: 'image/jpeg',
  size_byte: examplePhoto.file_size,
};

const intake: IntakeResult = {
  accepted: 2,
  duplicates: 0,
  rejected: [],
};

const endpoint: WebhookEndpoint = {
  endpoint_id: 'ep_0193a5b3e1f07a1b8c2d9e3f4a5b6c7d',
  url: 'https://shop.example.com/hooks/parcels',
  event_types: ['parcel.weighed', 'tracking.changed'],
  description: 'Shop back end',
  filter: {},
  headers: { Authorization: '***' },
  metadata: { team: 'logistics' },
  rate_limit: null,
  status: 'enabled',
  disabled_reason: null,
  pause_end_time: null,
  health: { state: 'ok', failing_since: null, next_probe_time: null, disable_time: null },
  create_time: '2026-11-21T08:03:00.000+00:00',
  update_time: '2026-11-21T08:03:00.000+00:00',
};
const withSecret = { ...endpoint, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' };

const delivery: Delivery = {
  delivery_id: 'dlv_019ab37d4e507a1b8c2d9e3f4a5b6c7d',
  endpoint_id: endpoint.endpoint_id,
  event_id: 'evt_019ab37d4cd87a1b8c2d9e3f4a5b6c7d',
  event_type: 'parcel.weighed',
  po_number: poNumber,
  status: 'pending',
  attempt_count: 1,
  next_attempt_time: '2026-11-24T01:15:08.400+00:00',
  next_attempt_reason: 'schedule',
  test: false,
  last_status_code: 503,
  create_time: '2026-11-24T01:15:03.100+00:00',
};

const attempt: DeliveryAttempt = {
  attempt_id: 'att_019ab37d4eb47a1b8c2d9e3f4a5b6c7d',
  attempt_number: 1,
  url: endpoint.url,
  start_time: '2026-11-24T01:15:03.200+00:00',
  duration_ms: 148,
  outcome: 'failed',
  status_code: 503,
  error: null,
  retry_after: null,
  response_body: 'upstream connect error',
};

const creation: EndpointCreation = {
  url: endpoint.url,
  event_types: ['parcel.weighed', 'tracking.changed'],
  description: endpoint.description,
  headers: { Authorization: 'Bearer 4f1c9a' },
  metadata: { team: 'logistics' },
};
const onlyTheEnd: EndpointCreation = {
  url: endpoint.url,
  event_types: ['tracking.changed'],
  filter: { is_terminal: true },
  rate_limit: 20,
};
const pause: EndpointChange = { status: 'paused' };
const subscription: EndpointChange = { event_types: ['tracking.changed'] };
const replay: ReplayRequest = { since: '2026-11-24T00:00:00+08:00', until: '2026-11-25T00:00:00+08:00', only: 'undelivered' };

const simulatedWeighing: Simulation = {
  po_number: poNumber,
  step: 'weigh',
  length_cm: 32.5,
  width_cm: 24,
  height_cm: 11.2,
  weight_kg: 2.415,
  photos: 2,
};
const simulatedDispatch: Simulation = { po_number: poNumber, step: 'dispatch' };
const simulatedNode: Simulation = { po_number: poNumber, step: 'track', admin_status: 'In Delivery', content: 'Out for delivery' };
const simulated: SimulationResult = {
  po_number: poNumber,
  forecast_no: forecastNo,
  step: 'weigh',
  event_ids: ['we_0193a5c0f2b07a1b8c2d9e3f4a5b6c7d'],
};

const { arrival, weighing: weighed } = warehouseEventExamples;

/** Route id → example. Complete over the routes; a test holds each against the schemas. */
export const routeExamples: Readonly<Record<string, RouteExample>> = {
  submitForecast: { requests: { directMail: submission, replenishment: replenishment() }, data: acceptance },
  listForecasts: { requests: {}, data: { forecasts: [summary], next_cursor: null } },
  queryWeighing: { requests: {}, data: weighing },
  queryTracking: { requests: {}, data: tracking },
  getForecast: { requests: {}, data: detail },
  cancelForecast: { requests: {}, data: cancellation },
  uploadPdf: { requests: {}, data: file },
  openFile: { requests: {} },
  openPhoto: { requests: {} },
  listWarehouses: { requests: {}, data: { warehouses: [{ code: warehouseCode, name: 'Shenzhen demo warehouse' }] } },
  uploadPhoto: { requests: {}, data: photo },
  reportEvents: { requests: { oneEvent: weighed, severalEvents: { events: [arrival, weighed] } }, data: intake },
  createEndpoint: { requests: { endpoint: creation, onlyTheEnd }, data: { ...withSecret, warnings: [] } },
  listEndpoints: { requests: {}, data: { endpoints: [endpoint] } },
  getEndpoint: { requests: {}, data: endpoint },
  updateEndpoint: {
    requests: { pause, subscription },
    data: {
      ...endpoint,
      status: 'paused',
      pause_end_time: '2026-11-29T07:00:00.000+00:00',
      update_time: '2026-11-22T07:00:00.000+00:00',
      warnings: [],
    },
  },
  deleteEndpoint: { requests: {}, data: { endpoint_id: endpoint.endpoint_id, deleted: true } },
  rotateSecret: { requests: {}, data: withSecret },
  sendTestEvent: {
    requests: { plain: {}, weighing: { event_type: 'parcel.weighed' } },
    data: {
      ...delivery,
      event_type: 'endpoint.test',
      po_number: null,
      attempt_count: 0,
      next_attempt_reason: 'first',
      test: true,
      last_status_code: null,
    },
  },
  listDeliveries: { requests: {}, data: { deliveries: [delivery], next_cursor: null } },
  getDelivery: { requests: {}, data: { ...delivery, body: JSON.stringify(webhookExamples['parcel.weighed']) } },
  listAttempts: { requests: {}, data: { attempts: [attempt] } },
  resendDelivery: { requests: {}, data: delivery },
  replayDeliveries: { requests: { oneDay: replay }, data: { scheduled: 12 } },
  listEvents: {
    requests: {},
    data: {
      events: [webhookExamples['parcel.weighed'], webhookExamples['tracking.changed']],
      next_cursor: 'ZTE3OTU2NjYyMDAwMDAuNDI',
      has_more: false,
    },
  },
  listen: {
    requests: {},
    data: {
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      messages: [
        {
          event_id: delivery.event_id,
          event_type: 'parcel.weighed',
          headers: {
            'content-type': 'application/json',
            'webhook-id': delivery.event_id,
            'webhook-timestamp': '1795482903',
            'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
          },
          body: JSON.stringify(webhookExamples['parcel.weighed']),
        },
      ],
      next_cursor: 'ZTE3OTU2NjYyMDAwMDAuNDI',
    },
  },
  simulate: { requests: { weighing: simulatedWeighing, dispatch: simulatedDispatch, trackingNode: simulatedNode }, data: simulated },
};

function replenishment(): ForecastSubmission {
  const { tracking_number: _none, ...goods } = item;
  return { po_number: 'PO-2026-1121-002', forecast_type: 1, warehouse_code: warehouseCode, items: [goods] };
}

/** Parameter of a path or query → example. */
export const parameterExamples: Readonly<Record<string, string | number>> = {
  po_number: poNumber,
  endpoint_id: endpoint.endpoint_id,
  delivery_id: delivery.delivery_id,
  created_from: '2026-11-21T00:00:00+08:00',
  created_to: '2026-11-22T00:00:00+08:00',
  limit: 50,
};
