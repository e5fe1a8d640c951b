import type { DisabledReason, EndpointPayload } from '@parcelway/contracts/webhook-endpoint-api';
import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { Circuit } from '../domain/circuit.ts';
import type { Delivery, DeliveryStatus, NextReason } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import type { EventStream } from '../domain/event-stream.ts';

/** How `stream` of `events` says which stream an event is in. */
export const STREAM_IN_ROWS: Readonly<Record<EventStream, number>> = { standard: 0, opt_in: 2 };
/** `stream` of a test event. */
export const NO_STREAM = 1;

/** A row of `endpoints`. Lists and objects are JSON. */
export interface EndpointRow {
  readonly tenant_id: string;
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_types: string;
  readonly description: string;
  readonly status: Endpoint['status'];
  readonly disabled_reason: DisabledReason | null;
  readonly secret: string;
  readonly former_secret: string | null;
  readonly former_secret_until: number | null;
  readonly failing_since: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly deleted: number;
  readonly filter: string;
  readonly headers: string;
  readonly metadata: string;
  readonly rate_limit: number | null;
  readonly payload: EndpointPayload;
  readonly paused_at: number | null;
  readonly disabling_to_tell: number | null;
  readonly circuit: string | null;
  readonly slowed_until: number | null;
}

/** The endpoint in a row. */
export function endpointOf(row: EndpointRow): Endpoint {
  return {
    tenantId: row.tenant_id,
    endpointId: row.endpoint_id,
    url: row.url,
    eventTypes: JSON.parse(row.event_types) as Endpoint['eventTypes'],
    description: row.description,
    filter: JSON.parse(row.filter) as Endpoint['filter'],
    headers: JSON.parse(row.headers) as Endpoint['headers'],
    metadata: JSON.parse(row.metadata) as Endpoint['metadata'],
    rateLimit: row.rate_limit,
    payload: row.payload,
    status: row.status,
    disabledReason: row.disabled_reason,
    pausedAt: row.paused_at,
    disablingToTell: row.disabling_to_tell,
    circuit: row.circuit === null ? null : (JSON.parse(row.circuit) as Circuit),
    slowedUntil: row.slowed_until,
    secret: row.secret,
    formerSecret: row.former_secret,
    formerSecretUntil: row.former_secret_until,
    failingSince: row.failing_since,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Status of a delivery in the file: one that is `sending` is pending, and in nobody's queue (see sqlite-in-hand). */
export type StoredStatus = DeliveryStatus | 'sending';

/** Status of a delivery as others know it. */
export function statusOf(stored: StoredStatus): DeliveryStatus {
  return stored === 'sending' ? 'pending' : stored;
}

/** A row of `deliveries`. */
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

/** The delivery in a row. */
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
