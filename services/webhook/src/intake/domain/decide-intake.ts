import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { createDelivery, type Delivery, type LeasedDelivery } from './delivery.ts';
import { type EventStream, type NumberedParcel, parcelText, streamOf } from './event-stream.ts';
import type { PlannedDelivery } from './plan-delivery.ts';
import type { TenantEvent } from './tenant-event.ts';

export interface IntakeEntry {
  readonly event: TenantEvent;
  /** Asked for every endpoint of the tenant; null when the event is not for it. What it throws refuses the event. */
  readonly plan: (endpoint: Endpoint) => PlannedDelivery | null;
}

export interface KnownBefore {
  /** The endpoints of a tenant that exist, the oldest first. */
  readonly endpointsOf: (tenantId: string) => readonly Endpoint[];
  readonly isStored: (event: TenantEvent) => boolean;
  /** The highest number that a parcel has given; 0 when none. */
  readonly lastNumberOf: (parcel: NumberedParcel) => number;
}

export interface NewDelivery {
  readonly endpoint: Endpoint;
  readonly delivery: Delivery;
  /** With what an attempt needs; null when this process does not lease it. */
  readonly leased: LeasedDelivery | null;
}

export interface NewEvent {
  readonly index: number;
  readonly event: TenantEvent;
  readonly stream: EventStream;
  /** Its number in the parcel; null when it belongs to none. */
  readonly sequence: number | null;
  readonly body: string;
  readonly deliveries: readonly NewDelivery[];
}

export interface IntakeDecision {
  /** In the order of the batch, which is also the order of the numbers of a parcel. */
  readonly inserts: readonly NewEvent[];
  /** Places of the events that were stored before the batch. */
  readonly stored: readonly number[];
  /** Events that are in the batch before: they have the outcome of the first. */
  readonly repeated: readonly { readonly index: number; readonly first: number }[];
  readonly refused: readonly { readonly index: number; readonly error: unknown }[];
}

const eventText = ({ tenantId, eventId }: TenantEvent): string => `${tenantId}\n${eventId}`;

/**
 * Decides a batch of events, each of which is stored once: a known one, or the second of two in one batch, changes nothing.
 * An event that is refused takes no number.
 * @param now epoch milliseconds
 */
export function decideIntake(entries: readonly IntakeEntry[], known: KnownBefore, now: number): IntakeDecision {
  const inserts: NewEvent[] = [];
  const stored: number[] = [];
  const repeated: { index: number; first: number }[] = [];
  const refused: { index: number; error: unknown }[] = [];
  const seen = new Map<string, number>();
  const numbers = new Map<string, number>();
  entries.forEach(({ event, plan }, index) => {
    const first = seen.get(eventText(event));
    if (first !== undefined) {
      repeated.push({ index, first });
      return;
    }
    seen.set(eventText(event), index);
    if (known.isStored(event)) {
      stored.push(index);
      return;
    }
    const { parcel } = event;
    const key = parcel && parcelText(parcel);
    const sequence = parcel && key !== null ? (numbers.get(key) ?? known.lastNumberOf(parcel)) + 1 : null;
    try {
      const stream = parcel?.stream ?? streamOf(event.type);
      const body = event.render(sequence);
      const deliveries = plannedDeliveries(event, body, plan, known.endpointsOf(event.tenantId), now);
      inserts.push({ index, event, stream, sequence, body, deliveries });
      if (key !== null && sequence !== null) numbers.set(key, sequence);
    } catch (error) {
      refused.push({ index, error });
    }
  });
  return { inserts, stored, repeated, refused };
}

function plannedDeliveries(
  event: TenantEvent,
  body: string,
  plan: IntakeEntry['plan'],
  endpoints: readonly Endpoint[],
  now: number,
): NewDelivery[] {
  const deliveries: NewDelivery[] = [];
  for (const endpoint of endpoints) {
    const planned = plan(endpoint);
    if (planned === null) continue;
    const delivery = createDelivery(event, endpoint.endpointId, planned, now);
    const { leaseUntil } = planned;
    const origin = { occurredAt: event.occurredAt, traceparent: event.traceparent };
    deliveries.push({
      endpoint,
      delivery,
      leased: leaseUntil === null ? null : { endpoint, delivery, body, origin, leaseUntil, version: 1 },
    });
  }
  return deliveries;
}
