import type { Environment } from './environment.ts';
import { inEnvironment } from './example-parcel.ts';
import type { JsonObject, SchemaCollector } from './openapi-schemas.ts';
import * as bodies from './webhook-bodies.ts';
import { isOptInType } from './webhook-event-types.ts';
import { webhookExamples } from './webhook-examples.ts';

const header = (name: string, description: string, example: string): JsonObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** Headers of every delivery (Standard Webhooks 1.0). */
const signatureHeaders: readonly JsonObject[] = [
  header(
    'webhook-id',
    'Id of the event, equal to `data.event_id`; the same on every attempt. Use it to recognise a repeat.',
    webhookExamples['parcel.weighed'].data.event_id,
  ),
  header(
    'webhook-timestamp',
    'Seconds since 1970 at which this attempt was signed. Refuse one that is more than 5 minutes off.',
    '1763946903',
  ),
  header(
    'webhook-signature',
    'One or more signatures with a blank between them, each `v1,` and the base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body`, keyed with the base64-decoded part of the secret behind `whsec_`. One of them must match; during a rotation there are two.',
    'v1,9OBijSykIOKdHtW+3kYwoLbXrRuks/Shs7rfapIFzxM=',
  ),
];

/** What the description of a type adds when only endpoints that name the type receive it. */
const ONLY_IF_NAMED = ' Only endpoints whose `event_types` name it receive it.';

const described = [
  {
    type: 'parcel.weighed',
    operationId: 'onParcelWeighed',
    summary: 'A parcel has been weighed',
    description: 'Sent once per measurement. The weighing query already shows the data when this arrives.',
    schema: bodies.ParcelWeighedWebhook,
  },
  {
    type: 'tracking.changed',
    operationId: 'onTrackingChanged',
    summary: 'The tracking of a parcel has changed',
    description: 'Sent when the `admin_status` of the newest node differs from before. The tracking query returns the nodes.',
    schema: bodies.TrackingChangedWebhook,
  },
  {
    type: 'forecast.accepted',
    operationId: 'onForecastAccepted',
    summary: 'A forecast has been accepted',
    description: 'Sent once per forecast.',
    schema: bodies.ForecastAcceptedWebhook,
  },
  {
    type: 'forecast.corrected',
    operationId: 'onForecastCorrected',
    summary: 'A forecast has been corrected',
    description: 'Sent once per correction; `changed` names the fields, `version` is that of the corrected content.',
    schema: bodies.ForecastCorrectedWebhook,
  },
  {
    type: 'forecast.cancelled',
    operationId: 'onForecastCancelled',
    summary: 'A forecast has been cancelled',
    description: 'Sent once per forecast.',
    schema: bodies.ForecastCancelledWebhook,
  },
  {
    type: 'parcel.arrived',
    operationId: 'onParcelArrived',
    summary: 'A parcel has reached the warehouse',
    description: 'Sent when the arrival is recorded.',
    schema: bodies.ParcelArrivedWebhook,
  },
  {
    type: 'parcel.photographed',
    operationId: 'onParcelPhotographed',
    summary: 'A parcel or its content has been photographed',
    description: 'Sent once per photo. Reading the forecast already shows the image when this arrives.',
    schema: bodies.ParcelPhotographedWebhook,
  },
  {
    type: 'parcel.put_away',
    operationId: 'onParcelPutAway',
    summary: 'The goods of a parcel are on the shelf',
    description: 'Sent when the put-away is recorded. It completes a replenishment; a direct-mail forecast keeps its status.',
    schema: bodies.ParcelPutAwayWebhook,
  },
  {
    type: 'parcel.dispatched',
    operationId: 'onParcelDispatched',
    summary: 'A parcel has been handed to a carrier',
    description: 'Sent once per dispatch, with the carrier and its number.',
    schema: bodies.ParcelDispatchedWebhook,
  },
  {
    type: 'parcel.completed',
    operationId: 'onParcelCompleted',
    summary: 'A forecast has reached its final status',
    description: 'Sent once: after the put-away of a replenishment, or at the end of the tracking of a direct-mail parcel.',
    schema: bodies.ParcelCompletedWebhook,
  },
  {
    type: 'parcel.exception',
    operationId: 'onParcelException',
    summary: 'A warehouse has found a problem with a parcel',
    description: 'Sent once per report, with its reason and the words of the warehouse.',
    schema: bodies.ParcelExceptionWebhook,
  },
  {
    type: 'endpoint.test',
    operationId: 'onEndpointTest',
    summary: 'A test event',
    description: 'Sent on demand only, whatever the endpoint subscribes to.',
    schema: bodies.EndpointTestWebhook,
  },
  {
    type: 'endpoint.disabled',
    operationId: 'onEndpointDisabled',
    summary: 'An endpoint has been disabled',
    description: 'Sent to the other endpoints of the tenant, whatever they subscribe to, when the platform has disabled one.',
    schema: bodies.EndpointDisabledWebhook,
  },
] as const;

/** The `webhooks` of the document: what the platform sends to the endpoints that merchants register. */
export function describeWebhooks(schemas: SchemaCollector, environment: Environment): JsonObject {
  return Object.fromEntries(
    described.map(({ type, schema, ...words }) => [
      type,
      {
        post: {
          ...words,
          description: isOptInType(type) ? `${words.description}${ONLY_IF_NAMED}` : words.description,
          tags: ['Webhook events'],
          security: [],
          parameters: signatureHeaders,
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: schemas.schema(schema), example: inEnvironment(webhookExamples[type], environment) },
            },
          },
          responses: {
            '2XX': { description: 'Received. Respond within 15 seconds; the body is ignored.' },
            '410': { description: 'No longer wanted: the endpoint is disabled.' },
            default: { description: 'Not received. Tried again on the schedule; `Retry-After` is honoured, redirects are not followed.' },
          },
        },
      },
    ]),
  );
}
