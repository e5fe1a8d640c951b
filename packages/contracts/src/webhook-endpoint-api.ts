import Type, { type Static } from 'typebox';
import { adminStatuses } from './admin-status.ts';
import { mapOf, object } from './object.ts';
import { imageTypes } from './parcel-reports.ts';
import { HEADER_VALUE_PATTERN, instant, nullable, oneOf, text } from './text.ts';
import { inputWarnings, queryWarnings } from './warnings.ts';
import { MAX_CUSTOM_HEADERS, MAX_HEADER_NAME, MAX_METADATA_NAME, MAX_PAUSE_DAYS } from './webhook-endpoint-limits.ts';
import { standardEventTypes, tenantEventTypes } from './webhook-event-types.ts';

/** What a response shows instead of the value of a custom header, which may be a secret. */
export const HIDDEN_HEADER_VALUE = '***';

/** How much of a parcel an endpoint is sent. */
export const endpointPayloads = ['thin', 'full'] as const;
export type EndpointPayload = (typeof endpointPayloads)[number];

/** State of an endpoint. */
export const endpointStatuses = ['enabled', 'paused', 'disabled'] as const;
export type EndpointStatus = (typeof endpointStatuses)[number];

/** Why an endpoint is disabled. */
export const disabledReasons = ['tenant', 'gone', 'failing', 'pause_expired'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

const url = Type.String({ minLength: 1, maxLength: 2048, format: 'web-url', description: 'Receiver; https and a public address' });
const eventTypes = Type.Array(oneOf(tenantEventTypes, 'Event type'), {
  minItems: 1,
  maxItems: 20,
  uniqueItems: true,
  description: `Events that the endpoint receives; default when it is created: ${standardEventTypes.join(', ')}`,
});
const description = text(0, 500, 'For people');

const oneOrSeveral = <T extends Type.TSchema>(value: T) => Type.Union([value, Type.Array(value, { minItems: 1, maxItems: 20 })]);

/** Condition on each field of `data`: a value, or several of which one must fit. */
const conditions = {
  po_number: Type.Optional(oneOrSeveral(Type.String({ minLength: 1, maxLength: 64 }))),
  forecast_no: Type.Optional(oneOrSeveral(Type.String({ minLength: 1, maxLength: 64 }))),
  status: Type.Optional(oneOrSeveral(Type.Integer({ minimum: 1, maximum: 7 }))),
  previous_admin_status: Type.Optional(oneOrSeveral(oneOf(['', ...adminStatuses], 'Status sent before; empty when there was none'))),
  admin_status: Type.Optional(oneOrSeveral(oneOf(adminStatuses, 'Status that the event reports'))),
  is_terminal: Type.Optional(Type.Boolean()),
  warehouse_code: Type.Optional(oneOrSeveral(Type.String({ minLength: 1, maxLength: 32 }))),
  carrier_code: Type.Optional(oneOrSeveral(Type.String({ minLength: 1, maxLength: 64 }))),
  image_type: Type.Optional(oneOrSeveral(oneOf(imageTypes, 'What the image shows'))),
  reason: Type.Optional(oneOrSeveral(Type.String({ minLength: 1, maxLength: 64 }))),
};

/** Which events of the subscribed types are sent, by the fields of their `data`. */
export const EndpointFilter = Type.Object(conditions, {
  $id: 'EndpointFilter',
  additionalProperties: false,
  description:
    'Only events whose `data` matches every condition. A condition on a field that an event type does not have is ignored for events of this type. One of the listed values must match; a single value may be sent without a list. `{}` matches all events.',
});
export type EndpointFilter = Static<typeof EndpointFilter>;

const customHeaders = mapOf(Type.String({ minLength: 1, maxLength: 1024, pattern: HEADER_VALUE_PATTERN }), {
  maxProperties: MAX_CUSTOM_HEADERS,
  propertyNames: { maxLength: MAX_HEADER_NAME },
  description:
    'Sent with every attempt, such as `Authorization`. Not `webhook-*` nor a name that HTTP or the platform uses. Responses show the names, with `***` for each value.',
});
const metadata = mapOf(text(0, 500, 'Value'), {
  maxProperties: 50,
  propertyNames: { minLength: 1, maxLength: MAX_METADATA_NAME },
  description: 'For your own use; the platform only keeps it. Names have at most 40 characters',
});
const rateLimit = Type.Integer({ minimum: 1, maximum: 1000, description: 'Maximum number of attempts per second; further attempts wait' });

const payload = oneOf(
  endpointPayloads,
  'thin (the default): what happened to which parcel; full: each attempt adds what the query returns at that moment, as `data.weighing`, `data.tracking` or `data.forecast`',
);

const settings = {
  event_types: Type.Optional(eventTypes),
  description: Type.Optional(description),
  filter: Type.Optional(EndpointFilter),
  headers: Type.Optional(customHeaders),
  metadata: Type.Optional(metadata),
  rate_limit: Type.Optional(nullable(rateLimit)),
  payload: Type.Optional(payload),
};

/** Body that creates an endpoint. */
export const EndpointCreation = object('EndpointCreation', { url, ...settings });
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

/** How an endpoint responds at the moment. */
export const endpointHealthStates = ['ok', 'failing'] as const;

/** How an endpoint responds. */
export const EndpointHealth = object('EndpointHealth', {
  state: oneOf(endpointHealthStates, 'failing: nothing has succeeded since failing_since'),
  failing_since: nullable(instant('When the first attempt failed after which none has succeeded')),
  slowdown_end_time: nullable(
    instant(
      'While the endpoint is slowed down because it failed 20 times in a row, or asked for less (429, 502, 504, `Retry-After`): nothing is sent to it before',
    ),
  ),
  disable_time: nullable(instant('When it will be disabled if nothing succeeds until then')),
});
export type EndpointHealth = Static<typeof EndpointHealth>;

/** A registered receiver, without its secret. */
export const WebhookEndpoint = object('WebhookEndpoint', {
  endpoint_id: Type.String(),
  url: Type.String(),
  event_types: Type.Array(Type.String()),
  description: Type.String(),
  filter: EndpointFilter,
  headers: Type.Record(Type.String(), Type.Literal(HIDDEN_HEADER_VALUE), {
    description: 'Names of the custom headers; values are not shown',
  }),
  metadata: Type.Record(Type.String(), Type.String()),
  rate_limit: nullable(Type.Integer({ description: 'Maximum number of attempts per second; null: as fast as the endpoint responds' })),
  payload,
  status: oneOf(endpointStatuses, 'paused and disabled endpoints keep their events but receive none'),
  disabled_reason: nullable(
    oneOf(disabledReasons, `Why it is disabled: by the tenant, response 410, 5 days of failure, or a pause of ${MAX_PAUSE_DAYS} days`),
  ),
  pause_end_time: nullable(instant(`paused: when the platform disables the endpoint, ${MAX_PAUSE_DAYS} days after the pause began`)),
  health: EndpointHealth,
  former_secret_end_time: nullable(instant('After a rotation: until when the previous secret also signs; null when one secret signs')),
  create_time: instant('When it was created'),
  update_time: instant('When it last changed'),
});
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

/** An endpoint with its signing secret; only in the responses to creation and rotation. */
export const WebhookEndpointWithSecret = object('WebhookEndpointWithSecret', {
  ...WebhookEndpoint.properties,
  secret: Type.String({ description: 'whsec_…; shown once' }),
});
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>;

/** Body of a rotation. */
export const RotationRequest = object('RotationRequest', {
  end_former_secret: Type.Optional(
    Type.Boolean({
      description:
        'true: only the new secret signs from now on, for example because the current one has leaked; a receiver without the new secret rejects all webhooks. Default false: the current secret also signs for 24 hours',
    }),
  ),
});

/** `data` of a creation. */
export const EndpointCreated = object('EndpointCreated', { ...WebhookEndpointWithSecret.properties, warnings: inputWarnings });
export type EndpointCreated = Static<typeof EndpointCreated>;

/** `data` of a rotation: the endpoint with its new secret. */
export type SecretRotated = EndpointCreated;

/** `data` of a change. */
export const EndpointChanged = object('EndpointChanged', { ...WebhookEndpoint.properties, warnings: inputWarnings });

/** `data` of a deletion. */
export const EndpointDeletion = object('EndpointDeletion', { endpoint_id: Type.String(), deleted: Type.Literal(true) });

/** `data` of the list of endpoints. */
export const WebhookEndpointList = object('WebhookEndpointList', { endpoints: Type.Array(WebhookEndpoint), warnings: queryWarnings });
