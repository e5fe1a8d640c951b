import { nullable } from '@parcelway/contracts/text';
import type { AttemptErrorCode, deliveryStatuses } from '@parcelway/contracts/webhook-delivery-api';
import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import Type, { type Static, type TObject } from 'typebox';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import type { TenantEvent } from './tenant-event.ts';

/** What decided when a delivery is tried next: it is new or was asked for again, the schedule, or the receiver's `Retry-After`. */
export type NextReason = 'first' | 'schedule' | 'retry_after';

export type DeliveryStatus = (typeof deliveryStatuses)[number];

const instant = Type.Number();
const nullableText = nullable(Type.String());

/** The fields of a {@link Delivery}. */
export const deliveryFields = {
  tenantId: Type.String(),
  eventId: Type.String(),
  endpointId: Type.String(),
  deliveryId: Type.String(),
  eventType: Type.Unsafe<SentEventType>(Type.String()),
  poNumber: nullableText,
  status: Type.Unsafe<DeliveryStatus>(Type.String()),
  /** Attempts made in all. */
  attemptCount: Type.Integer(),
  /** Attempts made in the current run of the schedule; a resend or replay starts a new run. */
  step: Type.Integer(),
  /** Tried once, whatever the endpoint subscribes to, and no part of its health. */
  test: Type.Boolean(),
  /** When it is tried next; null unless pending. */
  nextAttemptAt: nullable(instant),
  /** What decided that time; null unless pending. */
  nextReason: nullable(Type.Unsafe<NextReason>(Type.String())),
  lastStatusCode: nullable(Type.Integer()),
  createdAt: instant,
};

/** One event on its way to one endpoint. Instants are epoch milliseconds. */
export type Delivery = Readonly<Static<TObject<typeof deliveryFields>>>;

/** The fields of a {@link LoggedAttempt}. */
export const attemptFields = {
  attemptId: Type.String(),
  url: Type.String(),
  startedAt: instant,
  durationMs: Type.Number(),
  outcome: Type.Unsafe<'succeeded' | 'failed'>(Type.String()),
  statusCode: nullable(Type.Integer()),
  error: nullableText,
  /** Null for a success. */
  errorCode: nullable(Type.Unsafe<AttemptErrorCode>(Type.String())),
  retryAfter: nullableText,
  responseBody: nullableText,
};

/** An attempt in the log of its delivery. Its number follows from its place. */
export type LoggedAttempt = Readonly<Static<TObject<typeof attemptFields>>>;

/** Where an event comes from, for figures and traces. */
export type EventOrigin = Pick<TenantEvent, 'occurredAt' | 'traceparent'>;

/** A lease lasts this long, in milliseconds. */
export const LEASE_MS = 60_000;

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
