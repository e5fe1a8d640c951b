import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { Environment } from '@parcelway/contracts/environment';
import { TEST_EVENT_TYPE, type TenantEventType } from '@parcelway/contracts/webhook-api';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Endpoint } from './endpoint.ts';

/** Type of an event on its way to a tenant. */
export type SentEventType = TenantEventType | typeof TEST_EVENT_TYPE;

/** An event for a tenant that has no place in its parcel's sequence yet. Instants are epoch milliseconds. */
export interface TenantEvent {
  readonly tenantId: string;
  /** Id of the domain event, and the `webhook-id` of every attempt at every endpoint. */
  readonly eventId: string;
  readonly type: SentEventType;
  /** Null for a test event, which belongs to no parcel and has no sequence number. */
  readonly forecastNo: string | null;
  readonly poNumber: string | null;
  readonly occurredAt: number;
  /** The body with its number in the parcel's sequence, from 1 (null for a test event). Rendered once, stored, and sent as stored. */
  readonly render: (eventSeq: number | null) => string;
}

/** The tenant's event for a domain event. */
export function tenantEventOf(event: DomainEvent<'parcel.weighed'> | DomainEvent<'tracking.changed'>): TenantEvent {
  const { forecast_no, po_number } = event.data;
  const occurredAt = Date.parse(event.time);
  const render = (eventSeq: number | null): string => {
    const thin = { event_id: event.id, event_seq: eventSeq, environment: event.environment, forecast_no, po_number };
    return JSON.stringify({ type: event.type, timestamp: isoInstant(occurredAt), data: { ...thin, ...detailsOf(event) } });
  };
  return {
    tenantId: event.tenantid,
    eventId: event.id,
    type: event.type,
    forecastNo: forecast_no,
    poNumber: po_number,
    occurredAt,
    render,
  };
}

function detailsOf(event: DomainEvent<'parcel.weighed'> | DomainEvent<'tracking.changed'>): object {
  if (event.type === 'parcel.weighed') {
    const { status, weighed_at } = (event as DomainEvent<'parcel.weighed'>).data;
    return { status, weighed_at };
  }
  const { previous_admin_status, admin_status, is_terminal } = (event as DomainEvent<'tracking.changed'>).data;
  return { previous_admin_status, admin_status, is_terminal };
}

/** A test event for one endpoint. @param now epoch milliseconds */
export function testEventFor(endpoint: Endpoint, eventId: string, environment: Environment, now: number): TenantEvent {
  const data = { event_id: eventId, environment, endpoint_id: endpoint.endpointId };
  const body = JSON.stringify({ type: TEST_EVENT_TYPE, timestamp: isoInstant(now), data });
  return {
    tenantId: endpoint.tenantId,
    eventId,
    type: TEST_EVENT_TYPE,
    forecastNo: null,
    poNumber: null,
    occurredAt: now,
    render: () => body,
  };
}
