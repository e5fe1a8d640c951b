import type { Delivery, DeliveryStatus } from '../domain/delivery.ts';
import type { DisabledReason, Endpoint } from '../domain/endpoint.ts';
import type { SentEventType } from '../domain/tenant-event.ts';

/** A row of `endpoints`. */
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
}

/** The endpoint in a row. */
export function endpointOf(row: EndpointRow): Endpoint {
  return {
    tenantId: row.tenant_id,
    endpointId: row.endpoint_id,
    url: row.url,
    eventTypes: JSON.parse(row.event_types) as Endpoint['eventTypes'],
    description: row.description,
    status: row.status,
    disabledReason: row.disabled_reason,
    secret: row.secret,
    formerSecret: row.former_secret,
    formerSecretUntil: row.former_secret_until,
    failingSince: row.failing_since,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
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
  readonly status: DeliveryStatus;
  readonly attempt_count: number;
  readonly step: number;
  readonly next_attempt_at: number | null;
  readonly available_at: number | null;
  readonly last_status_code: number | null;
  readonly created_at: number;
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
    status: row.status,
    attemptCount: row.attempt_count,
    step: row.step,
    nextAttemptAt: row.next_attempt_at,
    lastStatusCode: row.last_status_code,
    createdAt: row.created_at,
  };
}
