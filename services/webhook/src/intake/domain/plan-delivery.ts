import { type Endpoint, leasable } from '../../endpoints/domain/endpoint.ts';
import { isEventFor } from '../../endpoints/domain/subscription.ts';
import type { TenantEvent } from './tenant-event.ts';

/** The delivery of an event at one endpoint, as it is planned when the event arrives. Instants are epoch milliseconds. */
export interface PlannedDelivery {
  readonly deliveryId: string;
  readonly status: 'pending' | 'held';
  /** Null when held. */
  readonly nextAttemptAt: number | null;
  /** Set when this process sends it itself: no other process leases it before. */
  readonly leaseUntil: number | null;
}

/** What deliveries are planned with. Instants are epoch milliseconds. */
export interface PlanOptions {
  readonly now: number;
  readonly newDeliveryId: () => string;
  /** Wait before the first attempt, milliseconds. */
  readonly firstWaitMs: (event: Pick<TenantEvent, 'test'>) => number;
  /**
   * Takes room for one first attempt at an endpoint that may be sent to.
   * @param most attempts that the endpoint allows side by side
   * @returns false when none would start soon
   */
  readonly takeRoom: (endpointId: string, most: number) => boolean;
  /** When a lease that begins now ends. */
  readonly leaseUntil: number;
}

/**
 * Plans the delivery of an event at an endpoint. At a disabled endpoint it is held; where an attempt can start soon it is leased
 * from the beginning.
 * @returns null when the event is not for the endpoint
 */
export function planDelivery(event: TenantEvent, endpoint: Endpoint, options: PlanOptions): PlannedDelivery | null {
  if (!isEventFor(endpoint, event)) return null;
  const deliveryId = options.newDeliveryId();
  if (endpoint.status === 'disabled') return { deliveryId, status: 'held', nextAttemptAt: null, leaseUntil: null };
  const wait = options.firstWaitMs(event);
  const most = wait === 0 ? leasable(endpoint, Number.POSITIVE_INFINITY, options.now) : 0;
  const isLeased = most > 0 && options.takeRoom(endpoint.endpointId, most);
  return { deliveryId, status: 'pending', nextAttemptAt: options.now + wait, leaseUntil: isLeased ? options.leaseUntil : null };
}
