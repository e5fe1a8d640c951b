import type { AttemptErrorCode, deliveryStatuses } from '@parcelway/contracts/webhook-delivery-api';
import { DISABLED_EVENT_TYPE, type SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { Endpoint, HealthReport, Restraint } from './endpoint.ts';
import { fitsFilter } from './event-filter.ts';
import { parseRetryAfter, type RetrySchedule, waitBefore } from './retry-schedule.ts';
import type { TenantEvent } from './tenant-event.ts';

/** What decided when a delivery is tried next: it is new or was asked for again, the schedule, or the receiver's `Retry-After`. */
export type NextReason = 'first' | 'schedule' | 'retry_after';

/** State of a delivery. */
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
  /** Until then no other process takes it. Tells this lease from others that the process has had of it. */
  readonly leaseUntil: number;
}

/** What came back from a receiver, or why nothing did. */
export interface Reply {
  /** HTTP status; null when there was no complete answer. */
  readonly statusCode: number | null;
  /** Why there was no good answer; null for a 2xx. */
  readonly error: string | null;
  /** The same as a code; null for a 2xx. */
  readonly errorCode: AttemptErrorCode | null;
  /** First bytes of the answer as text; null when there was no answer. */
  readonly responseBody: string | null;
  /** The `Retry-After` header. */
  readonly retryAfter: string | null;
}

/** One try at a delivery. */
export interface Attempt {
  readonly attemptId: string;
  /** From 1, over all runs. */
  readonly attemptNumber: number;
  /** Where it was sent. */
  readonly url: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly outcome: 'succeeded' | 'failed';
  readonly statusCode: number | null;
  readonly error: string | null;
  /** Null for a success, and for a failure from before codes were written down. */
  readonly errorCode: AttemptErrorCode | null;
  /** The `Retry-After` header of the answer. */
  readonly retryAfter: string | null;
  readonly responseBody: string | null;
}

/** A finished attempt and what it means for its delivery and its endpoint. */
export interface AttemptResult {
  readonly leased: LeasedDelivery;
  /** Without the number, which the store gives. */
  readonly attempt: Omit<Attempt, 'attemptNumber'>;
  readonly status: DeliveryStatus;
  /** Set when `status` is pending. */
  readonly nextAttemptAt: number | null;
  /** Set when `status` is pending. */
  readonly nextReason: NextReason | null;
  readonly gone: boolean;
  /** A circuit that it has opened, a pause that it has begun; absent when neither. */
  readonly restraint?: Restraint;
}

/** True for a 410 of a receiver that the endpoint has left meanwhile: it says nothing of the one that it has now. */
export function isOfFormerReceiver({ gone, leased }: Pick<AttemptResult, 'gone' | 'leased'>, endpoint: Endpoint): boolean {
  return gone && leased.endpoint.url !== endpoint.url;
}

/** A test event is tried once: its sender waits for the outcome and can ask for another. */
const TEST_SCHEDULE: RetrySchedule = [0];

/** The schedule of a delivery. */
export function scheduleFor(delivery: Pick<Delivery, 'test'>, schedule: RetrySchedule): RetrySchedule {
  return delivery.test ? TEST_SCHEDULE : schedule;
}

/**
 * True when an event is for an endpoint: a test event for the one that is tested; the news that an endpoint was disabled for
 * all others; any other event by subscription and filter.
 */
export function isFor(event: Pick<TenantEvent, 'type' | 'about' | 'test' | 'fields'>, endpoint: Endpoint): boolean {
  if (event.test) return event.about === endpoint.endpointId;
  if (event.type === DISABLED_EVENT_TYPE) return event.about !== endpoint.endpointId;
  return endpoint.eventTypes.some((type) => type === event.type) && fitsFilter(endpoint.filter, event.fields);
}

/**
 * What follows from a reply.
 *
 * 200 to 299 succeeds. 410 says that the receiver is gone: the delivery is held with the others of its endpoint.
 * Anything else is tried again when the schedule says so, or later when `Retry-After` asks for that; when the schedule
 * is used up it has failed.
 * @param now when the attempt ended
 * @param random in [0, 1), for the jitter
 */
export function settle(
  leased: LeasedDelivery,
  reply: Reply,
  schedule: RetrySchedule,
  now: number,
  random: number,
): Pick<AttemptResult, 'status' | 'nextAttemptAt' | 'nextReason' | 'gone'> {
  const { statusCode } = reply;
  if (reply.error === null && isSuccess(statusCode)) return { status: 'succeeded', nextAttemptAt: null, nextReason: null, gone: false };
  if (statusCode === 410) return { status: 'held', nextAttemptAt: null, nextReason: null, gone: true };
  const { delivery } = leased;
  const wait = waitBefore(scheduleFor(delivery, schedule), delivery.step + 1, random);
  if (wait === null) return { status: 'failed', nextAttemptAt: null, nextReason: null, gone: false };
  const asked = parseRetryAfter(reply.retryAfter, now) ?? 0;
  const nextReason = asked > wait ? 'retry_after' : 'schedule';
  return { status: 'pending', nextAttemptAt: now + Math.max(wait, asked), nextReason, gone: false };
}

/** True for a status of 200 to 299. */
export function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode <= 299;
}

/** True when a failure says something of the endpoint: a tenant tries things out with test events, and may not know of `endpoint.disabled`. */
export function countsForHealth({ test, eventType }: Delivery): boolean {
  return !test && eventType !== DISABLED_EVENT_TYPE;
}

/** What attempts of one endpoint say of its health. */
export function healthOf(results: readonly AttemptResult[]): HealthReport {
  const failures = results.filter(({ attempt, leased }) => attempt.outcome === 'failed' && countsForHealth(leased.delivery));
  return {
    anySucceeded: results.some(({ attempt }) => attempt.outcome === 'succeeded'),
    firstFailureAt: failures.length === 0 ? null : Math.min(...failures.map(({ attempt }) => attempt.startedAt)),
    gone: results.some(({ gone }) => gone),
    restraint: restraintAfter(results),
  };
}

/** What holds an endpoint back after attempts, in their order: a success ends what was learnt before it. */
function restraintAfter(results: readonly AttemptResult[]): Restraint {
  let restraint: Restraint = {};
  for (const result of results) {
    if (result.attempt.outcome === 'succeeded') restraint = {};
    else if (result.restraint) restraint = { ...restraint, ...result.restraint };
  }
  return restraint;
}
