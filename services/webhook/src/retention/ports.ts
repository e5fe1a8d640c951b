import type { Endpoint } from '../endpoints/domain/endpoint.ts';

/** Slow work in the background, in small batches. Those with a boolean resolve with true while there may be more to do. */
export interface Maintenance {
  /** Turns pending deliveries of disabled endpoints into held ones. */
  holdDisabled(limit: number): Promise<boolean>;
  /** Deletes deliveries and attempts of deleted endpoints, and at last the endpoints. */
  purgeDeleted(limit: number): Promise<boolean>;
  /** Deletes settled deliveries that were made before `before`, with their attempts. */
  expireDeliveries(before: number, limit: number): Promise<boolean>;
  /** Deletes events that were stored before `before` and have no delivery left. */
  expireEvents(before: number, limit: number): Promise<boolean>;
  /** Endpoints that the platform has disabled, and whose disabling is still to be published (`disablingToPublish`). */
  disablingsToPublish(limit: number): Promise<readonly Endpoint[]>;
  /** Endpoints that have been paused since before an instant. */
  pausedBefore(before: number, limit: number): Promise<readonly Endpoint[]>;
}
