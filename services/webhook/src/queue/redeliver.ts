import { setImmediate as turn } from 'node:timers/promises';
import type { ReplayChoice } from '@parcelway/contracts/webhook-delivery-api';
import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Store, Stored, Write } from '@parcelway/store/store';
import { type Endpoint, notEnabled } from '../endpoints/domain/endpoint.ts';
import { bodyFitsFilter } from '../endpoints/domain/subscription.ts';
import type { EndpointStore } from '../endpoints/endpoint-store.ts';
import { noSuchEndpoint } from '../endpoints/manage-endpoints.ts';
import { type DeliveryDocument, deliveries, deliveryOf, documentOf, placed } from '../intake/deliveries-collection.ts';
import { createDelivery, type Delivery } from '../intake/domain/delivery.ts';
import { streamsOf } from '../intake/domain/event-stream.ts';
import { type EventDocument, events } from '../intake/event-collections.ts';
import { MAY_BE_UNSTORED_MS } from '../intake/unstored-deliveries.ts';
import { findDelivery } from './delivery-log.ts';

/** How far a delivery has come, as far as a resend or a replay has to know. */
export interface DeliveryProgress extends Pick<Delivery, 'status' | 'nextAttemptAt'> {
  /** A process holds its lease. */
  readonly isLeased: boolean;
}

/** True when a delivery is being sent or about to be: making it due once more would only send it twice. */
export function isInFlight({ status, nextAttemptAt, isLeased }: DeliveryProgress, now: number): boolean {
  return status === 'pending' && (isLeased || (nextAttemptAt !== null && nextAttemptAt <= now));
}

/** What changes of a delivery that starts a new run of its schedule at once. @param now epoch milliseconds */
export function newRun(now: number) {
  return { status: 'pending', step: 0, nextAttemptAt: now, nextReason: 'first' } as const satisfies Partial<Delivery>;
}

/** Which events of a time range a replay is to make due. */
export interface ReplayWish {
  readonly types: readonly SentEventType[];
  readonly only: ReplayChoice;
  /** Says of an event of one of the types whether the endpoint wants it. */
  readonly matches: (body: string) => boolean;
}

/**
 * True when a replay makes an event due: what the wish names, unless it is in flight. Its body is looked at last.
 * @param delivery of the event at the endpoint; undefined when it never had one, because it was not there or not subscribed
 */
export function isReplayed(
  event: { readonly type: SentEventType; readonly body: string },
  delivery: DeliveryProgress | undefined,
  { types, only, matches }: ReplayWish,
  now: number,
): boolean {
  if (!types.includes(event.type) || (delivery !== undefined && isInFlight(delivery, now))) return false;
  const status = delivery?.status;
  if (only === 'failed' ? status !== 'failed' : only === 'undelivered' && status === 'succeeded') return false;
  return matches(event.body);
}

/** Deliveries that one call makes due, at most. */
export const MAX_REPLAYED = 10_000;
/** A call ends after this time, with a place to continue at: the caller waits for the response. */
const MAX_CALL_MS = 5_000;
/** Events looked at in one transaction. */
const BATCH = 500;
/** An event may be stored so much before it happened: clocks differ. */
const CLOCKS_DIFFER_MS = 3_600_000;

/** A time range to send again. Instants are epoch milliseconds. */
export interface ReplayRange {
  readonly since: number;
  /** Default: now. */
  readonly until?: number | undefined;
  /** Default: undelivered. */
  readonly only?: ReplayChoice | undefined;
  /** Place to go on at, from `next` of the call before; with it `until` is what it was then. */
  readonly after?: string | undefined;
}

export interface ReplayOutcome {
  /** Deliveries that it has made due; at most {@link MAX_REPLAYED}. */
  readonly scheduled: number;
  /** Where the rest begins; null when all was looked at. ASCII characters without a blank. */
  readonly next: string | null;
}

/** The last event that was looked at, with the end of the range, so that a range without one does not grow from call to call. */
interface Place {
  readonly until: number;
  /** Place in the feed. */
  readonly storedAt: number;
  readonly eventId: string;
}

/** @param text `<until>/<storedAt>/<eventId>` */
function placeIn(text: string): Place {
  const [until, storedAt, eventId = ''] = text.split('/');
  return { until: Number(until), storedAt: Number(storedAt), eventId };
}

/** Says that deliveries became due. */
export interface QueueWaker {
  wake(): void;
}

export interface RedeliveryOptions {
  readonly store: Store;
  readonly endpoints: Pick<EndpointStore, 'get'>;
  readonly runner: QueueWaker;
  readonly clock: Clock;
  /** Deliveries are kept this long: for older events it is not known whether they were delivered. */
  readonly retentionMs: number;
}

/** A lease moves the time from which on a delivery may be leased, and nothing else. */
function progressOf({ value: { status, nextAttemptAt, due } }: Stored<DeliveryDocument>): DeliveryProgress {
  return { status, nextAttemptAt, isLeased: due !== nextAttemptAt };
}

function restart(stored: Stored<DeliveryDocument>, now: number): Write {
  const run = newRun(now);
  return { in: deliveries, patch: stored, set: { ...run, ...placed({ ...stored.value, ...run }) } as Partial<DeliveryDocument> };
}

/** The delivery of an event that the endpoint never had, because it was not there or not subscribed. */
function firstDelivery(event: EventDocument, endpointId: string, now: number): Write {
  const planned = { deliveryId: newId('dlv'), status: 'pending', nextAttemptAt: now } as const;
  const { poNumber = null } = event;
  return { in: deliveries, insert: documentOf(createDelivery({ ...event, poNumber, test: false }, endpointId, planned, now)) };
}

/** True when an event's delivery lacks although it was planned, and may be on its way. */
const mayBeUnstored = ({ planned, createdAt }: EventDocument, endpointId: string, now: number): boolean =>
  now < createdAt + MAY_BE_UNSTORED_MS && planned.some((one) => one.endpointId === endpointId);

export type Redeliverer = ReturnType<typeof createRedeliverer>;

/**
 * Resend and replay: the same event, the same body, the same webhook-id, a new run of the schedule.
 *
 * Crashes and races: each delivery is made due by a write onto the version that was read, so two calls at once make it due once. A replay that ends
 * half-way has made due what it has; the same call again goes on with the rest. What became due while its endpoint was being disabled is held when it is leased.
 */
export function createRedeliverer({ store, endpoints, runner, clock, retentionMs }: RedeliveryOptions) {
  async function enabled(tenantId: string, endpointId: string): Promise<Endpoint> {
    const endpoint = await endpoints.get(tenantId, endpointId);
    if (!endpoint) throw noSuchEndpoint();
    if (endpoint.status !== 'enabled') throw notEnabled(endpoint);
    return endpoint;
  }

  /**
   * The next events of a range that are to be made due. All that were stored since it began are passed over, in the order of the feed: one may have been
   * stored long after it happened.
   */
  async function look(endpoint: Endpoint, since: number, only: ReplayChoice, place: Place, limit: number, now: number) {
    const { tenantId, endpointId, eventTypes: types, filter } = endpoint;
    const after = store.placeIn(events.by.feed, 2, { value: place });
    const { items, next } = await store.find(events.by.feed, { eq: [tenantId, streamsOf(types)], after, limit });
    const inRange = items.map(({ value }) => value).filter(({ occurredAt }) => occurredAt >= since && occurredAt < place.until);
    const keys = inRange.map((event) => [event.eventId, tenantId, endpointId]);
    const found = new Map((await store.read(deliveries, keys)).map((stored) => [stored.value.eventId, stored]));
    const wish = { types, only, matches: (body: string) => bodyFitsFilter(filter, body) };
    const writes = inRange.flatMap((event): Write[] => {
      const stored = found.get(event.eventId);
      if (stored === undefined && mayBeUnstored(event, endpointId, now)) return [];
      if (!isReplayed(event, stored && progressOf(stored), wish, now)) return [];
      return [stored ? restart(stored, now) : firstDelivery(event, endpointId, now)];
    });
    return { writes, last: next === null ? undefined : items.at(-1)?.value };
  }

  return {
    /**
     * Starts a new run of the schedule now, unless the delivery is in flight.
     * @throws AppError 40403 when there is no such endpoint or delivery, 40902 when the endpoint is paused or disabled
     */
    async resend(tenantId: string, endpointId: string, deliveryId: string): Promise<Delivery> {
      await enabled(tenantId, endpointId);
      const now = clock.now();
      const { resent } = await untilWritten(async () => {
        const stored = await findDelivery(store, tenantId, endpointId, deliveryId);
        if (stored === undefined || isInFlight(progressOf(stored), now)) return { resent: stored?.value };
        const [outcome] = await store.apply([restart(stored, now)]);
        return outcome?.kind === 'written' ? { resent: { ...stored.value, ...newRun(now) } } : undefined;
      });
      await store.flushed();
      if (resent === undefined) throw new AppError('40403', 'The delivery does not exist');
      runner.wake();
      return deliveryOf(resent);
    },
    /**
     * Makes events of a time range due, those that the endpoint never had included. Ends before the end of the range when it has made enough due, or
     * has taken long.
     * @throws AppError 40403, 40902 as above; 42201 when the range ends before it begins
     */
    async replay(tenantId: string, endpointId: string, range: ReplayRange): Promise<ReplayOutcome> {
      const endpoint = await enabled(tenantId, endpointId);
      const former = range.after === undefined ? undefined : placeIn(range.after);
      const until = former?.until ?? range.until ?? clock.now();
      if (until <= range.since) {
        throw AppError.validation([{ field: 'until', rule: 'range', message: 'until must be later than since' }]);
      }
      const since = Math.max(range.since, clock.now() - retentionMs);
      if (since >= until) return { scheduled: 0, next: null };
      let scheduled = 0;
      let place: Place | undefined = former ?? { until, storedAt: Math.max(0, since - CLOCKS_DIFFER_MS) * 1000, eventId: '' };
      const started = performance.now();
      do {
        const limit = Math.min(BATCH, MAX_REPLAYED - scheduled);
        const { writes, last }: Awaited<ReturnType<typeof look>> = await look(
          endpoint,
          since,
          range.only ?? 'undelivered',
          place,
          limit,
          clock.now(),
        );
        const outcomes = await store.apply(writes);
        // Of what it has read, too.
        await store.flushed();
        scheduled += outcomes.filter(({ kind }) => kind === 'written').length;
        place = last && { until, storedAt: last.storedAt, eventId: last.eventId };
        runner.wake();
        // A store in this process responds at once: the rest of the process gets its turn.
        await turn();
      } while (place !== undefined && scheduled < MAX_REPLAYED && performance.now() - started < MAX_CALL_MS);
      return { scheduled, next: place ? `${place.until}/${place.storedAt}/${place.eventId}` : null };
    },
  };
}
