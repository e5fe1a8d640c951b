import type { Delivery } from './delivery.ts';
import type { TenantEvent } from './tenant-event.ts';

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
