import type * as api from '@parcelway/contracts/webhook-api';
import { AppError, type FieldError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Attempt, Delivery } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';

/** An endpoint as merchants see it, without its secret. */
export function endpointView(endpoint: Endpoint): api.WebhookEndpoint {
  return {
    endpoint_id: endpoint.endpointId,
    url: endpoint.url,
    event_types: [...endpoint.eventTypes],
    description: endpoint.description,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    create_time: isoInstant(endpoint.createdAt),
    update_time: isoInstant(endpoint.updatedAt),
  };
}

/** An endpoint with its secret: for the answers to creation and rotation only. */
export function endpointWithSecretView(endpoint: Endpoint): api.WebhookEndpointWithSecret {
  return { ...endpointView(endpoint), secret: endpoint.secret };
}

/** A delivery as merchants see it. */
export function deliveryView(delivery: Delivery): api.Delivery {
  return {
    delivery_id: delivery.deliveryId,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    po_number: delivery.poNumber,
    status: delivery.status,
    attempt_count: delivery.attemptCount,
    next_attempt_time: delivery.nextAttemptAt === null ? null : isoInstant(delivery.nextAttemptAt),
    last_status_code: delivery.lastStatusCode,
    create_time: isoInstant(delivery.createdAt),
  };
}

/** An attempt as merchants see it. */
export function attemptView(attempt: Attempt): api.DeliveryAttempt {
  return {
    attempt_id: attempt.attemptId,
    attempt_number: attempt.attemptNumber,
    start_time: isoInstant(attempt.startedAt),
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    status_code: attempt.statusCode,
    error: attempt.error,
    response_body: attempt.responseBody,
  };
}

/** A place in the list of deliveries as an opaque text. */
export function cursorOf(place: string): string {
  return Buffer.from(`d${place}`).toString('base64url');
}

/** A place is a number or the id of a delivery, as the store counts. */
const OUR_CURSOR = /^d(\d{1,15}|dlv_[0-9a-f]{32})$/;
const invalidCursor: FieldError = { field: 'cursor', rule: 'format', message: 'cursor must be the next_cursor of the page before' };

function matchCursor(cursor: string): RegExpExecArray | null {
  return OUR_CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
}

/** What is wrong with a text that is no cursor of ours; undefined when it is one. */
export function cursorError(cursor: string): FieldError | undefined {
  return matchCursor(cursor) === null ? invalidCursor : undefined;
}

/** @throws AppError 42201 when the text is no cursor of ours */
export function placeOf(cursor: string): string {
  const match = matchCursor(cursor);
  if (!match) throw AppError.validation([invalidCursor]);
  return match[1] as string;
}
