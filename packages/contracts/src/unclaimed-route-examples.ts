import { exampleParcel } from './example-parcel.ts';
import type { RouteExample } from './route-example.ts';
import type { EventOutcome, ResolutionResult, WaitingEvent } from './unclaimed-api.ts';
import { warehouseEventExamples } from './warehouse-event-examples.ts';

const { forecastNo } = exampleParcel;
const { arrival, weighing } = warehouseEventExamples;

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

/** Route id → example, of the routes of unclaimed parcels. */
export const unclaimedRouteExamples: Readonly<Record<string, RouteExample>> = {
  getEventOutcome: { requests: {}, data: outcome },
  listUnclaimed: { requests: {}, data: { parcels: [waiting], next_cursor: null } },
  claimUnclaimed: { requests: { aParcel: { forecast_no: forecastNo } }, needs, data: resolved },
  dismissUnclaimed: {
    requests: { aParcel: { reason: 'Returned to the sender' } },
    needs,
    data: { ...resolved, action: 'dismiss', forecast_no: null, reason: 'Returned to the sender' },
  },
};

/** Parameter of a path → example. */
export const unclaimedParameterExamples: Readonly<Record<string, string>> = { id: arrival.event_id, event_id: weighing.event_id };
