import Type, { type Static } from 'typebox';
import { environments } from './environment.ts';
import { forecastStatusMeanings } from './forecast-status.ts';
import { instant, oneOf } from './text.ts';
import { disabledReasons } from './webhook-endpoint-api.ts';
import { DISABLED_EVENT_TYPE, TEST_EVENT_TYPE } from './webhook-event-types.ts';

const thin = {
  event_id: Type.String(),
  event_seq: Type.Integer({ description: 'Rises by one per event of a forecast, from 1' }),
  environment: oneOf(environments, 'Environment'),
  forecast_no: Type.String(),
  po_number: Type.String(),
};

/** Body of a `parcel.weighed` webhook. */
export const ParcelWeighedWebhook = Type.Object(
  {
    type: Type.Literal('parcel.weighed'),
    timestamp: instant('When the event happened'),
    data: Type.Object(
      {
        ...thin,
        status: Type.Integer({ description: `Status of the forecast: ${forecastStatusMeanings}` }),
        weighed_at: instant('When the warehouse weighed it'),
      },
      { $id: 'ParcelWeighedData' },
    ),
  },
  { $id: 'ParcelWeighedWebhook' },
);
export type ParcelWeighedWebhook = Static<typeof ParcelWeighedWebhook>;

/** Body of a `tracking.changed` webhook. */
export const TrackingChangedWebhook = Type.Object(
  {
    type: Type.Literal('tracking.changed'),
    timestamp: instant('When the event happened'),
    data: Type.Object(
      {
        ...thin,
        previous_admin_status: Type.String({ description: 'Empty when there was none' }),
        admin_status: Type.String(),
        is_terminal: Type.Boolean(),
      },
      { $id: 'TrackingChangedData' },
    ),
  },
  { $id: 'TrackingChangedWebhook' },
);
export type TrackingChangedWebhook = Static<typeof TrackingChangedWebhook>;

/** Body of an `endpoint.disabled` webhook. */
export const EndpointDisabledWebhook = Type.Object(
  {
    type: Type.Literal(DISABLED_EVENT_TYPE),
    timestamp: instant('When the endpoint was disabled'),
    data: Type.Object(
      {
        event_id: Type.String(),
        environment: oneOf(environments, 'Environment'),
        endpoint_id: Type.String({ description: 'The endpoint that was disabled' }),
        url: Type.String(),
        reason: oneOf(disabledReasons, 'Why'),
      },
      { $id: 'EndpointDisabledData' },
    ),
  },
  { $id: 'EndpointDisabledWebhook' },
);
export type EndpointDisabledWebhook = Static<typeof EndpointDisabledWebhook>;

/** Body of the test event. */
export const EndpointTestWebhook = Type.Object(
  {
    type: Type.Literal(TEST_EVENT_TYPE),
    timestamp: instant('When the test was asked for'),
    data: Type.Object(
      { event_id: Type.String(), environment: oneOf(environments, 'Environment'), endpoint_id: Type.String() },
      { $id: 'EndpointTestData' },
    ),
  },
  { $id: 'EndpointTestWebhook' },
);
export type EndpointTestWebhook = Static<typeof EndpointTestWebhook>;
