import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { createEventAcceptance } from '../intake/accept-events.ts';
import type { Delivery, LeasedDelivery } from '../intake/domain/delivery.ts';
import type { PlannedDelivery } from '../intake/domain/plan-delivery.ts';
import type { TenantEvent } from '../intake/domain/tenant-event.ts';
import type { AcceptedDelivery } from '../intake/ports.ts';
import { endpointFor, T0 } from './webhook-fixtures.ts';

/** How long a delivery is leased, in milliseconds. */
export const LEASE_MS = 60_000;

/** What an event meets. */
export interface Situation {
  /** Wait before the first attempt. */
  readonly first?: number;
  /** How many attempts at each endpoint would start soon. */
  readonly room?: number;
  /** The event that the store refuses. */
  readonly refused?: string;
}

/** The intake of a tenant with some endpoints, on a store that keeps nothing. */
export function world(endpoints: readonly Endpoint[], { first = 0, room = 64, refused }: Situation = {}) {
  const received: { event: TenantEvent; now: number; isReplayed: boolean }[] = [];
  const plans: (PlannedDelivery | null)[] = [];
  const ran: (readonly LeasedDelivery[])[] = [];
  const waiting: string[] = [];
  /** How many events had been received. */
  const settlings: number[] = [];
  const sent = new Map<string, Delivery>();
  const accepted = (event: TenantEvent, { deliveryId, leaseUntil }: PlannedDelivery): AcceptedDelivery => {
    const delivery = { deliveryId } as Delivery;
    sent.set(event.eventId, delivery);
    return { delivery, leased: leaseUntil === null ? null : ({ delivery } as LeasedDelivery) };
  };
  const acceptance = createEventAcceptance({
    intake: {
      async accept(entries, now, isReplayed = false) {
        return entries.map(({ event, plan }) => {
          received.push({ event, now, isReplayed });
          if (event.eventId === refused) return { error: new AppError('42201', 'refused') };
          try {
            const planned = endpoints.map((endpoint) => plan(endpoint));
            plans.push(...planned);
            return { deliveries: planned.flatMap((one) => (one === null ? [] : accepted(event, one))) };
          } catch (error) {
            return { error };
          }
        });
      },
      settled: async () => void settlings.push(received.length),
    },
    log: { ofEvent: async (_tenantId, _endpointId, eventId) => sent.get(eventId) },
    endpoints: { get: async (tenantId, id) => endpoints.find((one) => one.tenantId === tenantId && one.endpointId === id) },
    runner: {
      roomFor: () => room,
      run: (leased, full = new Set()) => {
        ran.push(leased);
        waiting.push(...full);
      },
    },
    firstWaitMs: () => first,
    clock: new ManualClock(T0),
    environment: 'sandbox',
    leaseMs: LEASE_MS,
  });
  return { acceptance, received, plans, ran, waiting, settlings };
}

/** An endpoint of the tenant. */
export const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });
