import type { IntakeEntry } from './domain/decide-intake.ts';
import type { Delivery, LeasedDelivery } from './domain/delivery.ts';

/** Stores events. What the other ports show of them survives a loss of power. */
export interface EventIntake {
  /**
   * Reads what is known of the events, decides them (./domain/decide-intake.ts) and stores the decision. An event that is stored already
   * changes nothing, except that deliveries are inserted which a crash has kept from being inserted with it. One event that cannot be
   * stored does not keep the others from being stored.
   * @param now epoch milliseconds
   * @param isReplayed true when the events come again unless {@link settled} has resolved: then they need not wait for the disk. Default false
   * @returns an outcome for each event, in their order
   */
  accept(entries: readonly IntakeEntry[], now: number, isReplayed?: boolean): Promise<readonly IntakeOutcome[]>;
  /** Resolves once all that was accepted survives a loss of power. @throws AppError 50301 when the store is out */
  settled(): Promise<void>;
}

/** Why an event was not stored, or the deliveries inserted for it, with the lease of those that were planned with one; none for a known event. */
export type IntakeOutcome = { readonly deliveries: readonly AcceptedDelivery[] } | { readonly error: unknown };

export interface AcceptedDelivery {
  readonly delivery: Delivery;
  /** Null when it waits in the store until a process leases it. */
  readonly leased: LeasedDelivery | null;
}

/** Makes the first attempts of deliveries that are leased from the beginning. */
export interface FirstAttempts {
  /** How many attempts at this endpoint would start soon, so that their leases may be taken right away. */
  roomFor(endpointId: string): number;
  /**
   * Starts leased deliveries.
   * @param waiting endpoints that had no room for others, which are in the store by now; default none
   */
  run(leased: readonly LeasedDelivery[], waiting?: ReadonlySet<string>): void;
}

/** Finds what an event has already brought. */
export interface DeliveryLookup {
  /** The delivery of an event at an endpoint; undefined when the event was not for it, or the retention has deleted it. */
  ofEvent(tenantId: string, endpointId: string, eventId: string): Promise<Delivery | undefined>;
}

/** Puts writes together when there is much to write. */
export interface WritePace {
  /** Resolves when the next write may begin. */
  turn(): Promise<void>;
  /** Notes that a write of so many begins. */
  begun(count: number): void;
}
