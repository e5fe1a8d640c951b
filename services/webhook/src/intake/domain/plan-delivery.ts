import { type Endpoint, notEnabled } from '../../endpoints/domain/endpoint.ts';
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
  readonly roomFor: (endpointId: string) => number;
  /** What is left, by endpoint, of the room that there was when the first of these events took some. */
  readonly roomLeft: Map<string, number>;
  /** Endpoints that had no room for all. */
  readonly waiting: Set<string>;
  /** When a lease that begins now ends. */
  readonly leaseUntil: number;
}

/**
 * Plans the delivery of an event at an endpoint. At a disabled endpoint it is held; where an attempt can start soon it is leased
 * from the beginning.
 * @returns null when the event is not for the endpoint
 * @throws AppError 40902 when a test event is for an endpoint that is paused or disabled
 */
export function planDelivery(event: TenantEvent, endpoint: Endpoint, options: PlanOptions): PlannedDelivery | null {
  if (!isEventFor(endpoint, event)) return null;
  if (event.test && endpoint.status !== 'enabled') throw notEnabled(endpoint);
  const deliveryId = options.newDeliveryId();
  if (endpoint.status === 'disabled') return { deliveryId, status: 'held', nextAttemptAt: null, leaseUntil: null };
  const wait = options.firstWaitMs(event);
  let leaseUntil: number | null = null;
  if (wait === 0 && endpoint.status === 'enabled') {
    const { endpointId } = endpoint;
    const left = options.roomLeft.get(endpointId) ?? options.roomFor(endpointId);
    options.roomLeft.set(endpointId, left - 1);
    if (left > 0) leaseUntil = options.leaseUntil;
    else options.waiting.add(endpointId);
  }
  return { deliveryId, status: 'pending', nextAttemptAt: options.now + wait, leaseUntil };
}
