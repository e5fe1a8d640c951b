import type { Circuit } from '../../endpoints/domain/circuit.ts';
import type { Endpoint } from '../../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import type { AttemptResult } from '../../queue/domain/attempt.ts';
import type { Interruption } from './interruption.ts';
import type { Lane } from './lane.ts';

export interface RunningAttempt {
  readonly lane: Lane;
  /** With the endpoint as it was when the attempt started. */
  readonly leased: LeasedDelivery;
  /** It had to wait because its receiver had asked for less. */
  readonly heldBack: boolean;
  readonly interruption: Interruption;
}

/** A fact that the dispatcher learns. Instants are epoch milliseconds. */
export type DispatchEvent =
  /**
   * Deliveries of this process. `asked`: how many were asked of the store, by endpoint. `waiting`: endpoints that had no room for new
   * deliveries, which are in the store.
   */
  | {
      readonly type: 'leased';
      readonly leased: readonly LeasedDelivery[];
      readonly asked?: ReadonlyMap<string, number>;
      readonly waiting?: ReadonlySet<string>;
    }
  | { readonly type: 'attempted'; readonly attempt: RunningAttempt; readonly result: AttemptResult }
  /** It was no attempt: what it is to be sent with cannot be had now. */
  | { readonly type: 'postponed'; readonly attempt: RunningAttempt; readonly until: number }
  /** An attempt threw; its lease runs out. */
  | { readonly type: 'crashed'; readonly attempt: RunningAttempt }
  | { readonly type: 'recorded'; readonly results: readonly AttemptResult[] }
  | { readonly type: 'endpoint_changed'; readonly endpoint: Endpoint }
  | { readonly type: 'endpoint_removed'; readonly endpointId: string }
  /** The rate limiter has decided on one attempt of a lane. */
  | { readonly type: 'token_decided'; readonly lane: Lane; readonly allowed: boolean; readonly waitMs: number }
  /** The timer of a lane has run. `at`: what it was set to. */
  | { readonly type: 'timer'; readonly lane: Lane; readonly purpose: 'pause' | 'token'; readonly at: number }
  /** The store is about to be looked through. */
  | { readonly type: 'polled' }
  /** Nothing is leased or started any more. */
  | { readonly type: 'stopping' }
  /** Nothing comes from the store any more: what waits is given back. */
  | { readonly type: 'stopped' }
  /** Attempts that still run are to end. */
  | { readonly type: 'deadline' };

/** Something to be done. They are performed in their order. */
export type DispatchEffect =
  | { readonly type: 'attempt'; readonly attempt: RunningAttempt }
  | { readonly type: 'interrupt'; readonly interruptions: readonly Interruption[] }
  /** Gives leases back. `until`: they cannot be leased before. */
  | { readonly type: 'release'; readonly leased: readonly LeasedDelivery[]; readonly until?: number }
  /** Gives a lease back before its attempt takes a place or a token: the data of the full payload is unavailable. */
  | { readonly type: 'postpone'; readonly leased: LeasedDelivery; readonly until: number }
  /** Reports an attempt, and has its result stored. */
  | { readonly type: 'settle'; readonly result: AttemptResult; readonly heldBack: boolean }
  | { readonly type: 'circuit_opened'; readonly endpoint: Endpoint; readonly circuit: Circuit }
  /** Asks the rate limiter for one attempt a second of `perSecond`; `token_decided` is the outcome. */
  | { readonly type: 'take_token'; readonly lane: Lane; readonly perSecond: number }
  /** `timer` is the outcome. */
  | { readonly type: 'set_timer'; readonly lane: Lane; readonly purpose: 'pause' | 'token'; readonly at: number }
  /** Looks for due deliveries at an instant or earlier. */
  | { readonly type: 'look_at'; readonly at: number }
  /** Leases more of one endpoint. */
  | { readonly type: 'refill'; readonly endpointId: string };
