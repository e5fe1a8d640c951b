import { accountParameterExamples, accountRouteExamples } from './account-route-examples.ts';
import { carrierParameterExamples, carrierRouteExamples } from './carrier-route-examples.ts';
import { exampleParcel } from './example-parcel.ts';
import { forecastBatchExamples } from './forecast-batch-examples.ts';
import { forecastRouteExamples } from './forecast-route-examples.ts';
import { importParameterExamples, importRouteExamples } from './import-route-examples.ts';
import { ownFileParameterExamples, ownFileRouteExamples } from './own-files-route-examples.ts';
import type { RouteExample } from './route-example.ts';
import type { Simulation, SimulationResult } from './sandbox-api.ts';
import { warehouseParameterExamples, warehouseRouteExamples } from './warehouse-route-examples.ts';
import { webhookParameterExamples, webhookRouteExamples } from './webhook-route-examples.ts';

const { poNumber, forecastNo } = exampleParcel;

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

/** Route id → example. Complete over the routes; a test holds each against the schemas. */
export const routeExamples: Readonly<Record<string, RouteExample>> = {
  ...forecastRouteExamples,
  ...forecastBatchExamples,
  ...ownFileRouteExamples,
  ...importRouteExamples,
  ...carrierRouteExamples,
  ...warehouseRouteExamples,
  ...accountRouteExamples,
  ...webhookRouteExamples,
  simulate: { requests: { weighing: simulatedWeighing, dispatch: simulatedDispatch, trackingNode: simulatedNode }, data: simulated },
};

/** Parameter of a path or query → example. */
export const parameterExamples: Readonly<Record<string, string | number>> = {
  po_number: poNumber,
  ...ownFileParameterExamples,
  ...carrierParameterExamples,
  ...importParameterExamples,
  ...warehouseParameterExamples,
  ...accountParameterExamples,
  ...webhookParameterExamples,
  created_from: '2025-11-21T00:00:00+08:00',
  created_to: '2025-11-22T00:00:00+08:00',
  updated_from: '2025-11-21T00:00:00+08:00',
  updated_to: '2025-11-22T00:00:00+08:00',
  q: poNumber.slice(0, 4),
  limit: 50,
};
