import type { Environment } from './environment.ts';
import { inEnvironment } from './example-parcel.ts';
import { webhookExamples } from './examples.ts';
import type { JsonObject, SchemaCollector } from './openapi-schemas.ts';
import { pascalOf, webhookBodies } from './webhook-bodies.ts';
import { isOptInType, type SentEventType, sentEventTypes } from './webhook-event-types.ts';

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

/** Type → what has happened, and when it is sent. */
const words: Readonly<Record<SentEventType, readonly [summary: string, description: string]>> = {
  'parcel.weighed': [
    'A parcel has been weighed',
    'Sent once per measurement. The weighing query already shows the data when this arrives.',
  ],
  'tracking.changed': [
    'The tracking of a parcel has changed',
    'Sent when the `admin_status` of the newest node differs from before. The tracking query returns the nodes.',
  ],
  'forecast.accepted': ['A forecast has been accepted', 'Sent once per forecast.'],
  'forecast.corrected': [
    'A forecast has been corrected',
    'Sent once per correction; `changed` names the fields, `version` is that of the corrected content.',
  ],
  'forecast.cancelled': ['A forecast has been cancelled', 'Sent once per forecast.'],
  'parcel.arrived': ['A parcel has reached the warehouse', 'Sent when the arrival is recorded.'],
  'parcel.photographed': [
    'A parcel or its content has been photographed',
    'Sent once per photo. Reading the forecast already shows the image when this arrives.',
  ],
  'parcel.put_away': [
    'The goods of a parcel are on the shelf',
    'Sent when the put-away is recorded. It completes a replenishment; a direct-mail forecast keeps its status.',
  ],
  'parcel.dispatched': ['A parcel has been handed to a carrier', 'Sent once per dispatch, with the carrier and its number.'],
  'parcel.completed': [
    'A forecast has reached its final status',
    'Sent once: after the put-away of a replenishment, or at the end of the tracking of a direct-mail parcel.',
  ],
  'parcel.exception': [
    'A warehouse has found a problem with a parcel',
    'Sent once per report, with its reason and the words of the warehouse.',
  ],
  'endpoint.test': ['A test event', 'Sent on demand only, whatever the endpoint subscribes to.'],
  'endpoint.disabled': [
    'An endpoint has been disabled',
    'Sent to the other endpoints of the tenant, whatever they subscribe to, when the platform has disabled one.',
  ],
};

/** The `webhooks` of the document: what the platform sends to the endpoints that merchants register. */
export function describeWebhooks(schemas: SchemaCollector, environment: Environment): JsonObject {
  return Object.fromEntries(
    sentEventTypes.map((type) => [
      type,
      {
        post: {
          operationId: `on${pascalOf(type)}`,
          summary: words[type][0],
          description: isOptInType(type) ? `${words[type][1]}${ONLY_IF_NAMED}` : words[type][1],
          tags: ['Webhook events'],
          security: [],
          parameters: signatureHeaders,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: schemas.schema(webhookBodies[type]),
                example: inEnvironment(webhookExamples[type], environment),
              },
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
