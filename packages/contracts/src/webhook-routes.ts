import Type from 'typebox';
import type { RouteDefinition } from './route.ts';
import {
  Delivery,
  DeliveryAttemptList,
  DeliveryList,
  DeliveryListQuery,
  EndpointChange,
  EndpointCreation,
  ReplayRequest,
  ReplayResult,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
} from './webhook-api.ts';

type Given = Pick<RouteDefinition, 'id' | 'method' | 'summary' | 'data'> & Partial<RouteDefinition> & { readonly below?: string };

const route = ({ below = '', ...given }: Given): RouteDefinition => ({
  path: `/open/v1/webhook-endpoints${below}`,
  service: 'webhook',
  access: 'tenant',
  scopes: ['webhooks:manage'],
  rateClass: 'standard',
  tag: 'Webhooks',
  success: 200,
  errors: ['40403'],
  ...given,
});

const bodyErrors = ['40001', '41301', '41501', '42201'] as const;

/** Routes of endpoints, deliveries and attempts. */
export const webhookRoutes: readonly RouteDefinition[] = [
  route({
    id: 'createEndpoint',
    method: 'POST',
    summary: 'Register an endpoint',
    description: 'The answer shows the signing secret, this once. At most 10 endpoints a tenant.',
    body: EndpointCreation,
    data: WebhookEndpointWithSecret,
    errors: [...bodyErrors, '40902'],
  }),
  route({ id: 'listEndpoints', method: 'GET', summary: 'List endpoints', data: WebhookEndpointList, errors: [] }),
  route({ id: 'getEndpoint', method: 'GET', below: '/{endpoint_id}', summary: 'Read an endpoint', data: WebhookEndpoint }),
  route({
    id: 'updateEndpoint',
    method: 'PATCH',
    below: '/{endpoint_id}',
    summary: 'Change an endpoint',
    description: 'Only the fields given. `status: enabled` starts a disabled endpoint again; what was held meanwhile is sent by a replay.',
    body: EndpointChange,
    data: WebhookEndpoint,
    errors: [...bodyErrors, '40403'],
  }),
  route({
    id: 'deleteEndpoint',
    method: 'DELETE',
    below: '/{endpoint_id}',
    summary: 'Delete an endpoint',
    data: Type.Object({ endpoint_id: Type.String(), deleted: Type.Literal(true) }),
  }),
  route({
    id: 'rotateSecret',
    method: 'POST',
    below: '/{endpoint_id}/rotate-secret',
    summary: 'Rotate the signing secret',
    description: 'For 24 hours deliveries are signed with the new and the former secret.',
    data: WebhookEndpointWithSecret,
  }),
  route({
    id: 'sendTestEvent',
    method: 'POST',
    below: '/{endpoint_id}/test',
    summary: 'Send a test event',
    description: 'An `endpoint.test` event, sent and logged like any other.',
    data: Delivery,
    errors: ['40403', '40902'],
  }),
  route({
    id: 'listDeliveries',
    method: 'GET',
    below: '/{endpoint_id}/deliveries',
    summary: 'List deliveries',
    query: DeliveryListQuery,
    data: DeliveryList,
    errors: ['40403', '42201'],
  }),
  route({
    id: 'listAttempts',
    method: 'GET',
    below: '/{endpoint_id}/deliveries/{delivery_id}/attempts',
    summary: 'List the attempts of a delivery',
    data: DeliveryAttemptList,
  }),
  route({
    id: 'resendDelivery',
    method: 'POST',
    below: '/{endpoint_id}/deliveries/{delivery_id}/resend',
    summary: 'Resend a delivery',
    description: 'Sends the same event under the same webhook-id, whatever became of it before.',
    data: Delivery,
    errors: ['40403', '40902'],
  }),
  route({
    id: 'replayDeliveries',
    method: 'POST',
    below: '/{endpoint_id}/replay',
    summary: 'Replay a time range',
    description: 'Sends the events of a time range that match the subscription of the endpoint, those held while it was disabled included.',
    body: ReplayRequest,
    data: ReplayResult,
    errors: [...bodyErrors, '40403', '40902'],
  }),
];
