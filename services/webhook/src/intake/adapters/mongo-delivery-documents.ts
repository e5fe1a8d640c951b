import type { AttemptErrorCode } from '@parcelway/contracts/webhook-delivery-api';
import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { byTenant } from '@parcelway/mongo/mongo-sharding';
import { Schema } from 'mongoose';
import { free, nullableText, nullableWhole, text, whole } from '../../endpoints/adapters/mongo-access.ts';
import type { Delivery, DeliveryStatus, NextReason } from '../domain/delivery.ts';

/** An attempt in the log of its delivery. Its number follows from its place. */
export interface AttemptFields {
  readonly attempt_id: string;
  readonly url: string;
  readonly started_at: number;
  readonly duration_ms: number;
  readonly outcome: 'succeeded' | 'failed';
  readonly status_code: number | null;
  readonly error: string | null;
  /** Absent for a success. */
  readonly error_code?: AttemptErrorCode;
  readonly retry_after: string | null;
  readonly response_body: string | null;
}

/** An event on its way to an endpoint, with the log of its attempts, so that a result and its log entry are one write. */
export interface DeliveryDocument {
  /** See {@link deliveryKey}: one to an event and endpoint. */
  readonly _id: string;
  readonly tenant_id: string;
  readonly delivery_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: SentEventType;
  readonly po_number: string | null;
  readonly status: DeliveryStatus;
  readonly attempt_count: number;
  readonly step: number;
  /** Absent when it is not. */
  readonly test?: true;
  readonly next_attempt_at: number | null;
  readonly next_reason: NextReason | null;
  /** From when on it may be leased; present while, and only while, it is pending. */
  readonly available_at?: number;
  /** The process that has leased it. */
  readonly lease_owner?: string;
  /** Which of that process's calls. */
  readonly lease_call?: number;
  readonly last_status_code: number | null;
  readonly created_at: number;
  /** The newest, oldest first; absent before the first. */
  readonly attempts?: readonly AttemptFields[];
}

/** A delivery that is settled may be deleted by the retention. */
export const SETTLED: readonly DeliveryStatus[] = ['succeeded', 'failed', 'held'];

/** A delivery that has not succeeded is looked for by its status. */
export const UNFINISHED: readonly DeliveryStatus[] = ['pending', 'failed', 'held'];

const attemptSchema = new Schema(
  {
    attempt_id: text,
    url: free,
    started_at: whole,
    duration_ms: whole,
    outcome: text,
    status_code: nullableWhole,
    error: nullableText,
    error_code: nullableText,
    retry_after: nullableText,
    response_body: nullableText,
  },
  { _id: false },
);

const deliverySchema = new Schema({
  _id: text,
  tenant_id: text,
  delivery_id: text,
  endpoint_id: text,
  event_id: text,
  event_type: text,
  po_number: nullableText,
  status: text,
  attempt_count: whole,
  step: whole,
  test: Boolean,
  next_attempt_at: nullableWhole,
  next_reason: nullableText,
  available_at: Number,
  lease_owner: String,
  lease_call: Number,
  last_status_code: nullableWhole,
  created_at: whole,
  attempts: { type: [attemptSchema], default: undefined },
});
// Ids of deliveries rise with time: this is the order of the list as well.
deliverySchema.index({ tenant_id: 1, endpoint_id: 1, delivery_id: 1 }, { name: 'by_endpoint', unique: true });
deliverySchema.index(
  { tenant_id: 1, endpoint_id: 1, status: 1, delivery_id: 1 },
  { name: 'unfinished', partialFilterExpression: { status: { $in: UNFINISHED } } },
);
// The id is in it so that the senders find what is due without reading a document.
deliverySchema.index(
  { endpoint_id: 1, available_at: 1, _id: 1 },
  { name: 'queue', partialFilterExpression: { available_at: { $exists: true } } },
);
// Holds what is being sent, and nothing else: see mongo-lease.
deliverySchema.index({ available_at: 1 }, { name: 'leased', partialFilterExpression: { lease_owner: { $exists: true } } });
deliverySchema.index({ created_at: 1 }, { name: 'settled_by_age', partialFilterExpression: { status: { $in: SETTLED } } });

/** The deliveries; one to a tenant, event and endpoint by its id. */
export const deliveries = defineCollection<DeliveryDocument>('deliveries', deliverySchema, { sharding: byTenant });

/** `_id` of the delivery of an event at an endpoint; those of one event follow each other. */
export function deliveryKey(tenantId: string, eventId: string, endpointId: string): string {
  return `${tenantId} ${eventId} ${endpointId}`;
}

export function deliveryOf(document: DeliveryDocument): Delivery {
  return {
    tenantId: document.tenant_id,
    deliveryId: document.delivery_id,
    endpointId: document.endpoint_id,
    eventId: document.event_id,
    eventType: document.event_type,
    poNumber: document.po_number,
    status: document.status,
    attemptCount: document.attempt_count,
    step: document.step,
    test: document.test === true,
    nextAttemptAt: document.next_attempt_at,
    nextReason: document.status === 'pending' ? document.next_reason : null,
    lastStatusCode: document.last_status_code,
    createdAt: document.created_at,
  };
}

/** The document of a delivery that has not been attempted. @param availableAt from when on it may be leased; null when held */
export function newDelivery(delivery: Delivery, availableAt: number | null, leaseOwner: string | null): DeliveryDocument {
  return {
    _id: deliveryKey(delivery.tenantId, delivery.eventId, delivery.endpointId),
    tenant_id: delivery.tenantId,
    delivery_id: delivery.deliveryId,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event_type: delivery.eventType,
    po_number: delivery.poNumber,
    status: delivery.status,
    attempt_count: 0,
    step: 0,
    ...(delivery.test ? { test: true as const } : {}),
    next_attempt_at: delivery.nextAttemptAt,
    next_reason: delivery.nextReason,
    ...(availableAt === null ? {} : { available_at: availableAt }),
    ...(leaseOwner === null ? {} : { lease_owner: leaseOwner }),
    last_status_code: null,
    created_at: delivery.createdAt,
  };
}
