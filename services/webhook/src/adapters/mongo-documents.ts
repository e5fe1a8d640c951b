import { TEST_EVENT_TYPE } from '@parcelway/contracts/webhook-event-types';
import type { MongoCollection } from '@parcelway/mongo/mongo-collection';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { mongo } from 'mongoose';
import type { Delivery, EventOrigin, NextReason } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import type { EventStream } from '../domain/event-stream.ts';
import { type DeliveryDocument, type EndpointDocument, type EventDocument, NOT_FED } from './mongo-schema.ts';

/**
 * A collection without mongoose's casting: the values are typed here and were validated at the edge, and batches of
 * events and deliveries are what this service spends its time with.
 */
export function collectionOf<T extends { readonly _id: string }>(db: MongoDatabase, collection: MongoCollection<T>): mongo.Collection<T> {
  return db.model(collection).collection as unknown as mongo.Collection<T>;
}

/** Option of a read: the server sends up to so many documents at once, instead of 101 and the rest when asked again. */
export const AT_ONCE = { batchSize: 2000 } as const;

/** `_id` of an event. Ids of tenants and endpoints hold no blank, so the parts cannot run into each other. */
export function eventKey(tenantId: string, eventId: string): string {
  return `${tenantId} ${eventId}`;
}

/** `_id` of the delivery of an event at an endpoint; those of one event follow each other. */
export function deliveryKey(tenantId: string, eventId: string, endpointId: string): string {
  return `${tenantId} ${eventId} ${endpointId}`;
}

/** Name of a parcel over all tenants, in one of the streams: each numbers its events by itself. */
export function parcelKey(tenantId: string, forecastNo: string, stream: EventStream): string {
  return stream === 'standard' ? `${tenantId} ${forecastNo}` : `${tenantId} ${forecastNo} ${stream}`;
}

function parsed<T extends object>(json: string | undefined): T {
  return (json === undefined ? {} : JSON.parse(json)) as T;
}

/** The endpoint in a document. */
export function endpointOf(document: EndpointDocument): Endpoint {
  return {
    tenantId: document.tenant_id,
    endpointId: document._id,
    url: document.url,
    eventTypes: document.event_types,
    description: document.description,
    filter: parsed(document.filter),
    headers: parsed(document.headers),
    metadata: parsed(document.metadata),
    rateLimit: document.rate_limit ?? null,
    payload: document.payload ?? 'thin',
    status: document.status,
    disabledReason: document.disabled_reason,
    pausedAt: document.paused_at ?? null,
    disablingToTell: document.disabling_to_tell ?? null,
    circuit: document.circuit ? { openUntil: document.circuit.open_until, cooldownMs: document.circuit.cooldown_ms } : null,
    slowedUntil: document.slowed_until ?? null,
    secret: document.secret,
    formerSecret: document.former_secret,
    formerSecretUntil: document.former_secret_until,
    failingSince: document.failing_since,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

/** The fields of a document that say what the endpoint is. */
export function endpointFields(endpoint: Endpoint): Omit<EndpointDocument, '_id' | 'tenant_id' | 'slot' | 'version' | 'sweep'> {
  return {
    url: endpoint.url,
    event_types: endpoint.eventTypes,
    description: endpoint.description,
    filter: JSON.stringify(endpoint.filter),
    headers: JSON.stringify(endpoint.headers),
    metadata: JSON.stringify(endpoint.metadata),
    rate_limit: endpoint.rateLimit,
    payload: endpoint.payload,
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    paused_at: endpoint.pausedAt,
    disabling_to_tell: endpoint.disablingToTell,
    circuit: endpoint.circuit && { open_until: endpoint.circuit.openUntil, cooldown_ms: endpoint.circuit.cooldownMs },
    slowed_until: endpoint.slowedUntil,
    secret: endpoint.secret,
    former_secret: endpoint.formerSecret,
    former_secret_until: endpoint.formerSecretUntil,
    failing_since: endpoint.failingSince,
    created_at: endpoint.createdAt,
    updated_at: endpoint.updatedAt,
  };
}

/** What decided the time of the next attempt; the first version did not write it down. */
function nextReasonOf({ status, step, next_reason }: DeliveryDocument): NextReason | null {
  if (status !== 'pending') return null;
  return next_reason ?? (step === 0 ? 'first' : 'schedule');
}

/** True for an event that was made on demand, for one endpoint. The first version marked it by its type alone. */
export function isTestEvent({ type, fed_at }: Pick<EventDocument, 'type' | 'fed_at'>): boolean {
  return fed_at === NOT_FED || type === TEST_EVENT_TYPE;
}

/** Where the event of a document comes from. */
export function originOf({ occurred_at, traceparent }: Pick<EventDocument, 'occurred_at' | 'traceparent'>): EventOrigin {
  return { occurredAt: occurred_at, traceparent: traceparent ?? null };
}

/** The delivery in a document. */
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
    test: document.test === true || document.event_type === TEST_EVENT_TYPE,
    nextAttemptAt: document.next_attempt_at,
    nextReason: nextReasonOf(document),
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
