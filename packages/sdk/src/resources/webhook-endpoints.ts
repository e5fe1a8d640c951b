import type { EndpointChange, EndpointCreation, EndpointFiguresQuery, RotationRequest, TestRequest } from '../generated/types.ts';
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
