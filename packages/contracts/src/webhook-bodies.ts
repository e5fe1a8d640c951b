import Type, { type Static } from 'typebox';
import { environments } from './environment.ts';
import { ForecastDetail } from './forecast-api.ts';
import { forecastStatusMeanings } from './forecast-status.ts';
import { object } from './object.ts';
import { exceptionReasons, imageTypes } from './parcel-reports.ts';
import { instant, nullable, oneOf } from './text.ts';
import { TrackingResult } from './tracking-api.ts';
import { disabledReasons } from './webhook-endpoint-api.ts';
import type { OptInEventType, SentEventType } from './webhook-event-types.ts';
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

/** A type as the names of schemas have it, such as `ParcelPutAway`. */
export const pascalOf = (type: SentEventType): string =>
  type.replace(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase());

function webhook<T extends SentEventType, D extends Type.TSchema>(type: T, data: D, at = 'When the event happened') {
  return Type.Object({ type: Type.Literal(type), timestamp: instant(at), data }, { $id: `${pascalOf(type)}Webhook` });
}

/** `data` of a body that only endpoints that name its type receive. @param name of the schema, without its ending */
const optInData = <P extends Type.TProperties>(name: string, details: P) =>
  object(`${name}Data`, { ...optInThin, status, ...details, ...withForecast });

/** A body that only endpoints that name its type receive. */
const optIn = <T extends OptInEventType, P extends Type.TProperties>(type: T, details: P) =>
  webhook(type, optInData(pascalOf(type), details));

const version = Type.Integer({ description: 'Of the content of the forecast; begins at 1 and rises with each correction' });
const warehouse_code = Type.String({ description: 'Warehouse of the forecast' });
const reported = {
  warehouse_code: Type.String({ description: 'Warehouse that reported it' }),
  occurred_at: instant('When it happened in the warehouse'),
};
const ParcelReportedData = optInData('ParcelReported', reported);

/** Type → schema of the body, for every type that an endpoint may be sent. */
export const webhookBodies = {
  'parcel.weighed': webhook(
    'parcel.weighed',
    object('ParcelWeighedData', {
      ...thin,
      status,
      weighed_at: instant('When the warehouse weighed it'),
      weighing: Type.Optional(WeighingData),
      full_omitted,
    }),
  ),
  'tracking.changed': webhook(
    'tracking.changed',
    object('TrackingChangedData', {
      ...thin,
      previous_admin_status: Type.String({ description: 'Empty when there was none' }),
      admin_status: Type.String({ description: 'Of the newest node of the parcel' }),
      is_terminal: Type.Boolean({ description: 'true when that is a final status' }),
      tracking_number: Type.String({ description: 'The parcel, by the number of its carrier' }),
      tracking: Type.Optional(TrackingResult),
      full_omitted,
    }),
  ),
  'forecast.accepted': optIn('forecast.accepted', { version, warehouse_code, accepted_at: instant('Acceptance') }),
  'forecast.corrected': optIn('forecast.corrected', {
    version,
    warehouse_code,
    changed: Type.Array(Type.String(), { description: 'JSON paths of the corrected fields, at most 100' }),
    corrected_at: instant('Correction'),
  }),
  'forecast.cancelled': optIn('forecast.cancelled', { cancelled_at: instant('Cancellation') }),
  'parcel.arrived': webhook('parcel.arrived', ParcelReportedData),
  'parcel.photographed': optIn('parcel.photographed', {
    ...reported,
    image_type: oneOf(imageTypes, 'What the image shows'),
    image_order: Type.Integer(),
  }),
  'parcel.put_away': webhook('parcel.put_away', ParcelReportedData),
  'parcel.dispatched': optIn('parcel.dispatched', {
    carrier_code: Type.String(),
    tracking_number: Type.String({ description: 'Of the carrier, normalised' }),
    dispatched_at: instant('When the warehouse handed it over'),
  }),
  'parcel.completed': optIn('parcel.completed', {
    reason: Type.String({ description: 'What completed the forecast: put_away or tracking_ended' }),
    completed_at: instant('When the platform recorded it'),
  }),
  'parcel.exception': optIn('parcel.exception', {
    ...reported,
    reason: Type.String({ description: `What is wrong with the parcel: ${exceptionReasons.join(', ')}. More reasons may be added` }),
    text: nullable(Type.String({ description: "The warehouse's own words" })),
  }),
  'endpoint.test': webhook(
    'endpoint.test',
    object('EndpointTestData', {
      event_id: Type.String(),
      environment: oneOf(environments, 'Environment'),
      endpoint_id: Type.String(),
    }),
    'When the test was requested',
  ),
  'endpoint.disabled': webhook(
    'endpoint.disabled',
    object('EndpointDisabledData', {
      event_id: Type.String(),
      environment: oneOf(environments, 'Environment'),
      endpoint_id: Type.String({ description: 'The endpoint that was disabled' }),
      url: Type.String(),
      reason: oneOf(disabledReasons, 'Why'),
    }),
    'When the endpoint was disabled',
  ),
};
/** Type → body, for every type that an endpoint may be sent. */
export type WebhookBodies = { readonly [T in SentEventType]: Static<(typeof webhookBodies)[T]> };
