import { EventFeed, type FollowOptions } from '../event-feed.ts';
import type {
  DeliveryListQuery,
  EndpointChange,
  EndpointCreation,
  EndpointFiguresQuery,
  EventFeedQuery,
  EventFeed as EventPage,
  ReplayRequest,
  RotationRequest,
  TestRequest,
  WebhookEvent,
} from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** Receivers of webhooks. Every method but create and list rejects with 40403 when there is no such endpoint. */
export class WebhookEndpoints extends Resource {
  /** Registers a receiver. Keep `secret`: it is shown this once. */
  create(endpoint: EndpointCreation, options?: CallOptions) {
    return this.caller.call('createEndpoint', { body: endpoint }, options);
  }

  /** All of them; there are few. */
  list(options?: CallOptions) {
    return this.caller.call('listEndpoints', {}, options);
  }

  /** One, with its health. */
  get(endpointId: string, options?: CallOptions) {
    return this.caller.call('getEndpoint', { path: { endpoint_id: endpointId } }, options);
  }

  /** Changes the fields given; `status` pauses, disables or enables. */
  update(endpointId: string, change: EndpointChange, options?: CallOptions) {
    return this.caller.call('updateEndpoint', { path: { endpoint_id: endpointId }, body: change }, options);
  }

  /** Deletes it with its deliveries. */
  delete(endpointId: string, options?: CallOptions) {
    return this.caller.call('deleteEndpoint', { path: { endpoint_id: endpointId } }, options);
  }

  /** Gives it a new secret; for 24 hours both sign, unless `end_former_secret` ends the present one at once. Keep `secret`: it is shown this once. */
  rotateSecret(endpointId: string, request?: RotationRequest, options?: CallOptions) {
    return this.caller.call('rotateSecret', { path: { endpoint_id: endpointId }, body: request }, options);
  }

  /** How many attempts of each day succeeded and failed, and how long they took; by default of the last 31 days. */
  figures(endpointId: string, query: EndpointFiguresQuery = {}, options?: CallOptions) {
    return this.caller.call('getEndpointFigures', { path: { endpoint_id: endpointId }, query }, options);
  }

  /** Sends a test event, by default of the type `endpoint.test`. */
  test(endpointId: string, request?: TestRequest, options?: CallOptions) {
    return this.caller.call('sendTestEvent', { path: { endpoint_id: endpointId }, body: request }, options);
  }
}

/** Events on their way to an endpoint. */
export class Deliveries extends Resource {
  /** Deliveries of an endpoint, newest first: `for await (const delivery of parcelway.deliveries.list('ep_…', { status: 'failed' }))`. */
  list(endpointId: string, query: DeliveryListQuery = {}, options?: CallOptions) {
    const path = { endpoint_id: endpointId };
    return this.pages('listDeliveries', { path, query }, (page) => page.deliveries, options);
  }

  /** One, with the body that is sent. */
  get(endpointId: string, deliveryId: string, options?: CallOptions) {
    return this.caller.call('getDelivery', { path: { endpoint_id: endpointId, delivery_id: deliveryId } }, options);
  }

  /** What each attempt met, oldest first. */
  attempts(endpointId: string, deliveryId: string, options?: CallOptions) {
    return this.caller.call('listAttempts', { path: { endpoint_id: endpointId, delivery_id: deliveryId } }, options);
  }

  /** Sends one again under the same webhook-id, whatever became of it. */
  resend(endpointId: string, deliveryId: string, options?: CallOptions) {
    return this.caller.call('resendDelivery', { path: { endpoint_id: endpointId, delivery_id: deliveryId } }, options);
  }

  /** Sends the events of a time range that the endpoint subscribes to. */
  replay(endpointId: string, request: ReplayRequest, options?: CallOptions) {
    return this.caller.call('replayDeliveries', { path: { endpoint_id: endpointId }, body: request }, options);
  }
}

/** Which events, and whether to wait for more. */
export interface EventListQuery extends Omit<EventFeedQuery, 'event_types'>, Pick<FollowOptions, 'follow' | 'pollMs' | 'maxOutageMs'> {
  /** Only these types; default all. */
  readonly event_types?: readonly WebhookEvent['type'][];
}

/** The events of a tenant, whether or not an endpoint is registered. */
export class Events extends Resource {
  /**
   * The feed, oldest first. `for await (const event of parcelway.events.list({ after, follow: true }))` goes on until
   * `options.signal` ends it; without `follow` it ends with the newest event.
   */
  list(query: EventListQuery = {}, options: CallOptions = {}): EventFeed {
    const { follow, pollMs, maxOutageMs, after, since, event_types, po_number, limit } = query;
    const chosen = {
      ...(event_types === undefined ? {} : { event_types: event_types.join(',') }),
      ...(po_number === undefined ? {} : { po_number }),
    };
    const fetch = (cursor: string | undefined): Promise<EventPage> => {
      // `since` names where to begin, and only that: a cursor takes its place.
      const from = cursor === undefined ? { ...(since === undefined ? {} : { since }) } : { after: cursor };
      return this.caller.call('listEvents', { query: { ...from, ...chosen, ...(limit === undefined ? {} : { limit }) } }, options);
    };
    return new EventFeed(fetch, after, { follow, pollMs, maxOutageMs, signal: options.signal, onRetry: options.onRetry });
  }
}
