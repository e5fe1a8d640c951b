import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { Delivery, DeliveryStatus, NextReason } from '../domain/delivery.ts';
import type { EventStream } from '../domain/event-stream.ts';

/** How `stream` of `events` says which stream an event is in. */
export const STREAM_IN_ROWS: Readonly<Record<EventStream, number>> = { standard: 0, opt_in: 2 };

/** `stream` of a test event. */
export const NO_STREAM = 1;

/** Status of a delivery in the file: one that is `sending` is pending, and not in the queue (see sqlite-in-flight). */
export type StoredStatus = DeliveryStatus | 'sending';

/** Status of a delivery as others know it. */
export function statusOf(stored: StoredStatus): DeliveryStatus {
  return stored === 'sending' ? 'pending' : stored;
}

export interface DeliveryRow {
  readonly position: number;
  readonly tenant_id: string;
  readonly delivery_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: SentEventType;
  readonly po_number: string | null;
  readonly status: StoredStatus;
  readonly attempt_count: number;
  readonly step: number;
  readonly next_attempt_at: number | null;
  readonly available_at: number | null;
  readonly last_status_code: number | null;
  readonly created_at: number;
  readonly test: number;
  readonly next_reason: NextReason | null;
}

export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    tenantId: row.tenant_id,
    deliveryId: row.delivery_id,
    endpointId: row.endpoint_id,
    eventId: row.event_id,
    eventType: row.event_type,
    poNumber: row.po_number,
    status: statusOf(row.status),
    attemptCount: row.attempt_count,
    step: row.step,
    test: row.test === 1,
    nextAttemptAt: row.next_attempt_at,
    nextReason: row.next_reason,
    lastStatusCode: row.last_status_code,
    createdAt: row.created_at,
  };
}
