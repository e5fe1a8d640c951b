import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { Delivery, DeliveryStatus, LeasedDelivery } from '../intake/domain/delivery.ts';
import type { DeliveryLookup } from '../intake/ports.ts';
import type { Attempt, AttemptResult } from './domain/attempt.ts';
import type { ReplayWish } from './domain/replay.ts';

/** The deliveries that are due, shared by all processes. */
export interface DeliveryQueue {
  /**
   * Endpoints that have deliveries due, in the order of their ids, so that every endpoint gets its turn however many
   * deliveries another has.
   * @param options.after continues after this id; '' from the beginning
   * @param options.limit at most this many endpoints are looked at
   * @returns `next`: where to go on; null when all have been looked at. `nextDueAt`: when the first delivery of those endpoints that were
   * looked at is due, epoch milliseconds, past when one is and infinite when there is none; absent where a driver does not know
   */
  dueEndpoints(options: {
    readonly after: string;
    readonly now: number;
    readonly limit: number;
  }): Promise<{ readonly endpointIds: readonly string[]; readonly next: string | null; readonly nextDueAt?: number }>;
  /**
   * How many deliveries of endpoints are due and not leased, and since when the one that has waited longest is due (epoch
   * milliseconds, null when none is).
   * @param limit counts no further
   */
  backlogOf(
    endpointIds: readonly string[],
    now: number,
    limit: number,
  ): Promise<{ readonly count: number; readonly oldestDueAt: number | null }>;
  /**
   * Leases due deliveries, the longest due first; of each endpoint as many as endpoints/domain/endpoint leasable allows. Of processes
   * that ask at once each gets others.
   */
  lease(
    wanted: readonly { readonly endpointId: string; readonly count: number }[],
    now: number,
    leaseUntil: number,
  ): Promise<readonly LeasedDelivery[]>;
  /** Gives leases back: the deliveries are due as before. @param until they cannot be leased before, epoch milliseconds; default: they can be leased at once */
  release(leased: readonly LeasedDelivery[], until?: number): Promise<void>;
  /**
   * Writes down finished attempts; the same ones may come again after a failure. A result whose lease was lost, or whose delivery was held or
   * asked for again meanwhile, is logged; it changes the state only if it succeeded. See changeAfter in ./domain/attempt.ts for the state.
   * Two results of one delivery under two leases may be logged in either order.
   * @param health the endpoint after its results of this batch
   * @returns endpoints that became disabled by it
   */
  record(
    results: readonly AttemptResult[],
    health: (endpoint: Endpoint, results: readonly AttemptResult[]) => Endpoint,
  ): Promise<readonly Endpoint[]>;
  /** Resolves when the next results are to be written down: what comes until then is written with them. Where it is absent they are at once. */
  untilRecordable?(): Promise<void>;
}

export interface DeliveryLog extends DeliveryLookup {
  /** A page, newest first. @param page.before place to continue at, from `next` of the previous page */
  list(
    tenantId: string,
    endpointId: string,
    page: { readonly status?: DeliveryStatus | undefined; readonly limit: number; readonly before: string | null },
  ): Promise<{ readonly deliveries: readonly Delivery[]; readonly next: string | null }>;
  get(tenantId: string, endpointId: string, deliveryId: string): Promise<Delivery | undefined>;
  /** The stored body of an event; undefined once the retention has deleted it. */
  body(tenantId: string, eventId: string): Promise<string | undefined>;
  /** Oldest first; the newest `limit`. */
  attempts(tenantId: string, endpointId: string, deliveryId: string, limit: number): Promise<readonly Attempt[]>;
}

export interface Redelivery {
  /** Starts a new run of the schedule now, unless the delivery is in flight (./domain/in-flight.ts). @returns undefined when there is no delivery */
  resend(tenantId: string, endpointId: string, deliveryId: string, now: number): Promise<Delivery | undefined>;
  /**
   * Makes events of a time range due for an endpoint as decideReplay (./domain/replay.ts) decides, those it never had included.
   * @param range.after place to continue at, from `next` of the batch before; the store's own notation, of ASCII characters without a blank
   * @param range.limit events of the range that are looked at
   * @returns how many were made due; `next` null at the end of the range
   * @throws AppError 42201 when `range.after` is no place of the store's
   */
  replay(
    endpoint: Endpoint,
    range: ReplayWish & {
      readonly since: number;
      readonly until: number;
      readonly after: string | null;
      readonly limit: number;
    },
    now: number,
    newDeliveryId: () => string,
  ): Promise<{ readonly scheduled: number; readonly next: string | null }>;
}

export interface QueueWaker {
  /** Says that deliveries became due. */
  wake(): void;
}
