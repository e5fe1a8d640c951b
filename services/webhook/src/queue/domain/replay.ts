import type { ReplayChoice } from '@parcelway/contracts/webhook-delivery-api';
import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { createDelivery, type Delivery, type DeliveryStatus } from '../../intake/domain/delivery.ts';
import type { TenantEvent } from '../../intake/domain/tenant-event.ts';
import { type DeliveryProgress, isInFlight } from './in-flight.ts';

/** Which events of a time range a replay is to make due. */
export interface ReplayWish {
  readonly types: readonly SentEventType[];
  readonly only: ReplayChoice;
  /** Says of an event of one of the types whether the endpoint wants it. */
  readonly matches: (body: string) => boolean;
}

export interface ReplayableEvent extends Pick<TenantEvent, 'eventId' | 'type' | 'poNumber' | 'test'> {
  readonly body: string;
}

/** An event with its delivery at the endpoint, as a store knows it; undefined when it has none. */
export interface ReplayCandidate<D extends DeliveryProgress> {
  readonly event: ReplayableEvent;
  readonly delivery: D | undefined;
}

export interface ReplayDecision<D extends DeliveryProgress> {
  readonly restarts: readonly D[];
  /** Deliveries of events that the endpoint never had, because it was not there or not subscribed. */
  readonly inserts: readonly Delivery[];
}

/**
 * Decides which events of a range are made due at an endpoint: what the wish names, without test events and without what is in flight.
 * @param now epoch milliseconds
 */
export function decideReplay<D extends DeliveryProgress>(
  { tenantId, endpointId }: Endpoint,
  candidates: readonly ReplayCandidate<D>[],
  wish: ReplayWish,
  now: number,
  newDeliveryId: () => string,
): ReplayDecision<D> {
  const restarts: D[] = [];
  const inserts: Delivery[] = [];
  for (const { event, delivery } of candidates) {
    if (event.test || (delivery && isInFlight(delivery, now)) || !isChosen(event, delivery?.status, wish)) continue;
    if (delivery) restarts.push(delivery);
    else {
      const planned = { deliveryId: newDeliveryId(), status: 'pending', nextAttemptAt: now } as const;
      inserts.push(createDelivery({ tenantId, ...event }, endpointId, planned, now));
    }
  }
  return { restarts, inserts };
}

/**
 * True when a replay is to make an event due, in flight or not. Its body is looked at last.
 * @param status of its delivery; undefined when it has none
 */
export function isChosen(
  event: { readonly type: SentEventType; readonly body: string },
  status: DeliveryStatus | undefined,
  { types, only, matches }: ReplayWish,
): boolean {
  if (!types.includes(event.type)) return false;
  if (only === 'failed' ? status !== 'failed' : only === 'undelivered' && status === 'succeeded') return false;
  return matches(event.body);
}
