import type { ReplayChoice } from '@parcelway/contracts/webhook-delivery-api';
import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { FieldError } from '@parcelway/kernel/app-error';
import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import type { Attempt, AttemptResult, Delivery, DeliveryStatus, LeasedDelivery, Reply } from './domain/delivery.ts';
import type { Endpoint } from './domain/endpoint.ts';
import type { FullPart } from './domain/full-payload.ts';
import type { Interruption } from './domain/interruption.ts';
import type { TenantEvent } from './domain/tenant-event.ts';

/*
 * What the use cases need from the outside. Stores are asked in batches wherever work comes in batches. Every store
 * method throws AppError 50301 when the store is out. Functions handed in decide what is written: they are pure,
 * synchronous, and run again when another was quicker. Any number of processes may work on one store.
 */

/** The registered receivers. */
export interface EndpointStore {
  /** Adds an endpoint unless its tenant has `max` already. @returns false when it has */
  insert(endpoint: Endpoint, max: number): Promise<boolean>;
  /** All endpoints of a tenant, oldest first. */
  list(tenantId: string): Promise<readonly Endpoint[]>;
  get(tenantId: string, endpointId: string): Promise<Endpoint | undefined>;
  /** The present state of endpoints, in any order; what is missing has been removed. */
  present(known: readonly Pick<Endpoint, 'tenantId' | 'endpointId'>[]): Promise<readonly Endpoint[]>;
  /** Changes an endpoint atomically. @returns the new state, undefined when there is none */
  update(tenantId: string, endpointId: string, change: (current: Endpoint) => Endpoint): Promise<Endpoint | undefined>;
  /** Makes an endpoint vanish at once; its deliveries go by {@link Upkeep.purgeDeleted}. @returns false when there is none */
  remove(tenantId: string, endpointId: string): Promise<boolean>;
}

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

/** The deliveries that are due, shared by all processes. */
export interface DeliveryQueue {
  /**
   * Endpoints that have deliveries due, in the order of their ids, so that every endpoint gets its turn however many
   * deliveries another has.
   * @param options.after continues after this id; '' from the beginning
   * @param options.limit at most this many endpoints are looked at
   * @returns `next`: where to go on; null when all have been looked at
   */
  dueEndpoints(options: {
    readonly after: string;
    readonly now: number;
    readonly limit: number;
  }): Promise<{ readonly endpointIds: readonly string[]; readonly next: string | null }>;
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
   * Leases due deliveries, the longest due first; of each endpoint as many as domain/endpoint leasable allows. Of processes
   * that ask at once each gets others.
   */
  lease(
    wanted: readonly { readonly endpointId: string; readonly count: number }[],
    now: number,
    leaseUntil: number,
  ): Promise<readonly LeasedDelivery[]>;
  /** Gives leases back: the deliveries are due as before. @param until nobody leases them before, epoch milliseconds; default: they may be leased at once */
  release(leased: readonly LeasedDelivery[], until?: number): Promise<void>;
  /**
   * Writes down finished attempts; the same ones may come again after a failure. A result whose lease was lost, or whose delivery was held or
   * asked for again meanwhile, is logged; it changes the state only if it succeeded. A 410 leaves the delivery to be held
   * with the others of its endpoint; one of a receiver that the endpoint has left is logged, and the delivery is due as
   * before.
   * @param health the endpoint after its results of this batch
   * @returns endpoints that became disabled by it
   */
  record(
    results: readonly AttemptResult[],
    health: (endpoint: Endpoint, results: readonly AttemptResult[]) => Endpoint,
  ): Promise<readonly Endpoint[]>;
}

/** What deliveries came to. */
export interface DeliveryLog {
  /** A page, newest first. @param page.before place to continue at, from `next` of the page before */
  list(
    tenantId: string,
    endpointId: string,
    page: { readonly status?: DeliveryStatus | undefined; readonly limit: number; readonly before: string | null },
  ): Promise<{ readonly deliveries: readonly Delivery[]; readonly next: string | null }>;
  get(tenantId: string, endpointId: string, deliveryId: string): Promise<Delivery | undefined>;
  /** The delivery of an event at an endpoint; undefined when the event was not for it, or the retention has deleted it. */
  ofEvent(tenantId: string, endpointId: string, eventId: string): Promise<Delivery | undefined>;
  /** The stored body of an event; undefined once the retention has deleted it. */
  body(tenantId: string, eventId: string): Promise<string | undefined>;
  /** Oldest first; the newest `limit`. */
  attempts(tenantId: string, endpointId: string, deliveryId: string, limit: number): Promise<readonly Attempt[]>;
}

/** Sends what was taken before. */
export interface Redelivery {
  /** Starts a new run of the schedule now, unless the delivery is due or running anyway. @returns undefined when there is none */
  resend(tenantId: string, endpointId: string, deliveryId: string, now: number): Promise<Delivery | undefined>;
  /**
   * Makes events of a time range due for an endpoint, those it never had included; skips what is due or running anyway.
   * @param range.after place to continue at, from `next` of the batch before; the store's own notation, of ASCII characters without a blank
   * @param range.limit events of the range that are looked at
   * @returns how many were made due; `next` null at the end of the range
   * @throws AppError 42201 when `range.after` is no place of the store's
   */
  replay(
    endpoint: Endpoint,
    range: {
      readonly types: readonly SentEventType[];
      readonly since: number;
      readonly until: number;
      readonly only: ReplayChoice;
      /** Says of an event of one of the types whether the endpoint wants it. */
      readonly matches: (body: string) => boolean;
      readonly after: string | null;
      readonly limit: number;
    },
    now: number,
    newDeliveryId: () => string,
  ): Promise<{ readonly scheduled: number; readonly next: string | null }>;
}

/** An event in the feed. */
export interface FeedEvent {
  readonly eventId: string;
  readonly type: SentEventType;
  /** As sent. */
  readonly body: string;
}

/** The events of a tenant in the order in which they were taken in, test events left out. */
export interface EventFeed {
  /**
   * A page behind a place. Nothing that is taken in later ever has an earlier place, so a reader that goes on from `next`
   * misses nothing; an event may come twice.
   * @param from.after place to go on from, from `next` of the page before
   * @param from.since instead of a place: what was taken in at or after this instant; null for all that is kept
   * @param types only these; null for all
   * @param limit events looked at
   * @returns `more` when the next page has events already; `next` is never null: at the end of the feed it waits for what comes
   */
  page(
    tenantId: string,
    from: { readonly after: string } | { readonly since: number | null },
    types: readonly SentEventType[] | null,
    limit: number,
  ): Promise<{ readonly events: readonly FeedEvent[]; readonly next: string; readonly more: boolean }>;
  /** The place behind everything that has been taken in. */
  end(tenantId: string): Promise<string>;
}

/** Slow work in the background, in small batches. Those with a boolean resolve with true while there may be more to do. */
export interface Upkeep {
  /** Turns pending deliveries of disabled endpoints into held ones. */
  holdDisabled(limit: number): Promise<boolean>;
  /** Deletes deliveries and attempts of deleted endpoints, and at last the endpoints. */
  purgeDeleted(limit: number): Promise<boolean>;
  /** Deletes settled deliveries that were made before `before`, with their attempts. */
  expireDeliveries(before: number, limit: number): Promise<boolean>;
  /** Deletes events that were taken in before `before` and have no delivery left. */
  expireEvents(before: number, limit: number): Promise<boolean>;
  /**
   * Forgets the number that a parcel's next event gets, once the parcel has had none since `before`. Events are kept for
   * less time: theirs have expired by then.
   */
  expireSequences(before: number, limit: number): Promise<boolean>;
  /** Endpoints that the platform has disabled without having told of it yet (`disablingToTell`). */
  untold(limit: number): Promise<readonly Endpoint[]>;
  /** Endpoints that have been paused since before an instant. */
  pausedBefore(before: number, limit: number): Promise<readonly Endpoint[]>;
}

/** Everything that is stored. */
export interface WebhookStores {
  readonly idempotency: IdempotencyStore;
  readonly endpoints: EndpointStore;
  readonly intake: EventIntake;
  readonly queue: DeliveryQueue;
  readonly log: DeliveryLog;
  readonly redelivery: Redelivery;
  readonly feed: EventFeed;
  readonly upkeep: Upkeep;
}

/** One HTTP request to a receiver. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Speaks HTTP to receivers. */
export interface Sender {
  /** Never rejects: every failure is a reply. `interruption` ends the call early. */
  send(request: WebhookRequest, interruption: Interruption): Promise<Reply>;
  close(): Promise<void>;
}

/** Signs with one secret. @returns `v1,` and base64 */
export type Sign = (secret: string, webhookId: string, timestampSeconds: number, body: string) => string;

/** Asks the services that own the data of parcels. */
export interface FullContent {
  /**
   * What the query returns at this moment.
   * @param traceparent of the event
   * @throws AppError 40403 when there is no such forecast or parcel any more, 41301 when it is larger than a full body may be, any other
   * when it cannot be had now
   */
  read(part: FullPart, tenantId: string, forecastNo: string, traceparent: string | null): Promise<unknown>;
}

/** Decides whether a receiver's address may be used. */
export interface UrlGuard {
  /** What stands against a URL, on the field `url`, with a sentence that tells what to do; undefined when it is allowed. */
  refusalOf(url: string): Promise<FieldError | undefined>;
}

/** What the use cases tell the dispatcher of this process. */
export interface DeliveryRunner {
  /** True when an attempt at this endpoint would start soon, so that its lease may be taken right away. */
  hasRoom(endpointId: string): boolean;
  /** Takes over leased deliveries. */
  run(leased: readonly LeasedDelivery[]): void;
  /** Says that deliveries became due. */
  wake(): void;
  /** Says that an endpoint has changed: the next attempts go by its new state. One older than what is known changes nothing. */
  endpointChanged(endpoint: Endpoint): void;
  /** Stops everything at an endpoint, running attempts included. */
  endpointRemoved(endpointId: string): void;
  /** The endpoints that deliveries of this process wait for or run at, as it knows them. */
  endpointsInUse(): readonly Endpoint[];
}
