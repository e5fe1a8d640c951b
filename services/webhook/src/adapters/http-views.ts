import type * as deliveryApi from '@parcelway/contracts/webhook-delivery-api';
import {
  type EndpointHealth,
  HIDDEN_HEADER_VALUE,
  type WebhookEndpoint,
  type WebhookEndpointWithSecret,
} from '@parcelway/contracts/webhook-endpoint-api';
import { feedEventTypes, type SentEventType } from '@parcelway/contracts/webhook-event-types';
import { AppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import { FAILING_LIMIT_MS, MAX_PAUSE_MS } from '../endpoints/domain/disabling.ts';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { slowdownEnd } from '../endpoints/domain/pace.ts';
import { filterInLists } from '../endpoints/domain/subscription.ts';
import type { Delivery } from '../intake/domain/delivery.ts';
import type { Attempt } from '../queue/domain/attempt.ts';

/** An instant that says something only as long as it is to come. */
const futureOrNull = (at: number | null, now: number): string | null => (at === null || at <= now ? null : isoInstant(at));
const instantOrNull = (at: number | null): string | null => (at === null ? null : isoInstant(at));

function healthView({ failingSince, slowedUntil, status }: Endpoint, now: number): EndpointHealth {
  const isEnabled = status === 'enabled';
  return {
    state: failingSince !== null ? 'failing' : 'ok',
    failing_since: instantOrNull(failingSince),
    slowdown_end_time: isEnabled ? futureOrNull(slowdownEnd(slowedUntil, now), now) : null,
    disable_time: instantOrNull(failingSince !== null && isEnabled ? failingSince + FAILING_LIMIT_MS : null),
  };
}

/** An endpoint as merchants see it, without its secret and without the values of its headers, which may be secrets too. @param now epoch milliseconds */
export function endpointView(endpoint: Endpoint, now: number): WebhookEndpoint {
  return {
    endpoint_id: endpoint.endpointId,
    url: endpoint.url,
    event_types: [...endpoint.eventTypes],
    description: endpoint.description,
    filter: filterInLists(endpoint.filter),
    headers: Object.fromEntries(Object.keys(endpoint.headers).map((name) => [name, HIDDEN_HEADER_VALUE])),
    metadata: { ...endpoint.metadata },
    rate_limit: endpoint.rateLimit,
    payload: endpoint.payload,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    pause_end_time: instantOrNull(endpoint.pausedAt === null ? null : endpoint.pausedAt + MAX_PAUSE_MS),
    health: healthView(endpoint, now),
    former_secret_end_time: futureOrNull(endpoint.formerSecretUntil, now),
    create_time: isoInstant(endpoint.createdAt),
    update_time: isoInstant(endpoint.updatedAt),
  };
}

/** An endpoint with its secret: for the responses to creation and rotation only. */
export function endpointWithSecretView(endpoint: Endpoint, now: number): WebhookEndpointWithSecret {
  return { ...endpointView(endpoint, now), secret: endpoint.secret };
}

/** What waits for less behind its time is on its way, and not in a queue; instants that come from one `Retry-After` are this near to each other, too. */
const QUEUED_AFTER_MS = 1000;

/** Why a delivery is tried when it is: what prevents it now comes before what once decided its time. */
function nextReasonOf(
  { status, nextReason, nextAttemptAt }: Delivery,
  endpoint: Endpoint,
  now: number,
): deliveryApi.NextAttemptReason | null {
  if (status !== 'pending' || nextAttemptAt === null) return null;
  if (endpoint.status === 'paused') return 'paused';
  const startsAt = Math.max(now, slowdownEnd(endpoint.slowedUntil, now));
  return startsAt - nextAttemptAt >= QUEUED_AFTER_MS ? 'queued' : (nextReason ?? 'schedule');
}

/** When a delivery is tried next at the earliest: not while its endpoint is slowed down; not known while it is paused. */
function nextTimeOf({ status, nextAttemptAt }: Delivery, endpoint: Endpoint, now: number): string | null {
  if (endpoint.status === 'paused') return null;
  if (status !== 'pending' || nextAttemptAt === null || endpoint.status !== 'enabled') return instantOrNull(nextAttemptAt);
  return isoInstant(Math.max(nextAttemptAt, slowdownEnd(endpoint.slowedUntil, now)));
}

/** A delivery as merchants see it. @param now epoch milliseconds */
export function deliveryView(delivery: Delivery, endpoint: Endpoint, now: number): deliveryApi.Delivery {
  return {
    delivery_id: delivery.deliveryId,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    po_number: delivery.poNumber,
    status: delivery.status,
    attempt_count: delivery.attemptCount,
    next_attempt_time: nextTimeOf(delivery, endpoint, now),
    next_attempt_reason: nextReasonOf(delivery, endpoint, now),
    test: delivery.test,
    last_status_code: delivery.lastStatusCode,
    create_time: isoInstant(delivery.createdAt),
  };
}

export function attemptView(attempt: Attempt): deliveryApi.DeliveryAttempt {
  return {
    attempt_id: attempt.attemptId,
    attempt_number: attempt.attemptNumber,
    url: attempt.url,
    start_time: isoInstant(attempt.startedAt),
    duration_ms: attempt.durationMs,
    outcome: attempt.outcome,
    status_code: attempt.statusCode,
    error: attempt.error,
    error_code: attempt.errorCode,
    retry_after: attempt.retryAfter,
    response_body: attempt.responseBody,
  };
}

/**
 * The types in a list such as `parcel.weighed,tracking.changed`; null when there is no list.
 * @throws AppError 42201 when one of them is none
 */
export function typesOf(list: string | undefined): readonly SentEventType[] | null {
  if (list === undefined) return null;
  const named = list.split(',').map((name) => name.trim());
  if (named.every((name) => feedEventTypes.some((type) => type === name))) return named as SentEventType[];
  const message = `event_types must contain only ${feedEventTypes.join(', ')}, separated by commas`;
  throw AppError.validation([{ field: 'event_types', rule: 'enum', message }]);
}
