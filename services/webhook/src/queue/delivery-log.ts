import { setImmediate as turn } from 'node:timers/promises';
import type { Store, Stored } from '@parcelway/store/store';
import { type DeliveryDocument, deliveries, deliveryOf } from '../intake/deliveries-collection.ts';
import type { Delivery, DeliveryStatus } from '../intake/domain/delivery.ts';
import { events } from '../intake/event-collections.ts';
import type { Attempt } from './domain/attempt.ts';

/** Deliveries that are looked at in one step for those that have succeeded. */
const LOOKED_AT = 200;

/** The delivery with an id. */
export async function findDelivery(store: Store, tenantId: string, endpointId: string, deliveryId: string, hasLog = false) {
  const one = { eq: [tenantId, endpointId, deliveryId], limit: 1, ...(hasLog && { with: ['attempts'] as const }) };
  return (await store.find(deliveries.by.endpoint, one)).items[0];
}

export type DeliveryLog = ReturnType<typeof createDeliveryLog>;

/** What deliveries came to. Only reads; what is shown survives a loss of power. The id of a delivery, which rises with time, is its place in the list. */
export function createDeliveryLog(store: Store) {
  /** The next ones before a place, newest first. */
  async function before(tenantId: string, endpointId: string, open: string | undefined, place: string | null, limit: number) {
    const by = open === undefined ? deliveries.by.endpoint : deliveries.by.unfinished;
    const eq = [tenantId, endpointId, ...(open === undefined ? [] : [open])];
    const after = place === null ? undefined : store.placeIn(by, eq.length, { value: { deliveryId: place, eventId: '' } });
    return (await store.find(by, { eq, ...(after && { after }), limit, backwards: true })).items;
  }

  /** Those that have succeeded have no index of their own, which every delivery would have to be written to: most have. */
  async function succeeded(tenantId: string, endpointId: string, place: string | null, limit: number) {
    const found: Stored<DeliveryDocument>[] = [];
    let from = place;
    for (let looked = LOOKED_AT; looked === LOOKED_AT && found.length < limit; ) {
      const page = await before(tenantId, endpointId, undefined, from, LOOKED_AT);
      found.push(...page.filter(({ value }) => value.status === 'succeeded'));
      from = page.at(-1)?.value.deliveryId ?? null;
      looked = page.length;
      // A store in this process responds at once: the rest of the process gets its turn, however many there are to look at.
      if (looked === LOOKED_AT && found.length < limit) await turn();
    }
    return found.slice(0, limit);
  }

  return {
    /** A page, newest first. @param page.before place to continue at, from `next` of the previous page */
    async list(
      tenantId: string,
      endpointId: string,
      {
        status,
        limit,
        before: place,
      }: { readonly status?: DeliveryStatus | undefined; readonly limit: number; readonly before: string | null },
    ): Promise<{ readonly deliveries: readonly Delivery[]; readonly next: string | null }> {
      const found =
        status === 'succeeded'
          ? await succeeded(tenantId, endpointId, place, limit + 1)
          : await before(tenantId, endpointId, status, place, limit + 1);
      await store.flushed();
      const page = found.slice(0, limit).map(({ value }) => deliveryOf(value));
      return { deliveries: page, next: found.length > limit ? (page.at(-1)?.deliveryId ?? null) : null };
    },
    async get(tenantId: string, endpointId: string, deliveryId: string): Promise<Delivery | undefined> {
      const found = await findDelivery(store, tenantId, endpointId, deliveryId);
      await store.flushed();
      return found && deliveryOf(found.value);
    },
    /** The delivery of an event at an endpoint; undefined when the event was not for it, or the retention has deleted it. */
    async ofEvent(tenantId: string, endpointId: string, eventId: string): Promise<Delivery | undefined> {
      const found = await store.get(deliveries, [eventId, tenantId, endpointId]);
      await store.flushed();
      return found && deliveryOf(found.value);
    },
    /** The stored body of an event; undefined once the retention has deleted it. */
    async body(tenantId: string, eventId: string): Promise<string | undefined> {
      return (await store.get(events, [eventId, tenantId]))?.value.body;
    },
    /** Oldest first; the newest `limit`. */
    async attempts(tenantId: string, endpointId: string, deliveryId: string, limit: number): Promise<readonly Attempt[]> {
      const found = await findDelivery(store, tenantId, endpointId, deliveryId, true);
      await store.flushed();
      if (found === undefined) return [];
      const { attempts = [], attemptCount } = found.value;
      return attempts.map((attempt, place) => ({ ...attempt, attemptNumber: attemptCount - attempts.length + place + 1 })).slice(-limit);
    },
  };
}
