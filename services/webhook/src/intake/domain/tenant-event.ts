import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { Environment } from '@parcelway/contracts/environment';
import { inEnvironment } from '@parcelway/contracts/example-parcel';
import { webhookExamples } from '@parcelway/contracts/examples';
import type { WebhookBodies } from '@parcelway/contracts/webhook-bodies';
import type { TestRequest } from '@parcelway/contracts/webhook-delivery-api';
import { DISABLED_EVENT_TYPE, type SentEventType, TEST_EVENT_TYPE } from '@parcelway/contracts/webhook-event-types';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import type { EventFields } from '../../endpoints/domain/subscription.ts';
import { type NumberedParcel, parcelOf } from './event-stream.ts';
import { type NotifiedEventType, notificationOf } from './notified-events.ts';

/** An event for a tenant that has no place in its parcel's sequence yet. Instants are epoch milliseconds. */
export interface TenantEvent {
  readonly tenantId: string;
  /** Id of the domain event, and the `webhook-id` of every attempt at every endpoint. */
  readonly eventId: string;
  readonly type: SentEventType;
  /** Null when it belongs to no parcel and has no sequence number. */
  readonly parcel: NumberedParcel | null;
  readonly poNumber: string | null;
  /** The endpoint that a test event is for, or that was disabled; null otherwise. */
  readonly about: string | null;
  /** Made on demand, for one endpoint; not in the feed. */
  readonly test: boolean;
  /** What filters look at. */
  readonly fields: EventFields;
  readonly occurredAt: number;
  /** `traceparent` of what caused it; null when that is not known. */
  readonly traceparent: string | null;
  /** The body with its number in the parcel's sequence, from 1 (null when it belongs to no parcel). Rendered once, stored, and sent as stored. */
  readonly render: (eventSeq: number | null) => string;
}

export function tenantEventOf(event: DomainEvent<NotifiedEventType>): TenantEvent {
  const { forecast_no, po_number } = event.data;
  const { type, details } = notificationOf(event);
  const occurredAt = Date.parse(event.time);
  const render = (eventSeq: number | null): string => {
    const thin = { event_id: event.id, event_seq: eventSeq, environment: event.environment, forecast_no, po_number };
    return JSON.stringify({ type, timestamp: isoInstant(occurredAt), data: { ...thin, ...details } });
  };
  return {
    tenantId: event.tenantid,
    eventId: event.id,
    type,
    parcel: parcelOf(event.tenantid, forecast_no, type),
    poNumber: po_number,
    about: null,
    test: false,
    fields: { forecast_no, po_number, ...details },
    occurredAt,
    traceparent: event.traceparent ?? null,
    render,
  };
}

interface EventOptions {
  readonly eventId: string;
  readonly environment: Environment;
  /** Epoch milliseconds. */
  readonly now: number;
}

function aboutEndpoint(endpoint: Endpoint, type: SentEventType, body: string, { eventId, now }: EventOptions, test: boolean): TenantEvent {
  return {
    tenantId: endpoint.tenantId,
    eventId,
    type,
    parcel: null,
    poNumber: null,
    about: endpoint.endpointId,
    test,
    fields: {},
    occurredAt: now,
    traceparent: null,
    render: () => body,
  };
}

/** A test event for one endpoint: of a type of its own, or of a type that merchants get, with made-up data and the mark `test`. */
export function testEventFor(endpoint: Endpoint, type: NonNullable<TestRequest['event_type']>, options: EventOptions): TenantEvent {
  const { eventId, environment, now } = options;
  const timestamp = isoInstant(now);
  const data =
    type === TEST_EVENT_TYPE
      ? { event_id: eventId, environment, endpoint_id: endpoint.endpointId }
      : { ...inEnvironment(webhookExamples[type], environment).data, event_id: eventId, test: true };
  return aboutEndpoint(endpoint, type, JSON.stringify({ type, timestamp, data }), options, true);
}

/** The news for the tenant's other endpoints that one was disabled by the platform. */
export function disabledEventOf(endpoint: Endpoint, options: EventOptions): TenantEvent {
  const body: WebhookBodies['endpoint.disabled'] = {
    type: DISABLED_EVENT_TYPE,
    timestamp: isoInstant(options.now),
    data: {
      event_id: options.eventId,
      environment: options.environment,
      endpoint_id: endpoint.endpointId,
      url: endpoint.url,
      reason: endpoint.disabledReason ?? 'failing',
    },
  };
  return aboutEndpoint(endpoint, DISABLED_EVENT_TYPE, JSON.stringify(body), options, false);
}
