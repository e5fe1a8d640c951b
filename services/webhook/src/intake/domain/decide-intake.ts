import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import { createDelivery, type Delivery, type LeasedDelivery } from './delivery.ts';
import { type EventStream, streamOf } from './event-stream.ts';
import type { PlannedDelivery } from './plan-delivery.ts';
import type { TenantEvent } from './tenant-event.ts';

export interface IntakeEntry {
  readonly event: TenantEvent;
  /** Asked for every endpoint of the tenant; null when the event is not for it. What it throws refuses the event. */
  readonly plan: (endpoint: Endpoint) => PlannedDelivery | null;
}

export interface NewDelivery {
  readonly endpoint: Endpoint;
  readonly delivery: Delivery;
  /** With what an attempt needs; null when this process does not lease it. */
  readonly leased: LeasedDelivery | null;
}

export interface NewEvent {
  readonly event: TenantEvent;
  readonly stream: EventStream;
  /** Its number in the parcel; null when it belongs to none. */
  readonly sequence: number | null;
  readonly body: string;
  readonly deliveries: readonly NewDelivery[];
}

/**
 * Decides an event that is not stored yet.
 * @param endpoints of its tenant that exist, the oldest first
 * @param last the highest number that its parcel has given; 0 when none
 * @param now epoch milliseconds
 * @throws what its plan throws: then it is refused, and takes no number
 */
export function decideEvent({ event, plan }: IntakeEntry, endpoints: readonly Endpoint[], last: number, now: number): NewEvent {
  const { parcel } = event;
  const sequence = parcel === null ? null : last + 1;
  const body = event.render(sequence);
  const origin = { occurredAt: event.occurredAt, traceparent: event.traceparent };
  const deliveries: NewDelivery[] = [];
  for (const endpoint of endpoints) {
    const planned = plan(endpoint);
    if (planned === null) continue;
    const delivery = createDelivery(event, endpoint.endpointId, planned, now);
    const { leaseUntil } = planned;
    deliveries.push({
      endpoint,
      delivery,
      leased: leaseUntil === null ? null : { endpoint, delivery, body, origin, leaseUntil, version: 1 },
    });
  }
  return { event, stream: parcel?.stream ?? streamOf(event.type), sequence, body, deliveries };
}
