import type { Caller } from '../caller.ts';
import type {
  Delivery,
  DeliveryAttemptList,
  DeliveryDetail,
  DeliveryList,
  DeliveryListQuery,
  ReplayRequest,
  ReplayResult,
} from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { Paged } from '../paged.ts';

/** Events on their way to an endpoint. */
export class Deliveries {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Deliveries of an endpoint, newest first: `for await (const delivery of parcelway.deliveries.list('ep_…', { status: 'failed' }))`. */
  list(endpointId: string, query: DeliveryListQuery = {}, options?: CallOptions): Paged<Delivery, DeliveryList> {
    const path = { endpoint_id: endpointId };
    const fetch = (cursor: string | undefined): Promise<DeliveryList> =>
      this.#caller.call('listDeliveries', { path, query: cursor === undefined ? query : { ...query, cursor } }, options);
    return new Paged(fetch, (page) => page.deliveries);
  }

  /** One, with the body that is sent. */
  get(endpointId: string, deliveryId: string, options?: CallOptions): Promise<DeliveryDetail> {
    return this.#caller.call('getDelivery', { path: { endpoint_id: endpointId, delivery_id: deliveryId } }, options);
  }

  /** What each attempt met, oldest first. */
  attempts(endpointId: string, deliveryId: string, options?: CallOptions): Promise<DeliveryAttemptList> {
    return this.#caller.call('listAttempts', { path: { endpoint_id: endpointId, delivery_id: deliveryId } }, options);
  }

  /** Sends one again under the same webhook-id, whatever became of it. */
  resend(endpointId: string, deliveryId: string, options?: CallOptions): Promise<Delivery> {
    return this.#caller.call('resendDelivery', { path: { endpoint_id: endpointId, delivery_id: deliveryId } }, options);
  }

  /** Sends the events of a time range that the endpoint subscribes to. */
  replay(endpointId: string, request: ReplayRequest, options?: CallOptions): Promise<ReplayResult> {
    return this.#caller.call('replayDeliveries', { path: { endpoint_id: endpointId }, body: request }, options);
  }
}
