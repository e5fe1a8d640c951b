import { adminStatuses } from '@parcelway/contracts/admin-status';
import type { Environment } from '@parcelway/contracts/environment';
import { StoredTrackingQuery, type StoredTrackings } from '@parcelway/contracts/forecast-query-api';
import { PoNumberQuery } from '@parcelway/contracts/po-number';
import { Simulation } from '@parcelway/contracts/sandbox-api';
import { oneOf } from '@parcelway/contracts/text';
import { compileValidator } from '@parcelway/contracts/validator';
import { assertSystem, tenantOf } from '@parcelway/http/app';
import { traceparentOf } from '@parcelway/http/follow-request';
import { jsonBody } from '@parcelway/http/json-body';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import { sendFallback } from '@parcelway/http/route-fallback';
import { AppError } from '@parcelway/kernel/app-error';
import type { Router } from 'express';
import Type from 'typebox';
import { nodeResponse, type QueryOptions, queryTracking, storedTracking, storedTrackings } from '../query-tracking.ts';
import { type SimulateOptions, simulateTracking } from '../simulate-node.ts';

export interface TrackingRoutesOptions {
  readonly environment: Environment;
  readonly query: QueryOptions;
  readonly simulate: SimulateOptions;
}

const queryValidator = compileValidator(PoNumberQuery);

const storedQueryValidator = compileValidator(
  Type.Object({ tenant_id: Type.String({ minLength: 1, maxLength: 64 }), forecast_no: Type.String({ minLength: 1, maxLength: 64 }) }),
);

const manyQueryValidator = compileValidator(StoredTrackingQuery);

const { content, address, create_time, times, tracking_number } = Simulation.properties;
const simulatedNodeValidator = compileValidator(
  Type.Object({
    tenant_id: Type.String({ minLength: 1, maxLength: 64 }),
    forecast_no: Type.String({ minLength: 1, maxLength: 64 }),
    tracking_number,
    admin_status: oneOf(adminStatuses, 'Status of the new node'),
    content,
    address,
    create_time,
    times,
  }),
);

/** The tracking query, and the internal routes: what is stored of a parcel, and the nodes of the simulated carrier. */
export function trackingRoutes(router: Router, { environment, query, simulate }: TrackingRoutesOptions): void {
  router.get('/open/v1/forecasts/tracking', async (req, res) => {
    const { po_number: poNumber } = parseQuery(req, queryValidator);
    const tracking = await queryTracking(query, tenantOf(req), poNumber, traceparentOf(req));
    if (tracking === undefined) sendFallback(res);
    else sendOk(res, tracking);
  });
  router.get('/internal/v1/tracking', async (req, res) => {
    assertSystem(req);
    const { tenant_id, forecast_no } = parseQuery(req, storedQueryValidator);
    sendOk(res, await storedTracking(query, tenant_id, forecast_no));
  });
  router.post('/internal/v1/tracking/query', jsonBody(), async (req, res) => {
    assertSystem(req);
    const { tenant_id, forecast_nos } = manyQueryValidator.parse(req.body);
    const found = await storedTrackings(query, tenant_id, forecast_nos);
    const trackings = [...found].map(([forecast_no, tracking]) => ({ forecast_no, tracking }));
    sendOk(res, { trackings } satisfies StoredTrackings);
  });
  router.post('/internal/v1/simulated-nodes', jsonBody(), async (req, res) => {
    assertSystem(req);
    if (environment !== 'sandbox') throw new AppError('40402');
    const body = simulatedNodeValidator.parse(req.body);
    const wish = {
      adminStatus: body.admin_status,
      content: body.content,
      address: body.address,
      createTime: body.create_time,
      times: body.times,
    };
    const parcel = { tenantId: body.tenant_id, forecastNo: body.forecast_no, trackingNumber: body.tracking_number };
    sendOk(res, nodeResponse(await simulateTracking(simulate, parcel, wish)));
  });
}
