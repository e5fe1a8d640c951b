import { compileValidator } from '@parcelway/contracts/validator';
import { type UnclaimedParcel as ParcelView, UnclaimedQuery } from '@parcelway/contracts/warehouse-api';
import { assertSystem, warehouseOf, warehouseOnly } from '@parcelway/http/app';
import { traceparentOf } from '@parcelway/http/follow-request';
import { jsonBody } from '@parcelway/http/json-body';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Router } from 'express';
import type { Intake, UnclaimedParcel } from '../intake-store.ts';
import { eventsIn, type ReportOptions, reportEvents } from '../report-events.ts';

const DEFAULT_LIMIT = 100;
const unclaimedQuery = compileValidator(UnclaimedQuery);

const body = jsonBody();

function parcelView({ event, type, reason, receivedAt }: UnclaimedParcel): ParcelView {
  return {
    event_id: event.eventId,
    warehouse_code: event.warehouseCode,
    type,
    express_no: event.expressNo,
    forecast_no: event.forecastNo,
    reason,
    occurred_at: event.occurredAt,
    received_at: isoInstant(receivedAt),
  };
}

/** The routes of the service: the warehouses' intake, and for the platform itself the list of unclaimed parcels. */
export function intakeRoutes(options: ReportOptions & { readonly parcels: Pick<Intake, 'unclaimed'> }): (router: Router) => void {
  return (router) => {
    router.post('/warehouse/v1/events', warehouseOnly, body, async (req, res) => {
      const warehouseCode = warehouseOf(req);
      const traceparent = traceparentOf(req);
      const result = await reportEvents(options, warehouseCode, eventsIn(req.body), traceparent);
      sendOk(res, result, { status: 202 });
    });
    router.get('/internal/v1/unclaimed', async (req, res) => {
      assertSystem(req);
      const { limit, reason } = parseQuery(req, unclaimedQuery);
      const parcels = await options.parcels.unclaimed(limit === undefined ? DEFAULT_LIMIT : Number(limit), reason);
      sendOk(res, { parcels: parcels.map(parcelView) });
    });
  };
}
