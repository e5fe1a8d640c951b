import { EventFeed, EventFeedQuery } from './event-feed-api.ts';
import { type RouteDefinition, routesWith } from './route.ts';
import { ListenQuery, ListenResult } from './sandbox-api.ts';
import {
  Delivery,
  DeliveryAttemptList,
  DeliveryDetail,
  DeliveryList,
  DeliveryListQuery,
  ReplayRequest,
  ReplayResult,
  TestDelivery,
  TestRequest,
} from './webhook-delivery-api.ts';
import {
  EndpointChange,
  EndpointChanged,
  EndpointCreated,
  EndpointCreation,
  EndpointDeletion,
  RotationRequest,
  WebhookEndpoint,
  WebhookEndpointList,
} from './webhook-endpoint-api.ts';
import { MAX_ENDPOINTS_PER_TENANT } from './webhook-endpoint-limits.ts';
import { EndpointFigures, EndpointFiguresQuery } from './webhook-figures-api.ts';

/** Path of the webhook endpoints of a tenant; their further routes are below it. */
export const ENDPOINTS_PATH = '/open/v1/webhook-endpoints';

const route = routesWith({
  path: ENDPOINTS_PATH,
  service: 'webhook',
  scopes: ['webhooks:manage'],
  tag: 'Webhook endpoints',
});

/** Routes of endpoints, deliveries and attempts. */
export const webhookRoutes: readonly RouteDefinition[] = [
  route({
    id: 'createEndpoint',
    method: 'POST',
    summary: 'Register an endpoint',
    description: `The response shows the signing secret, this once. At most ${MAX_ENDPOINTS_PER_TENANT} endpoints a tenant.`,
    body: EndpointCreation,
    repeat: 'Registers another endpoint.',
    idempotencyKey: true,
    data: EndpointCreated,
    errors: ['40902'],
  }),
  route({ id: 'listEndpoints', summary: 'List endpoints', data: WebhookEndpointList }),
  route({ id: 'getEndpoint', below: '/{endpoint_id}', summary: 'Read an endpoint', data: WebhookEndpoint }),
  route({
    id: 'updateEndpoint',
    method: 'PATCH',
    below: '/{endpoint_id}',
    summary: 'Change an endpoint',
    description:
      'Only the fields given; `filter`, `headers` and `metadata` are replaced as a whole. `status: enabled` starts a paused or disabled endpoint again: events that waited during a pause are sent at once; events that were held while it was disabled are sent by a replay.',
    body: EndpointChange,
    repeat: 'Sets the same values again.',
    data: EndpointChanged,
  }),
  route({
    id: 'deleteEndpoint',
    method: 'DELETE',
    below: '/{endpoint_id}',
    summary: 'Delete an endpoint',
    repeat: 'Returns 40403: the endpoint no longer exists.',
    data: EndpointDeletion,
  }),
  route({
    id: 'rotateSecret',
    method: 'POST',
    below: '/{endpoint_id}/rotate-secret',
    summary: 'Rotate the signing secret',
    description:
      'For 24 hours deliveries are signed with the new and the former secret, unless the body says otherwise. An even older secret becomes invalid at once.',
    body: RotationRequest,
    bodyOptional: true,
    repeat: 'Creates another secret; the one before the previous becomes invalid.',
    idempotencyKey: true,
    data: EndpointCreated,
  }),
  route({
    id: 'sendTestEvent',
    method: 'POST',
    below: '/{endpoint_id}/test',
    summary: 'Send a test event',
    description:
      'An event of the chosen type with made-up data, sent and logged like any other, whatever the endpoint subscribes to. Tried once; a failure does not count against the endpoint.',
    body: TestRequest,
    bodyOptional: true,
    repeat: 'Sends another event.',
    idempotencyKey: true,
    data: TestDelivery,
    errors: ['40902'],
  }),
  route({
    id: 'listDeliveries',
    below: '/{endpoint_id}/deliveries',
    summary: 'List deliveries',
    query: DeliveryListQuery,
    data: DeliveryList,
  }),
  route({
    id: 'getEndpointFigures',
    below: '/{endpoint_id}/figures',
    summary: 'Read the figures of an endpoint',
    description:
      'How many attempts of each day, UTC, succeeded and failed, and how long they took. What happened in the last seconds may be missing. The figures are for your information: if a process of the platform is killed, some seconds of them are lost.',
    query: EndpointFiguresQuery,
    data: EndpointFigures,
  }),
  route({
    id: 'getDelivery',
    below: '/{endpoint_id}/deliveries/{delivery_id}',
    summary: 'Read a delivery',
    description: 'With the body that is sent.',
    data: DeliveryDetail,
  }),
  route({
    id: 'listAttempts',
    below: '/{endpoint_id}/deliveries/{delivery_id}/attempts',
    summary: 'List the attempts of a delivery',
    data: DeliveryAttemptList,
  }),
  route({
    id: 'resendDelivery',
    method: 'POST',
    below: '/{endpoint_id}/deliveries/{delivery_id}/resend',
    summary: 'Resend a delivery',
    description: 'Sends the same event under the same webhook-id, whatever its previous result.',
    repeat: 'Sends the delivery again.',
    idempotencyKey: true,
    data: Delivery,
    errors: ['40902'],
  }),
  route({
    id: 'replayDeliveries',
    method: 'POST',
    below: '/{endpoint_id}/replay',
    summary: 'Replay a time range',
    description:
      'Sends the events of a time range that match the subscription of the endpoint, those held while it was disabled included. A long range takes several calls: ask again with `cursor: next_cursor` until that is null.',
    body: ReplayRequest,
    repeat: 'Sends again what has not been delivered by then.',
    idempotencyKey: true,
    data: ReplayResult,
    errors: ['40902'],
  }),
  route({
    id: 'listEvents',
    path: '/open/v1/events',
    summary: 'Read the feed of events',
    description:
      'Events of the tenant in the order in which the platform received them, whether or not an endpoint is registered: `parcel.weighed`, `tracking.changed` and `endpoint.disabled`, or those that `event_types` names; with `po_number`, those of one parcel. Bodies are thin. Request the next page with `after: next_cursor`. No event is skipped. An event may come twice: recognise it by `event_id`.',
    query: EventFeedQuery,
    data: EventFeed,
  }),
  route({
    id: 'listen',
    path: '/sandbox/v1/listen',
    sandboxOnly: true,
    tag: 'Sandbox',
    summary: 'Receive webhooks without a public address',
    description:
      'Returns signed webhooks, for a program that passes them on to a local receiver, such as `parcelctl listen`. Waits for events when there are none. Sandbox only.',
    query: ListenQuery,
    data: ListenResult,
    errors: ['40403'],
  }),
];
