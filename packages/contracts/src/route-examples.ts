import { activityParameterExamples, activityRouteExamples } from './activity-route-examples.ts';
import { carrierParameterExamples, carrierRouteExamples } from './carrier-route-examples.ts';
import type { ConsoleLink, ConsoleLinkCreation, ConsoleSession } from './console-api.ts';
import { EXAMPLE_BASE_URL, exampleParcel, examplePhoto } from './example-parcel.ts';
import type { UploadedPhoto } from './file-api.ts';
import { forecastBatchExamples } from './forecast-batch-examples.ts';
import { forecastRouteExamples } from './forecast-route-examples.ts';
import { importParameterExamples, importRouteExamples } from './import-route-examples.ts';
import { keyParameterExamples, keyRouteExamples } from './key-route-examples.ts';
import { ownFileParameterExamples, ownFileRouteExamples } from './own-files-route-examples.ts';
import type { RouteExample } from './route-example.ts';
import type { Simulation, SimulationResult } from './sandbox-api.ts';
import { unclaimedParameterExamples, unclaimedRouteExamples } from './unclaimed-route-examples.ts';
import type { IntakeResult } from './warehouse-api.ts';
import { warehouseEventExamples } from './warehouse-event-examples.ts';
import { warehouseViewExamples, warehouseViewParameterExamples } from './warehouse-view-examples.ts';
import { webhookParameterExamples, webhookRouteExamples } from './webhook-route-examples.ts';

const token = 'pfs_s1.0wZf2kQx.q3Yc1vN0sT8hL4mRdCfGjPzA1eU5uNiXo7bKwQ2tVyHn6MpSgJlEaDr';
const session: ConsoleSession = { token, key_id: 'key_0193a5b3e1f07a1b8c2d9e3f4a5b6c7d', expires_at: '2025-11-24T16:03:00.000+00:00' };
const reader: ConsoleLinkCreation = {};
const operations: ConsoleLinkCreation = {
  scopes: ['forecasts:write', 'files:write', 'weighing:read', 'tracking:read'],
  expires_in_seconds: 900,
};
const link: ConsoleLink = {
  url: `${EXAMPLE_BASE_URL}/console#link=${token}`,
  key_id: 'key_0193a5b3e1f07a1b8c2d9e3f4a5b6c7d',
  scopes: ['weighing:read', 'tracking:read'],
  expires_at: '2025-11-24T09:03:00.000+00:00',
  warnings: [],
};

/** Route id → example, of the routes of the console. */
const consoleRouteExamples: Readonly<Record<string, RouteExample>> = {
  createConsoleSession: { requests: {}, data: session },
  createConsoleLink: { requests: { reader, operations }, data: link },
};

const { poNumber, forecastNo, warehouseCode } = exampleParcel;

const photo: UploadedPhoto = {
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
  warnings: [],
};

const { arrival, weighing } = warehouseEventExamples;
// Without photos, which only the warehouse that uploaded them can name: so the reference can send these as they are.
const { photo_ids: _photos, ...weighed } = weighing;

/** Route id → example. Complete over the routes; a test holds each against the schemas. */
export const routeExamples: Readonly<Record<string, RouteExample>> = {
  ...forecastRouteExamples,
  ...forecastBatchExamples,
  ...ownFileRouteExamples,
  ...importRouteExamples,
  ...carrierRouteExamples,
  listWarehouses: { requests: {}, data: { warehouses: [{ code: warehouseCode, name: 'Shenzhen demo warehouse' }] } },
  getOwnWarehouse: { requests: {}, data: { code: warehouseCode, name: 'Shenzhen demo warehouse' } },
  uploadPhoto: { requests: {}, data: photo },
  reportEvents: { requests: { oneEvent: weighed, severalEvents: { events: [arrival, weighed] } }, data: intake },
  ...unclaimedRouteExamples,
  ...warehouseViewExamples,
  ...keyRouteExamples,
  ...activityRouteExamples,
  ...consoleRouteExamples,
  ...webhookRouteExamples,
  simulate: { requests: { weighing: simulatedWeighing, dispatch: simulatedDispatch, trackingNode: simulatedNode }, data: simulated },
};

/** Parameter of a path or query → example. */
export const parameterExamples: Readonly<Record<string, string | number>> = {
  po_number: poNumber,
  ...ownFileParameterExamples,
  ...carrierParameterExamples,
  ...importParameterExamples,
  ...unclaimedParameterExamples,
  ...warehouseViewParameterExamples,
  ...keyParameterExamples,
  ...activityParameterExamples,
  ...webhookParameterExamples,
  created_from: '2025-11-21T00:00:00+08:00',
  created_to: '2025-11-22T00:00:00+08:00',
  updated_from: '2025-11-21T00:00:00+08:00',
  updated_to: '2025-11-22T00:00:00+08:00',
  q: poNumber.slice(0, 4),
  limit: 50,
};
