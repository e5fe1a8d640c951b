import Type, { type Static } from 'typebox';
import { adminStatuses } from './admin-status.ts';
import { environments } from './environment.ts';
import { Warning } from './forecast-api.ts';
import { forecastStatusMeanings } from './forecast-status.ts';
import { HEADER_VALUE_PATTERN, INTEGER_TO_100_PATTERN, instant, integerInQuery, nullable, oneOf, text } from './text.ts';

/** At most this many endpoints a tenant. */
export const MAX_ENDPOINTS_PER_TENANT = 10;

/** Events that an endpoint can subscribe to. */
export const tenantEventTypes = ['parcel.weighed', 'tracking.changed'] as const;
export type TenantEventType = (typeof tenantEventTypes)[number];

/** What a test event has for its type unless another is asked for. */
export const TEST_EVENT_TYPE = 'endpoint.test';

/** Told to the other endpoints of a tenant, whatever they subscribe to, when the platform has disabled one. */
export const DISABLED_EVENT_TYPE = 'endpoint.disabled';

/** Every type that an endpoint may be sent. */
export const sentEventTypes = [...tenantEventTypes, TEST_EVENT_TYPE, DISABLED_EVENT_TYPE] as const;
export type SentEventType = (typeof sentEventTypes)[number];

/** Days after which a paused endpoint becomes a disabled one: what waits for it must not wait for ever. */
export const MAX_PAUSE_DAYS = 7;
/** Custom headers of an endpoint, at most. */
export const MAX_CUSTOM_HEADERS = 20;
/** What stands in an answer for the value of a custom header, which may be a secret. */
export const HIDDEN_HEADER_VALUE = '***';

/** State of an endpoint. */
export const endpointStatuses = ['enabled', 'paused', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

/** Why an endpoint is disabled. */
export const disabledReasons = ['tenant', 'gone', 'failing', 'pause_expired'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

const url = Type.String({ minLength: 1, maxLength: 2048, format: 'web-url', description: 'Receiver; https and a public address' });
const eventTypes = Type.Array(oneOf(tenantEventTypes, 'Event type'), {
  minItems: 1,
  uniqueItems: true,
  description: 'Events that the endpoint receives',
});
const description = text(0, 500, 'For people');

const oneOrSeveral = <T extends Type.TSchema>(value: T) => Type.Union([value, Type.Array(value, { minItems: 1, maxItems: 20 })]);

/** Condition on each field of `data`: a value, or several of which one must fit. */
const conditions = {
  po_number: Type.Optional(oneOrSeveral(Type.String({ minLength: 1, maxLength: 64 }))),
  forecast_no: Type.Optional(oneOrSeveral(Type.String({ minLength: 1, maxLength: 64 }))),
  status: Type.Optional(oneOrSeveral(Type.Integer({ minimum: 1, maximum: 7 }))),
  previous_admin_status: Type.Optional(oneOrSeveral(oneOf(['', ...adminStatuses], 'Status told before; empty when there was none'))),
  admin_status: Type.Optional(oneOrSeveral(oneOf(adminStatuses, 'Status told'))),
  is_terminal: Type.Optional(Type.Boolean()),
};

/** Which events of the subscribed types are sent, by the fields of their `data`. */
export const EndpointFilter = Type.Object(conditions, {
  $id: 'EndpointFilter',
  additionalProperties: false,
  description:
    'Only events whose `data` fits every condition. A condition on a field that an event of some type does not have leaves events of that type alone. `{}` lets everything through.',
});
export type EndpointFilter = Static<typeof EndpointFilter>;

const customHeaders = Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 1024, pattern: HEADER_VALUE_PATTERN }), {
  maxProperties: MAX_CUSTOM_HEADERS,
  description:
    'Sent with every attempt, such as `Authorization`. Not `webhook-*` nor a name that HTTP or the platform uses. Answers show the names, with `***` for each value.',
});
const metadata = Type.Record(Type.String(), text(0, 500, 'Value'), {
  maxProperties: 50,
  description: 'For your own use; the platform only keeps it. Names have at most 40 characters',
});
const rateLimit = Type.Integer({ minimum: 1, maximum: 1000, description: 'Attempts a second, at most; what is over it waits' });

const settings = {
  event_types: Type.Optional(eventTypes),
  description: Type.Optional(description),
  filter: Type.Optional(EndpointFilter),
  headers: Type.Optional(customHeaders),
  metadata: Type.Optional(metadata),
  rate_limit: Type.Optional(nullable(rateLimit)),
};

/** Body that creates an endpoint. */
export const EndpointCreation = Type.Object({ url, ...settings }, { $id: 'EndpointCreation' });
export type EndpointCreation = Static<typeof EndpointCreation>;

/** Body that changes an endpoint: only the fields given. */
export const EndpointChange = Type.Object(
  {
    url: Type.Optional(url),
    ...settings,
    status: Type.Optional(
      oneOf(
        endpointStatuses,
        'paused: events wait and are sent on enabled; disabled: events are held until a replay; enabled starts deliveries again',
      ),
    ),
  },
  { $id: 'EndpointChange', minProperties: 1 },
);
export type EndpointChange = Static<typeof EndpointChange>;

/** How an endpoint answers. */
export const EndpointHealth = Type.Object(
  {
    state: oneOf(
      ['ok', 'failing', 'circuit_open'],
      'failing: nothing has succeeded since failing_since. circuit_open: it failed so often that only single attempts are made, to see whether it is back',
    ),
    failing_since: nullable(instant('When the first attempt failed after which none has succeeded')),
    next_probe_time: nullable(instant('circuit_open: when the next single attempt is made')),
    disable_time: nullable(instant('When it will be disabled if nothing succeeds until then')),
  },
  { $id: 'EndpointHealth' },
);
export type EndpointHealth = Static<typeof EndpointHealth>;

/** A registered receiver, without its secret. */
export const WebhookEndpoint = Type.Object(
  {
    endpoint_id: Type.String(),
    url: Type.String(),
    event_types: Type.Array(Type.String()),
    description: Type.String(),
    filter: EndpointFilter,
    headers: Type.Record(Type.String(), Type.Literal(HIDDEN_HEADER_VALUE), {
      description: 'Names of the custom headers; values are not shown',
    }),
    metadata: Type.Record(Type.String(), Type.String()),
    rate_limit: nullable(Type.Integer({ description: 'Attempts a second, at most; null: as fast as it answers' })),
    status: oneOf(endpointStatuses, 'paused and disabled endpoints keep their events but receive none'),
    disabled_reason: nullable(
      oneOf(disabledReasons, `Why it is disabled: by the tenant, answer 410, 5 days of failure, or a pause of ${MAX_PAUSE_DAYS} days`),
    ),
    pause_end_time: nullable(instant(`paused: when the pause becomes a disabling, ${MAX_PAUSE_DAYS} days after its beginning`)),
    health: EndpointHealth,
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

const warnings = Type.Array(Warning, { description: 'Fields of the body that are not known and were ignored, at most 20' });

/** `data` of a creation. */
export const EndpointCreated = Type.Object({ ...WebhookEndpointWithSecret.properties, warnings }, { $id: 'EndpointCreated' });
export type EndpointCreated = Static<typeof EndpointCreated>;

/** `data` of a change. */
export const EndpointChanged = Type.Object({ ...WebhookEndpoint.properties, warnings }, { $id: 'EndpointChanged' });
export type EndpointChanged = Static<typeof EndpointChanged>;

/** `data` of the list of endpoints. */
export const WebhookEndpointList = Type.Object({ endpoints: Type.Array(WebhookEndpoint) }, { $id: 'WebhookEndpointList' });

/** State of a delivery. */
export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'held'] as const;

/** Why the next attempt is when it is. */
export const nextAttemptReasons = ['first', 'schedule', 'retry_after', 'paused', 'circuit_open', 'queued'] as const;
export type NextAttemptReason = (typeof nextAttemptReasons)[number];

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
    next_attempt_time: nullable(instant('When it is tried next, at the earliest')),
    next_attempt_reason: nullable(
      oneOf(nextAttemptReasons, 'Why then: see the list in the documentation of webhooks; null unless pending'),
    ),
    test: Type.Boolean({ description: 'A test event: tried once, no part of the health of the endpoint' }),
    last_status_code: nullable(Type.Integer({ description: 'HTTP status of the last answer' })),
    create_time: instant('When the event was taken for delivery'),
  },
  { $id: 'Delivery' },
);
export type Delivery = Static<typeof Delivery>;

/** A delivery with what is sent. */
export const DeliveryDetail = Type.Object(
  {
    ...Delivery.properties,
    body: Type.String({ description: 'The body of every attempt, byte for byte; what the signature covers' }),
  },
  { $id: 'DeliveryDetail' },
);
export type DeliveryDetail = Static<typeof DeliveryDetail>;

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
    url: Type.String({ description: 'Where it was sent' }),
    start_time: instant('When it started'),
    duration_ms: Type.Integer(),
    outcome: oneOf(['succeeded', 'failed'], 'succeeded: an answer of 200 to 299 in time'),
    status_code: nullable(Type.Integer({ description: 'HTTP status; null when there was no answer' })),
    error: nullable(Type.String({ description: 'Why there was no good answer' })),
    retry_after: nullable(Type.String({ description: 'The header Retry-After of the answer' })),
    response_body: nullable(Type.String({ description: 'First 1,024 bytes of the answer' })),
  },
  { $id: 'DeliveryAttempt' },
);
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

/** `data` of the list of attempts, oldest first. */
export const DeliveryAttemptList = Type.Object({ attempts: Type.Array(DeliveryAttempt) }, { $id: 'DeliveryAttemptList' });

/** Which events a replay sends. */
export const replayChoices = ['undelivered', 'failed', 'all'] as const;
export type ReplayChoice = (typeof replayChoices)[number];

/** Body of a test. */
export const TestRequest = Type.Object(
  {
    event_type: Type.Optional(
      oneOf(
        [TEST_EVENT_TYPE, ...tenantEventTypes],
        `Type of the event; default ${TEST_EVENT_TYPE}. Any other has made-up data, marked with \`test: true\``,
      ),
    ),
  },
  { $id: 'TestRequest' },
);
export type TestRequest = Static<typeof TestRequest>;

/** Body of a replay. */
export const ReplayRequest = Type.Object(
  {
    since: instant('Events at or after this instant'),
    until: Type.Optional(instant('Events before this instant; default now')),
    only: Type.Optional(
      oneOf(
        replayChoices,
        'undelivered (the default): all that has not succeeded; failed: what has used up its schedule; all: what has succeeded, too',
      ),
    ),
  },
  { $id: 'ReplayRequest' },
);
export type ReplayRequest = Static<typeof ReplayRequest>;

/** `data` of a replay. */
export const ReplayResult = Type.Object(
  { scheduled: Type.Integer({ description: 'Deliveries that will be sent now' }) },
  { $id: 'ReplayResult' },
);

/** Query of the feed. */
export const EventFeedQuery = Type.Object(
  {
    after: Type.Optional(Type.String({ minLength: 1, maxLength: 512, description: '`next_cursor` of the page before' })),
    since: Type.Optional(instant('Instead of `after`: events taken in at or after this instant; default: the oldest that is kept')),
    event_types: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: `Only these, separated by commas: ${tenantEventTypes.join(', ')}, ${DISABLED_EVENT_TYPE}`,
      }),
    ),
    limit: Type.Optional(integerInQuery(INTEGER_TO_100_PATTERN, 100, 'Page size, 1 to 100; default 100')),
  },
  { $id: 'EventFeedQuery' },
);
export type EventFeedQuery = Static<typeof EventFeedQuery>;

const AnyWebhook = Type.Object(
  { type: Type.String(), timestamp: instant('When the event happened'), data: Type.Object({ event_id: Type.String() }) },
  { $id: 'EventFeedItem', description: 'The event as a webhook carries it' },
);

/** A page of the feed, oldest first. */
export const EventFeed = Type.Object(
  {
    events: Type.Array(AnyWebhook),
    next_cursor: Type.String({ description: 'Never null: ask with it again for what comes later' }),
    has_more: Type.Boolean({ description: 'True when the next page has events already' }),
  },
  { $id: 'EventFeed' },
);
export type EventFeed = Static<typeof EventFeed>;

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

/** Body of an `endpoint.disabled` webhook. */
export const EndpointDisabledWebhook = Type.Object(
  {
    type: Type.Literal(DISABLED_EVENT_TYPE),
    timestamp: instant('When the endpoint was disabled'),
    data: Type.Object({
      event_id: Type.String(),
      environment: oneOf(environments, 'Environment'),
      endpoint_id: Type.String({ description: 'The endpoint that was disabled' }),
      url: Type.String(),
      reason: oneOf(disabledReasons, 'Why'),
    }),
  },
  { $id: 'EndpointDisabledWebhook' },
);
export type EndpointDisabledWebhook = Static<typeof EndpointDisabledWebhook>;

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
