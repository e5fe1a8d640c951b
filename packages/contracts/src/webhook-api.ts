import Type, { type Static } from 'typebox';
import { environments } from './environment.ts';
import { forecastStatusMeanings } from './forecast-status.ts';
import { INTEGER_TO_100_PATTERN, instant, integerInQuery, nullable, oneOf, text } from './text.ts';

/** At most this many endpoints a tenant. */
export const MAX_ENDPOINTS_PER_TENANT = 10;

/** Events that an endpoint can subscribe to. */
export const tenantEventTypes = ['parcel.weighed', 'tracking.changed'] as const;
export type TenantEventType = (typeof tenantEventTypes)[number];

/** Sent by the test call only; reaches the endpoint whatever its subscription. */
export const TEST_EVENT_TYPE = 'endpoint.test';

const url = Type.String({ minLength: 1, maxLength: 2048, format: 'web-url', description: 'Receiver; https and a public address' });
const eventTypes = Type.Array(oneOf(tenantEventTypes, 'Event type'), {
  minItems: 1,
  uniqueItems: true,
  description: 'Events that the endpoint receives',
});
const description = text(0, 500, 'For people');

/** Body that creates an endpoint. */
export const EndpointCreation = Type.Object(
  { url, event_types: Type.Optional(eventTypes), description: Type.Optional(description) },
  { $id: 'EndpointCreation' },
);
export type EndpointCreation = Static<typeof EndpointCreation>;

/** Body that changes an endpoint: only the fields given. */
export const EndpointChange = Type.Object(
  {
    url: Type.Optional(url),
    event_types: Type.Optional(eventTypes),
    description: Type.Optional(description),
    status: Type.Optional(oneOf(['enabled', 'disabled'], 'enabled starts deliveries again')),
  },
  { $id: 'EndpointChange', minProperties: 1 },
);
export type EndpointChange = Static<typeof EndpointChange>;

/** A registered receiver, without its secret. */
export const WebhookEndpoint = Type.Object(
  {
    endpoint_id: Type.String(),
    url: Type.String(),
    event_types: Type.Array(Type.String()),
    description: Type.String(),
    status: oneOf(['enabled', 'disabled'], 'disabled endpoints keep their events but receive none'),
    disabled_reason: nullable(oneOf(['tenant', 'gone', 'failing'], 'Why it is disabled: by the tenant, answer 410, or 5 days of failure')),
    create_time: instant('When it was created'),
    update_time: instant('When it last changed'),
  },
  { $id: 'WebhookEndpoint' },
);
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

/** An endpoint with its signing secret; only in the answers to creation and rotation. */
export const WebhookEndpointWithSecret = Type.Object(
  { ...WebhookEndpoint.properties, secret: Type.String({ description: 'whsec_…; shown once' }) },
  { $id: 'WebhookEndpointWithSecret' },
);
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>;

/** `data` of the list of endpoints. */
export const WebhookEndpointList = Type.Object({ endpoints: Type.Array(WebhookEndpoint) }, { $id: 'WebhookEndpointList' });

/** State of a delivery. */
export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'held'] as const;

/** One event on its way to one endpoint. */
export const Delivery = Type.Object(
  {
    delivery_id: Type.String(),
    endpoint_id: Type.String(),
    event_id: Type.String({ description: 'Equals webhook-id of every attempt' }),
    event_type: Type.String(),
    po_number: nullable(Type.String()),
    status: oneOf(deliveryStatuses, 'held: the endpoint was disabled; replay or resend sends it'),
    attempt_count: Type.Integer(),
    next_attempt_time: nullable(instant('When it is tried next')),
    last_status_code: nullable(Type.Integer({ description: 'HTTP status of the last answer' })),
    create_time: instant('When the event was taken for delivery'),
  },
  { $id: 'Delivery' },
);
export type Delivery = Static<typeof Delivery>;

/** Query of the list of deliveries. */
export const DeliveryListQuery = Type.Object(
  {
    status: Type.Optional(oneOf(deliveryStatuses, 'Only this status')),
    limit: Type.Optional(integerInQuery(INTEGER_TO_100_PATTERN, 20, 'Page size, 1 to 100; default 20')),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: '`next_cursor` of the page before' })),
  },
  { $id: 'DeliveryListQuery' },
);
export type DeliveryListQuery = Static<typeof DeliveryListQuery>;

/** A page of deliveries, newest first. */
export const DeliveryList = Type.Object(
  { deliveries: Type.Array(Delivery), next_cursor: nullable(Type.String({ description: 'null on the last page' })) },
  { $id: 'DeliveryList' },
);

/** One try at a delivery. */
export const DeliveryAttempt = Type.Object(
  {
    attempt_id: Type.String(),
    attempt_number: Type.Integer({ description: 'From 1' }),
    start_time: instant('When it started'),
    duration_ms: Type.Integer(),
    outcome: oneOf(['succeeded', 'failed'], 'succeeded: an answer of 200 to 299 in time'),
    status_code: nullable(Type.Integer({ description: 'HTTP status; null when there was no answer' })),
    error: nullable(Type.String({ description: 'Why there was no good answer' })),
    response_body: nullable(Type.String({ description: 'First 1,024 bytes of the answer' })),
  },
  { $id: 'DeliveryAttempt' },
);
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

/** `data` of the list of attempts, oldest first. */
export const DeliveryAttemptList = Type.Object({ attempts: Type.Array(DeliveryAttempt) }, { $id: 'DeliveryAttemptList' });

/** Body of a replay. */
export const ReplayRequest = Type.Object(
  {
    since: instant('Events at or after this instant'),
    until: Type.Optional(instant('Events before this instant; default now')),
    only: Type.Optional(oneOf(['all', 'undelivered'], 'all, or only those not yet delivered (the default)')),
  },
  { $id: 'ReplayRequest' },
);
export type ReplayRequest = Static<typeof ReplayRequest>;

/** `data` of a replay. */
export const ReplayResult = Type.Object(
  { scheduled: Type.Integer({ description: 'Deliveries that will be sent now' }) },
  { $id: 'ReplayResult' },
);

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
    data: Type.Object({
      ...thin,
      status: Type.Integer({ description: `Status of the forecast: ${forecastStatusMeanings}` }),
      weighed_at: instant('When the warehouse weighed it'),
    }),
  },
  { $id: 'ParcelWeighedWebhook' },
);
export type ParcelWeighedWebhook = Static<typeof ParcelWeighedWebhook>;

/** Body of a `tracking.changed` webhook. */
export const TrackingChangedWebhook = Type.Object(
  {
    type: Type.Literal('tracking.changed'),
    timestamp: instant('When the event happened'),
    data: Type.Object({
      ...thin,
      previous_admin_status: Type.String({ description: 'Empty when there was none' }),
      admin_status: Type.String(),
      is_terminal: Type.Boolean(),
    }),
  },
  { $id: 'TrackingChangedWebhook' },
);
export type TrackingChangedWebhook = Static<typeof TrackingChangedWebhook>;

/** Body of the test event. */
export const EndpointTestWebhook = Type.Object(
  {
    type: Type.Literal(TEST_EVENT_TYPE),
    timestamp: instant('When the test was asked for'),
    data: Type.Object({ event_id: Type.String(), environment: oneOf(environments, 'Environment'), endpoint_id: Type.String() }),
  },
  { $id: 'EndpointTestWebhook' },
);
export type EndpointTestWebhook = Static<typeof EndpointTestWebhook>;
