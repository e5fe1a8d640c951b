import type { deliveryStatuses } from '@parcelway/contracts/webhook-delivery-api';
import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import type { TenantEvent } from './tenant-event.ts';

/** What decided when a delivery is tried next: it is new or was asked for again, the schedule, or the receiver's `Retry-After`. */
export type NextReason = 'first' | 'schedule' | 'retry_after';

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** One event on its way to one endpoint. Instants are epoch milliseconds. */
export interface Delivery {
  readonly tenantId: string;
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: SentEventType;
  readonly poNumber: string | null;
  readonly status: DeliveryStatus;
  /** Attempts made in all. */
  readonly attemptCount: number;
  /** Attempts made in the current run of the schedule; a resend or replay starts a new run. */
  readonly step: number;
  /** Tried once, whatever the endpoint subscribes to, and no part of its health. */
  readonly test: boolean;
  /** When it is tried next; null unless pending. */
  readonly nextAttemptAt: number | null;
  /** What decided that time; null unless pending. */
  readonly nextReason: NextReason | null;
  readonly lastStatusCode: number | null;
  readonly createdAt: number;
}

/** Where an event comes from, for figures and traces. */
export type EventOrigin = Pick<TenantEvent, 'occurredAt' | 'traceparent'>;

/** A delivery that this process holds the lease of, with what an attempt needs. */
export interface LeasedDelivery {
  readonly endpoint: Endpoint;
  readonly delivery: Delivery;
  /** The stored body, sent byte for byte. */
  readonly body: string;
  readonly origin: EventOrigin;
  /** Until then no other process takes it. */
  readonly leaseUntil: number;
  /** Of the delivery as it is stored under this lease. */
  readonly version: number;
}

/** The delivery of an event at an endpoint, before its first attempt. @param createdAt epoch milliseconds */
export function createDelivery(
  event: Pick<TenantEvent, 'tenantId' | 'eventId' | 'type' | 'poNumber' | 'test'>,
  endpointId: string,
  { deliveryId, status, nextAttemptAt }: Pick<Delivery, 'deliveryId' | 'status' | 'nextAttemptAt'>,
  createdAt: number,
): Delivery {
  return {
    tenantId: event.tenantId,
    deliveryId,
    endpointId,
    eventId: event.eventId,
    eventType: event.type,
    poNumber: event.poNumber,
    status,
    attemptCount: 0,
    step: 0,
    test: event.test,
    nextAttemptAt,
    nextReason: status === 'pending' ? 'first' : null,
    lastStatusCode: null,
    createdAt,
  };
}
