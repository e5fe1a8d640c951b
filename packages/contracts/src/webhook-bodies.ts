import Type, { type Static } from 'typebox';
import { environments } from './environment.ts';
import { ForecastDetail } from './forecast-api.ts';
import { forecastStatusMeanings } from './forecast-status.ts';
import { object } from './object.ts';
import { exceptionReasons, imageTypes } from './parcel-reports.ts';
import { instant, nullable, oneOf } from './text.ts';
import { TrackingResult } from './tracking-api.ts';
import { disabledReasons } from './webhook-endpoint-api.ts';
import { DISABLED_EVENT_TYPE, type OptInEventType, TEST_EVENT_TYPE } from './webhook-event-types.ts';
import { WeighingData } from './weighing-api.ts';

const thin = {
  event_id: Type.String(),
  event_seq: Type.Integer({
    description:
      'Increases by one with each event of a forecast, from 1; event types that an endpoint receives only if it names them have a separate sequence',
  }),
  environment: oneOf(environments, 'Environment'),
  forecast_no: Type.String(),
  po_number: Type.String(),
};
const optInThin = {
  ...thin,
  event_seq: Type.Integer({
    description: 'Increases by one with each event of a forecast, from 1; parcel.weighed and tracking.changed have a sequence of their own',
  }),
};
const status = Type.Integer({ description: `Status of the forecast: ${forecastStatusMeanings}` });

const full_omitted = Type.Optional(
  Type.String({
    description:
      'Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added',
  }),
);
const withForecast = { forecast: Type.Optional(ForecastDetail), full_omitted };

/** Body of a `parcel.weighed` webhook. */
export const ParcelWeighedWebhook = object('ParcelWeighedWebhook', {
  type: Type.Literal('parcel.weighed'),
  timestamp: instant('When the event happened'),
  data: object('ParcelWeighedData', {
    ...thin,
    status,
    weighed_at: instant('When the warehouse weighed it'),
    weighing: Type.Optional(WeighingData),
    full_omitted,
  }),
});
export type ParcelWeighedWebhook = Static<typeof ParcelWeighedWebhook>;

/** Body of a `tracking.changed` webhook. */
export const TrackingChangedWebhook = object('TrackingChangedWebhook', {
  type: Type.Literal('tracking.changed'),
  timestamp: instant('When the event happened'),
  data: object('TrackingChangedData', {
    ...thin,
    previous_admin_status: Type.String({ description: 'Empty when there was none' }),
    admin_status: Type.String({ description: 'Of the newest node of the parcel' }),
    is_terminal: Type.Boolean({ description: 'true when that is a final status' }),
    tracking_number: Type.String({ description: 'The parcel, by the number of its carrier' }),
    tracking: Type.Optional(TrackingResult),
    full_omitted,
  }),
});
export type TrackingChangedWebhook = Static<typeof TrackingChangedWebhook>;

/** `data` of a body that only endpoints that name its type receive. @param name of the schema, without its ending */
function optInData<P extends Type.TProperties>(name: string, details: P) {
  return Type.Object({ ...optInThin, status, ...details, ...withForecast }, { $id: `${name}Data` });
}

/** Schema of a body that only endpoints that name its type receive. @param name of the schema, without its ending */
function optInWebhook<T extends OptInEventType, D extends Type.TSchema>(type: T, name: string, data: D) {
  return Type.Object({ type: Type.Literal(type), timestamp: instant('When the event happened'), data }, { $id: `${name}Webhook` });
}

/** As {@link optInWebhook}, with the data schema named after the event. */
const optIn = <T extends OptInEventType, P extends Type.TProperties>(type: T, name: string, details: P) =>
  optInWebhook(type, name, optInData(name, details));

const version = Type.Integer({ description: 'Of the content of the forecast; begins at 1 and rises with each correction' });
const warehouse_code = Type.String({ description: 'Warehouse of the forecast' });
const reported = {
  warehouse_code: Type.String({ description: 'Warehouse that reported it' }),
  occurred_at: instant('When it happened in the warehouse'),
};

const ParcelReportedData = optInData('ParcelReported', reported);

/** Body of a `forecast.accepted` webhook. */
export const ForecastAcceptedWebhook = optIn('forecast.accepted', 'ForecastAccepted', {
  version,
  warehouse_code,
  accepted_at: instant('Acceptance'),
});
export type ForecastAcceptedWebhook = Static<typeof ForecastAcceptedWebhook>;

/** Body of a `forecast.corrected` webhook. */
export const ForecastCorrectedWebhook = optIn('forecast.corrected', 'ForecastCorrected', {
  version,
  warehouse_code,
  changed: Type.Array(Type.String(), { description: 'JSON paths of the corrected fields, at most 100' }),
  corrected_at: instant('Correction'),
});
export type ForecastCorrectedWebhook = Static<typeof ForecastCorrectedWebhook>;

/** Body of a `forecast.cancelled` webhook. */
export const ForecastCancelledWebhook = optIn('forecast.cancelled', 'ForecastCancelled', {
  cancelled_at: instant('Cancellation'),
});
export type ForecastCancelledWebhook = Static<typeof ForecastCancelledWebhook>;

/** Body of a `parcel.arrived` webhook. */
export const ParcelArrivedWebhook = optInWebhook('parcel.arrived', 'ParcelArrived', ParcelReportedData);
export type ParcelArrivedWebhook = Static<typeof ParcelArrivedWebhook>;

/** Body of a `parcel.photographed` webhook. */
export const ParcelPhotographedWebhook = optIn('parcel.photographed', 'ParcelPhotographed', {
  ...reported,
  image_type: oneOf(imageTypes, 'What the image shows'),
  image_order: Type.Integer(),
});
export type ParcelPhotographedWebhook = Static<typeof ParcelPhotographedWebhook>;

/** Body of a `parcel.put_away` webhook. */
export const ParcelPutAwayWebhook = optInWebhook('parcel.put_away', 'ParcelPutAway', ParcelReportedData);
export type ParcelPutAwayWebhook = Static<typeof ParcelPutAwayWebhook>;

/** Body of a `parcel.dispatched` webhook. */
export const ParcelDispatchedWebhook = optIn('parcel.dispatched', 'ParcelDispatched', {
  carrier_code: Type.String(),
  tracking_number: Type.String({ description: 'Of the carrier, normalised' }),
  dispatched_at: instant('When the warehouse handed it over'),
});
export type ParcelDispatchedWebhook = Static<typeof ParcelDispatchedWebhook>;

/** Body of a `parcel.completed` webhook. */
export const ParcelCompletedWebhook = optIn('parcel.completed', 'ParcelCompleted', {
  reason: Type.String({ description: 'What completed the forecast: put_away or tracking_ended' }),
  completed_at: instant('When the platform recorded it'),
});
export type ParcelCompletedWebhook = Static<typeof ParcelCompletedWebhook>;

/** Body of a `parcel.exception` webhook. */
export const ParcelExceptionWebhook = optIn('parcel.exception', 'ParcelException', {
  ...reported,
  reason: Type.String({ description: `What is wrong with the parcel: ${exceptionReasons.join(', ')}. More reasons may be added` }),
  text: nullable(Type.String({ description: "The warehouse's own words" })),
});
export type ParcelExceptionWebhook = Static<typeof ParcelExceptionWebhook>;

/** Body of an `endpoint.disabled` webhook. */
export const EndpointDisabledWebhook = object('EndpointDisabledWebhook', {
  type: Type.Literal(DISABLED_EVENT_TYPE),
  timestamp: instant('When the endpoint was disabled'),
  data: object('EndpointDisabledData', {
    event_id: Type.String(),
    environment: oneOf(environments, 'Environment'),
    endpoint_id: Type.String({ description: 'The endpoint that was disabled' }),
    url: Type.String(),
    reason: oneOf(disabledReasons, 'Why'),
  }),
});
export type EndpointDisabledWebhook = Static<typeof EndpointDisabledWebhook>;

/** Body of the test event. */
export const EndpointTestWebhook = object('EndpointTestWebhook', {
  type: Type.Literal(TEST_EVENT_TYPE),
  timestamp: instant('When the test was requested'),
  data: object('EndpointTestData', {
    event_id: Type.String(),
    environment: oneOf(environments, 'Environment'),
    endpoint_id: Type.String(),
  }),
});
export type EndpointTestWebhook = Static<typeof EndpointTestWebhook>;

/** Type → body, for every type that an endpoint may be sent. */
export interface WebhookBodies {
  readonly 'parcel.weighed': ParcelWeighedWebhook;
  readonly 'tracking.changed': TrackingChangedWebhook;
  readonly 'forecast.accepted': ForecastAcceptedWebhook;
  readonly 'forecast.corrected': ForecastCorrectedWebhook;
  readonly 'forecast.cancelled': ForecastCancelledWebhook;
  readonly 'parcel.arrived': ParcelArrivedWebhook;
  readonly 'parcel.photographed': ParcelPhotographedWebhook;
  readonly 'parcel.put_away': ParcelPutAwayWebhook;
  readonly 'parcel.dispatched': ParcelDispatchedWebhook;
  readonly 'parcel.completed': ParcelCompletedWebhook;
  readonly 'parcel.exception': ParcelExceptionWebhook;
  readonly 'endpoint.test': EndpointTestWebhook;
  readonly 'endpoint.disabled': EndpointDisabledWebhook;
}
