// Made from the contract by `npm run docs`; do not edit.
import type { EventFeed, EventFeedQuery } from './event-feed-api.ts';
import type { Delivery, DeliveryAttemptList, DeliveryDetail, DeliveryList, DeliveryListQuery, ReplayRequest, ReplayResult, TestDelivery, TestRequest } from './webhook-delivery-api.ts';
import type { EndpointChange, EndpointChanged, EndpointCreated, EndpointCreation, EndpointDeletion, RotationRequest, WebhookEndpoint, WebhookEndpointList } from './webhook-endpoint-api.ts';
import type { EndpointFigures, EndpointFiguresQuery } from './webhook-figures-api.ts';

/** What each route of "Webhook endpoints" takes and gives. */
export interface WebhookEndpointsRoutes {
  /** Register an endpoint: `POST /open/v1/webhook-endpoints` */
  readonly createEndpoint: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: EndpointCreation;
    readonly data: EndpointCreated;
  };
  /** List endpoints: `GET /open/v1/webhook-endpoints` */
  readonly listEndpoints: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly data: WebhookEndpointList;
  };
  /** Read an endpoint: `GET /open/v1/webhook-endpoints/{endpoint_id}` */
  readonly getEndpoint: {
    readonly path: { readonly endpoint_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: WebhookEndpoint;
  };
  /** Change an endpoint: `PATCH /open/v1/webhook-endpoints/{endpoint_id}` */
  readonly updateEndpoint: {
    readonly path: { readonly endpoint_id: string };
    readonly query: undefined;
    readonly body: EndpointChange;
    readonly data: EndpointChanged;
  };
  /** Delete an endpoint: `DELETE /open/v1/webhook-endpoints/{endpoint_id}` */
  readonly deleteEndpoint: {
    readonly path: { readonly endpoint_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: EndpointDeletion;
  };
  /** Rotate the signing secret: `POST /open/v1/webhook-endpoints/{endpoint_id}/rotate-secret` */
  readonly rotateSecret: {
    readonly path: { readonly endpoint_id: string };
    readonly query: undefined;
    readonly body: RotationRequest | undefined;
    readonly data: EndpointCreated;
  };
  /** Send a test event: `POST /open/v1/webhook-endpoints/{endpoint_id}/test` */
  readonly sendTestEvent: {
    readonly path: { readonly endpoint_id: string };
    readonly query: undefined;
    readonly body: TestRequest | undefined;
    readonly data: TestDelivery;
  };
  /** List deliveries: `GET /open/v1/webhook-endpoints/{endpoint_id}/deliveries` */
  readonly listDeliveries: {
    readonly path: { readonly endpoint_id: string };
    readonly query: DeliveryListQuery;
    readonly body: undefined;
    readonly data: DeliveryList;
  };
  /** Read the figures of an endpoint: `GET /open/v1/webhook-endpoints/{endpoint_id}/figures` */
  readonly getEndpointFigures: {
    readonly path: { readonly endpoint_id: string };
    readonly query: EndpointFiguresQuery;
    readonly body: undefined;
    readonly data: EndpointFigures;
  };
  /** Read a delivery: `GET /open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}` */
  readonly getDelivery: {
    readonly path: { readonly endpoint_id: string; readonly delivery_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: DeliveryDetail;
  };
  /** List the attempts of a delivery: `GET /open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/attempts` */
  readonly listAttempts: {
    readonly path: { readonly endpoint_id: string; readonly delivery_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: DeliveryAttemptList;
  };
  /** Resend a delivery: `POST /open/v1/webhook-endpoints/{endpoint_id}/deliveries/{delivery_id}/resend` */
  readonly resendDelivery: {
    readonly path: { readonly endpoint_id: string; readonly delivery_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: Delivery;
  };
  /** Replay a time range: `POST /open/v1/webhook-endpoints/{endpoint_id}/replay` */
  readonly replayDeliveries: {
    readonly path: { readonly endpoint_id: string };
    readonly query: undefined;
    readonly body: ReplayRequest;
    readonly data: ReplayResult;
  };
  /** Read the feed of events: `GET /open/v1/events` */
  readonly listEvents: {
    readonly path: undefined;
    readonly query: EventFeedQuery;
    readonly body: undefined;
    readonly data: EventFeed;
  };
}
