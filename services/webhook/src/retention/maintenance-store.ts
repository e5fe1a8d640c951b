import { MAX_ENDPOINTS_PER_TENANT } from '@parcelway/contracts/webhook-endpoint-limits';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Page, Store, Stored, Write } from '@parcelway/store/store';
import { type EndpointDocument, endpointOf, endpoints } from '../endpoints/endpoints-collection.ts';
import { deliveries } from '../intake/deliveries-collection.ts';
import { type EventDocument, events, sequences } from '../intake/event-collections.ts';
import { holdPending } from '../queue/hold-pending.ts';
import type { Maintenance } from './ports.ts';

type StoredEvent = Stored<EventDocument>;

const keyOfParcel = ({ tenantId, parcel }: EventDocument): readonly [string, string] => [tenantId, parcel as string];

/** Keeps the numbers of events that are about to be deleted. */
async function keepNumbers(store: Store, leaving: readonly StoredEvent[]): Promise<void> {
  const numbered = leaving.map(({ value }) => value).filter(({ parcel }) => parcel !== undefined);
  const parcels = new Map(numbered.map((event) => [keyOfParcel(event).join(' '), keyOfParcel(event)]));
  await untilWritten(async () => {
    const { outcomes } = await store.change([{ in: sequences, keys: [...parcels.values()] }], (known) => {
      const writes = [...parcels.values()].map(([tenantId, parcel]): Write => {
        const own = numbered.filter((event) => event.tenantId === tenantId && event.parcel === parcel);
        const stored = known.get(sequences, [tenantId, parcel]);
        const last = Math.max(stored?.value.last ?? 0, ...own.map(({ seq = 0 }) => seq));
        const updatedAt = Math.max(stored?.value.updatedAt ?? 0, ...own.map(({ createdAt }) => createdAt));
        const set = { last, updatedAt };
        return stored ? { in: sequences, patch: stored, set } : { in: sequences, insert: { tenantId, parcel, ...set } };
      });
      return { writes, result: undefined };
    });
    // Another process has kept the first number of a parcel at the same moment.
    return outcomes.every(({ kind }) => kind === 'written') || undefined;
  });
}

/** Those of some events that have a delivery: at an endpoint that there is, or that waits for its deletion. */
async function usedOf(store: Store, page: readonly StoredEvent[]): Promise<ReadonlySet<string>> {
  const tenants = [...new Set(page.map(({ value }) => value.tenantId))];
  const byTenant = new Map(tenants.map((tenantId): [string, string[]] => [tenantId, []]));
  const options = { eq: [], any: tenants, limit: 2 * MAX_ENDPOINTS_PER_TENANT * tenants.length };
  for (let after: string | null = ''; after !== null; ) {
    const found: Page<EndpointDocument> = await store.find(endpoints.by.owned, { ...options, ...(after !== '' && { after }) });
    for (const { value } of found.items) byTenant.get(value.tenantId)?.push(value.endpointId);
    after = found.next;
  }
  const keys = page.flatMap(({ value: { eventId, tenantId } }) => {
    return (byTenant.get(tenantId) ?? []).map((endpointId) => [eventId, tenantId, endpointId]);
  });
  const found = await store.read(deliveries, keys);
  return new Set(found.map(({ value: { eventId, tenantId } }) => `${eventId} ${tenantId}`));
}

/** Deletes events that nothing refers to, from the old end on. */
function createEventExpiry(store: Store): Maintenance['expireEvents'] {
  // Events that must stay are passed over; the walk starts again when it has come to young ones. Only spares this process work.
  let after: string | null = null;
  return async (before, limit) => {
    const { items, next } = await store.find(events.by.age, { eq: [], to: before * 1000, ...(after !== null && { after }), limit });
    const used = await usedOf(store, items);
    const leaving = items.filter(({ value: { eventId, tenantId } }) => !used.has(`${eventId} ${tenantId}`));
    if (leaving.length > 0) {
      await keepNumbers(store, leaving);
      await store.apply(leaving.map((stored): Write => ({ in: events, delete: stored })));
    }
    after = next;
    return next !== null;
  };
}

/**
 * Slow work on the stored data; several processes may do it at the same time.
 *
 * Crashes and races: all of it is found by the state of the documents, and every write is onto the version that was read, so what ends half-way is found
 * again, and what has changed since is left alone. An endpoint keeps its mark until no delivery of it was found; what comes later is left to the queue.
 */
export function createMaintenanceStore(store: Store): Maintenance {
  const firstToSweep = async (sweep: 'hold' | 'purge') => (await store.find(endpoints.by.sweep, { eq: [sweep], limit: 1 })).items[0];

  return {
    async holdDisabled(limit) {
      let left = limit;
      while (left > 0) {
        const endpoint = await firstToSweep('hold');
        if (endpoint === undefined) return false;
        const count = await holdPending(store, endpoint, left);
        // Changed meanwhile: the next batch sees how it is now.
        if (count === undefined) return true;
        if (count === 0) await store.apply([{ in: endpoints, patch: endpoint, set: { sweep: undefined } as object }]);
        left -= count;
      }
      return true;
    },
    async purgeDeleted(limit) {
      const endpoint = await firstToSweep('purge');
      if (endpoint === undefined) return false;
      const { tenantId, endpointId } = endpoint.value;
      const its = { eq: [tenantId, endpointId] };
      const count = await store.deleteRange(deliveries.by.endpoint, { ...its, limit });
      // None was deleted when an attempt has just changed all that were found: they are there.
      const isLeft = count > 0 || (await store.find(deliveries.by.endpoint, { ...its, limit: 1 })).items.length > 0;
      if (!isLeft) await store.apply([{ in: endpoints, delete: endpoint }]);
      return true;
    },
    expireDeliveries: async (before, limit) => (await store.deleteRange(deliveries.by.settled, { eq: [], to: before, limit })) === limit,
    expireEvents: createEventExpiry(store),
    async disablingsToPublish(limit) {
      return (await store.find(endpoints.by.unpublished, { eq: [], limit })).items.map(({ value }) => endpointOf(value));
    },
    async pausedBefore(before, limit) {
      return (await store.find(endpoints.by.paused, { eq: [], to: before, limit })).items.map(({ value }) => endpointOf(value));
    },
  };
}
