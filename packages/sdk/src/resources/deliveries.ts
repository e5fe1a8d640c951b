import type { DeliveryListQuery, ReplayRequest } from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { Resource } from '../resource.ts';

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
