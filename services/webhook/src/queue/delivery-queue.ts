import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Outcome, Store, Stored } from '@parcelway/store/store';
import { slowdownEnd } from '../endpoints/domain/pace.ts';
import { isLive, storedEndpoints } from '../endpoints/endpoint-store.ts';
import { type EndpointDocument, endpointOf, endpoints } from '../endpoints/endpoints-collection.ts';
import { type DeliveryDocument, deliveries, deliveryOf, documentOf, isHeld, storedWhenLeased } from '../intake/deliveries-collection.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { type EventDocument, events, originOf } from '../intake/event-collections.ts';
import type { GrowingPace } from '../intake/growing-pace.ts';
import { nameOf, type UnstoredDeliveries } from '../intake/unstored-deliveries.ts';
import { holdPending } from './hold-pending.ts';
import { createResultWriter, dueAgain, released } from './result-writer.ts';

/** Endpoints that are looked at side by side. */
const AT_ONCE = 50;
/** Deliveries of a backlog are counted up to here: more need no exact number. */
const MAX_COUNTED = 10_000;
/** Endpoints whose backlog is counted after one query. */
const ENDPOINTS_COUNTED = 1000;

/** Runs work for each item, {@link AT_ONCE} at a time. @throws the first failure, once all work that has begun has ended */
async function inTurns<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    const begun = all.slice(start, start + AT_ONCE).map(work);
    await Promise.allSettled(begun);
    results.push(...(await Promise.all(begun)));
  }
  return results;
}

/** A claimed delivery. @param until when a claim that is made now ends; an earlier claim, whose response was lost, keeps its own end */
function leasedOf(endpoint: Stored<EndpointDocument>, { value, version }: Stored<DeliveryDocument>, event: EventDocument, until: number) {
  const delivery = deliveryOf(value);
  const { due: leaseUntil = until } = value;
  return { endpoint: endpointOf(endpoint.value), delivery, body: event.body, origin: originOf(event), leaseUntil, version };
}

type Claim = (
  endpointId: string,
  stored: Stored<EndpointDocument> | undefined,
  count: number,
  now: number,
  until: number,
) => Promise<readonly Stored<DeliveryDocument>[]>;

/** How many deliveries of an endpoint are wanted, at most. */
export interface Wanted {
  readonly endpointId: string;
  readonly count: number;
}

/** Leases deliveries with what an attempt needs. @param claim of one endpoint */
function createLease(store: Store, claim: Claim) {
  /** Deliveries that a call claimed before it failed. The next call returns them. */
  let owed: readonly Stored<DeliveryDocument>[] = [];

  return async (wanted: readonly Wanted[], now: number, leaseUntil: number): Promise<readonly LeasedDelivery[]> => {
    const taken = owed.filter(({ value }) => (value.due ?? 0) > now);
    owed = [];
    try {
      const ids = new Set([...wanted, ...taken.map(({ value }) => value)].map(({ endpointId }) => endpointId));
      const keys = [...ids].map((id) => [id]);
      const found = new Map((await store.read(endpoints, keys)).map((stored) => [stored.value.endpointId, stored]));
      await inTurns(wanted, async ({ endpointId, count }) => {
        taken.push(...(await claim(endpointId, found.get(endpointId), count, now, leaseUntil)));
      });
      const sent = await store.read(
        events,
        taken.map(({ value: { eventId, tenantId } }) => [eventId, tenantId]),
      );
      const bodies = new Map(sent.map(({ value }) => [`${value.eventId} ${value.tenantId}`, value]));
      const placeOf = ({ eventId, tenantId }: DeliveryDocument): number => bodies.get(`${eventId} ${tenantId}`)?.storedAt ?? 0;
      // Ids of events that came in one batch are not always in the order of the log.
      const ordered = taken.toSorted(
        ({ value: a }, { value: b }) => (a.nextAttemptAt ?? 0) - (b.nextAttemptAt ?? 0) || placeOf(a) - placeOf(b),
      );
      const leased = ordered.flatMap(({ value, version }) => {
        const event = bodies.get(`${value.eventId} ${value.tenantId}`);
        const endpoint = found.get(value.endpointId);
        if (event === undefined || endpoint === undefined || !isLive(endpoint)) return [];
        return [leasedOf(endpoint, { value, version }, event, leaseUntil)];
      });
      // Replayed in the moment in which the retention deleted its event.
      const bodiless = taken.filter(({ value }) => !bodies.has(`${value.eventId} ${value.tenantId}`));
      if (bodiless.length > 0) await store.apply(bodiless.map((stored) => ({ in: deliveries, delete: stored })));
      return leased;
    } catch (error) {
      owed = taken;
      throw error;
    }
  };
}

export type DeliveryQueue = ReturnType<typeof createDeliveryQueue>;

/**
 * The deliveries that are due, for any number of processes.
 *
 * Crashes and races: a lease is a claim of the store. When a process ends, its deliveries are due again at the end of their leases. When the response to a
 * claim is lost, or another claim of the call fails, the next call returns what was claimed. A delivery that two processes send has one webhook-id.
 *
 * A pending delivery may be left behind at an endpoint that was disabled or deleted while its event was stored: whoever would lease it holds or
 * deletes it.
 *
 * @param unstored what this process sends and has not stored yet
 */
export function createDeliveryQueue(store: Store, unstored: UnstoredDeliveries, pace: GrowingPace) {
  /** Claims due deliveries of an endpoint, and sees to those that must not be sent. */
  async function claim(endpointId: string, stored: Stored<EndpointDocument> | undefined, count: number, now: number, until: number) {
    if (stored === undefined) {
      await store.deleteRange(deliveries.by.due, { eq: [endpointId], to: now + 1, limit: count });
      return [];
    }
    // What is deleted is left to the maintenance.
    if (!isLive(stored)) return [];
    if (stored.value.status === 'disabled') {
      await holdPending(store, stored, count);
      return [];
    }
    return stored.value.status === 'paused' ? [] : store.claimDue(deliveries.by.due, { group: endpointId, now, until, limit: count });
  }

  async function giveBack(leased: readonly LeasedDelivery[], until?: number): Promise<void> {
    const documents = new Map(leased.map(({ delivery }) => [nameOf(delivery), documentOf(delivery, dueAgain(delivery, until))]));
    const first = await unstored.store(documents);
    let open = leased.filter((one) => !first.has(nameOf(one.delivery))).map((one) => ({ one, current: storedWhenLeased(one) }));
    if (open.length === 0) return;
    await untilWritten(async () => {
      const writes = open.map(({ one, current }) => ({ in: deliveries, patch: current, set: released(one.delivery, until) }));
      const outcomes = await store.apply(writes);
      open = open.flatMap(({ one }, place) => {
        const outcome = outcomes[place] as Outcome<DeliveryDocument>;
        return outcome.kind === 'lost' && outcome.current && isHeld(one, outcome.current) ? { one, current: outcome.current } : [];
      });
      return open.length === 0 || undefined;
    });
  }

  /**
   * Endpoints that have deliveries due, in the order of their ids, so that every endpoint gets its turn however many deliveries another has.
   * @param options.after continues after this id; '' from the beginning
   * @param options.limit at most this many endpoints are looked at
   * @returns `next`: where to go on; null when all have been looked at. `nextDueAt`: when the first delivery of those endpoints that were looked at
   * is due, epoch milliseconds, past when one is and infinite when there is none
   */
  async function dueEndpoints({ after, now, limit }: { readonly after: string; readonly now: number; readonly limit: number }) {
    const looked = await store.groups(deliveries.by.due, { ...(after !== '' && { after }), limit });
    const due = looked.flatMap(({ group, first }) => (Number(first) <= now ? String(group) : []));
    const stored = await storedEndpoints(store, due);
    // Nothing can be sent to those that are paused or slowed down.
    const waits = (endpointId: string): boolean => {
      const value = stored.get(endpointId)?.value;
      return (
        value !== undefined && (value.status === 'paused' || (value.status === 'enabled' && slowdownEnd(value.slowedUntil, now) > now))
      );
    };
    return {
      endpointIds: due.filter((endpointId) => !waits(endpointId)),
      next: looked.length < limit ? null : String(looked.at(-1)?.group),
      nextDueAt: Math.min(Number.POSITIVE_INFINITY, ...looked.map(({ first }) => Number(first))),
    };
  }

  return {
    dueEndpoints,

    /**
     * How many deliveries are due and not leased, and since when the one that has waited longest is due (epoch milliseconds; `now` when none
     * is). What waits for a tenant (paused endpoints) or for a receiver (slowed down) is no backlog.
     * @param most counts no further
     * @param page endpoints looked at in one query
     */
    async backlog(now: number, most = MAX_COUNTED, page = ENDPOINTS_COUNTED) {
      let count = 0;
      let oldestDueAt = now;
      for (let after: string | null = ''; after !== null && count < most; ) {
        const { endpointIds, next } = await dueEndpoints({ after, now, limit: page });
        const found = await inTurns(endpointIds, async (id) => {
          // Of each, the oldest is looked at.
          const one = await store.count(deliveries.by.due, { eq: [id], to: now + 1, most: Math.max(1, most - count) });
          count += one.count;
          return Number(one.first ?? now);
        });
        oldestDueAt = Math.min(oldestDueAt, ...found);
        after = next;
      }
      return { count: Math.min(most, count), oldestDueAt };
    },

    /**
     * Leases due deliveries, the longest due first; of each endpoint as many as are wanted. Of processes
     * that ask at once each gets others.
     */
    lease: createLease(store, claim),
    /** Gives leases back: the deliveries are due as before. @param until they cannot be leased before, epoch milliseconds; default: they can be leased at once */
    release: giveBack,
    ...createResultWriter(store, unstored, pace),
  };
}
