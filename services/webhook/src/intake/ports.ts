import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { Delivery, LeasedDelivery } from './domain/delivery.ts';
import type { TenantEvent } from './domain/tenant-event.ts';

/** What becomes of an event at one endpoint. */
export interface PlannedDelivery {
  readonly deliveryId: string;
  readonly status: 'pending' | 'held';
  /** Null when held. */
  readonly nextAttemptAt: number | null;
  /** Set when this process sends it itself: nobody else takes it before. */
  readonly leaseUntil: number | null;
}

/** Takes events in. What the other ports show of them survives a loss of power. */
export interface EventIntake {
  /**
   * Stores an event with the next number of its parcel, and its deliveries. An event that is known already changes
   * nothing, except that deliveries are made which a crash has kept from being made with it.
   * @param plan asked for every endpoint of the tenant; null when the event is not for it. What it throws undoes all
   * @param comesAgain true when the event is taken in once more unless {@link settled} has resolved: then it need not wait for the disk. Default false
   * @returns the deliveries made, with the lease of those that were planned with one; empty for a known event
   */
  accept(
    event: TenantEvent,
    now: number,
    plan: (endpoint: Endpoint) => PlannedDelivery | null,
    comesAgain?: boolean,
  ): Promise<readonly AcceptedDelivery[]>;
  /** Resolves once all that was accepted survives a loss of power. @throws AppError 50301 when the store is out */
  settled(): Promise<void>;
}

/** A delivery that was made. */
export interface AcceptedDelivery {
  readonly delivery: Delivery;
  /** Null when it waits for whoever leases it. */
  readonly leased: LeasedDelivery | null;
}

/** Makes the first attempts of deliveries that are born leased. */
export interface FirstAttempts {
  /** True when an attempt at this endpoint would start soon, so that its lease may be taken right away. */
  hasRoom(endpointId: string): boolean;
  /** Takes over leased deliveries. */
  run(leased: readonly LeasedDelivery[]): void;
}

/** Finds what an event has already brought. */
export interface DeliveryLookup {
  /** The delivery of an event at an endpoint; undefined when the event was not for it, or the retention has deleted it. */
  ofEvent(tenantId: string, endpointId: string, eventId: string): Promise<Delivery | undefined>;
}
