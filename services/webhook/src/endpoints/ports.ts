import type { FieldError } from '@parcelway/kernel/app-error';
import type { Endpoint } from './domain/endpoint.ts';

/*
 * What the use cases need from the outside. Stores are asked in batches wherever work comes in batches. Every store
 * method throws AppError 50301 when the store is out. Functions that are passed decide what is written: they are pure,
 * synchronous, and run again when another was quicker. Any number of processes may work on one store.
 */

export interface EndpointStore {
  /**
   * Adds an endpoint unless its tenant has `max` already.
   * @returns false when it has
   * @throws AppError 50301 while an endpoint with its id is created, or not completely deleted yet
   */
  insert(endpoint: Endpoint, max: number): Promise<boolean>;
  /** All endpoints of a tenant, oldest first. */
  list(tenantId: string): Promise<readonly Endpoint[]>;
  get(tenantId: string, endpointId: string): Promise<Endpoint | undefined>;
  /** The present state of endpoints, in any order; what is missing has been removed. */
  present(known: readonly Pick<Endpoint, 'tenantId' | 'endpointId'>[]): Promise<readonly Endpoint[]>;
  /** Changes an endpoint atomically. @returns the new state, undefined when there is none */
  update(tenantId: string, endpointId: string, change: (current: Endpoint) => Endpoint): Promise<Endpoint | undefined>;
  /** Makes an endpoint vanish at once; its deliveries go by the maintenance (retention/ports). @returns false when there is none */
  remove(tenantId: string, endpointId: string): Promise<boolean>;
}

/** Decides whether a receiver's address may be used. */
export interface UrlGuard {
  /** Why a URL is refused, on the field `url`, with a sentence that says what to do; undefined when it is allowed. */
  refusalOf(url: string): Promise<FieldError | undefined>;
}

export interface EndpointObserver {
  /** Says that an endpoint has changed: the next attempts go by its new state. One older than what is known changes nothing. */
  endpointChanged(endpoint: Endpoint): void;
  /** Stops everything at an endpoint, running attempts included. */
  endpointRemoved(endpointId: string): void;
}
