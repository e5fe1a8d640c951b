import { MAX_ENDPOINTS_PER_TENANT } from '@parcelway/contracts/webhook-endpoint-limits';
import { AppError } from '@parcelway/kernel/app-error';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Known, Store, Stored, Write } from '@parcelway/store/store';
import type { Endpoint } from './domain/endpoint.ts';
import { type EndpointDocument, endpointOf, endpoints, fieldsOf } from './endpoints-collection.ts';

type StoredEndpoint = Stored<EndpointDocument>;

/** True for an endpoint that is not deleted. */
export const isLive = ({ value }: StoredEndpoint): boolean => value.slot !== undefined;

/**
 * What writes the new state of an endpoint. One that becomes disabled carries a mark until the maintenance of any process has held its deliveries.
 * @param stored what the new state was made from
 */
export function writeOf(stored: StoredEndpoint, changed: Endpoint): Write {
  const isDisabled = changed.status === 'disabled';
  const becomesDisabled = isDisabled && stored.value.status !== 'disabled';
  const sweep = isDisabled ? (becomesDisabled ? 'hold' : stored.value.sweep) : undefined;
  return { in: endpoints, patch: stored, set: { ...fieldsOf(changed), sweep } as Partial<EndpointDocument> };
}

/** The endpoints of tenants that are not deleted, of each the older first. */
export async function endpointsOf(store: Store, tenantIds: readonly string[]): Promise<ReadonlyMap<string, readonly Endpoint[]>> {
  const limit = tenantIds.length * MAX_ENDPOINTS_PER_TENANT;
  const { items } = limit === 0 ? { items: [] } : await store.find(endpoints.by.slot, { eq: [], any: tenantIds, limit });
  const found = new Map(tenantIds.map((tenantId): [string, Endpoint[]] => [tenantId, []]));
  for (const { value } of items) found.get(value.tenantId)?.push(endpointOf(value));
  for (const ofOne of found.values()) ofOne.sort((a, b) => a.createdAt - b.createdAt || (a.endpointId < b.endpointId ? -1 : 1));
  return found;
}

/** Endpoints by their ids, without those that are deleted. */
export async function storedEndpoints(store: Store, endpointIds: Iterable<string>): Promise<ReadonlyMap<string, StoredEndpoint>> {
  const found = await store.read(
    endpoints,
    [...endpointIds].map((id) => [id]),
  );
  return new Map(found.filter(isLive).map((stored) => [stored.value.endpointId, stored]));
}

function firstFree(taken: readonly (number | undefined)[]): number {
  const slots = new Set(taken);
  let slot = 0;
  while (slots.has(slot)) slot += 1;
  return slot;
}

export type EndpointStore = ReturnType<typeof createEndpointStore>;

/**
 * Endpoints, for any number of processes. Two inserts of one tenant take different places; the one that loses looks again. Functions that are passed decide
 * what is written: they are pure, synchronous, and run again when another was quicker. Every method throws AppError 50301 when the store is out.
 */
export function createEndpointStore(store: Store) {
  /** Changes a live endpoint of a tenant. @returns undefined when the tenant has no such endpoint */
  async function change<R>(tenantId: string, endpointId: string, decide: (stored: StoredEndpoint) => { write: Write; result: R }) {
    const { result } = await store.change([{ in: endpoints, keys: [[endpointId]] }], (known: Known) => {
      const stored = known.get(endpoints, [endpointId]);
      if (stored === undefined || !isLive(stored) || stored.value.tenantId !== tenantId) return { writes: [], result: undefined };
      const decided = decide(stored);
      return { writes: [decided.write], result: decided.result };
    });
    return result;
  }

  /** Undefined when another process took the place. */
  async function attempt(endpoint: Endpoint, max: number): Promise<boolean | undefined> {
    const { tenantId, endpointId } = endpoint;
    const { items } = await store.find(endpoints.by.slot, { eq: [tenantId], limit: max });
    if (items.length >= max) return false;
    const insert = { tenantId, endpointId, ...fieldsOf(endpoint), slot: firstFree(items.map(({ value }) => value.slot)) };
    const [outcome] = await store.apply([{ in: endpoints, insert: insert as EndpointDocument }]);
    if (outcome?.kind === 'taken' && outcome.index === 'slot') return undefined;
    if (outcome?.kind !== 'written') {
      // Its request is repeated, and another process has just created it; or it was removed since, and not all of its deliveries are deleted.
      throw AppError.unavailable('The endpoint of this request is being created or deleted; try again');
    }
    return true;
  }

  return {
    /**
     * Adds an endpoint unless its tenant has `max` already.
     * @returns false when it has
     * @throws AppError 50301 while an endpoint with its id is created, or not completely deleted yet
     */
    insert: (endpoint: Endpoint, max: number): Promise<boolean> => untilWritten(() => attempt(endpoint, max)),
    /** All endpoints of a tenant, oldest first. */
    list: async (tenantId: string): Promise<readonly Endpoint[]> => (await endpointsOf(store, [tenantId])).get(tenantId) ?? [],
    async get(tenantId: string, endpointId: string): Promise<Endpoint | undefined> {
      const stored = (await storedEndpoints(store, [endpointId])).get(endpointId);
      return stored?.value.tenantId === tenantId ? endpointOf(stored.value) : undefined;
    },
    /** The present state of endpoints, in any order; what is missing has been removed. */
    async present(known: readonly Pick<Endpoint, 'endpointId'>[]): Promise<readonly Endpoint[]> {
      const ids = known.map(({ endpointId }) => endpointId);
      return [...(await storedEndpoints(store, ids)).values()].map(({ value }) => endpointOf(value));
    },
    /** Changes an endpoint atomically. @returns the new state, undefined when there is none */
    update: (tenantId: string, endpointId: string, changeOf: (current: Endpoint) => Endpoint): Promise<Endpoint | undefined> =>
      change(tenantId, endpointId, (stored) => {
        const changed = changeOf(endpointOf(stored.value));
        return { write: writeOf(stored, changed), result: changed };
      }),
    /** Makes an endpoint vanish at once; its deliveries go by the maintenance. @returns false when there is none */
    async remove(tenantId: string, endpointId: string): Promise<boolean> {
      const gone = {
        slot: undefined,
        secret: '',
        formerSecret: null,
        headers: {},
        metadata: {},
        pausedAt: undefined,
        disablingToPublish: undefined,
        sweep: 'purge',
      };
      const removed = await change(tenantId, endpointId, (stored) => {
        return { write: { in: endpoints, patch: stored, set: gone as Partial<EndpointDocument> }, result: true };
      });
      return removed ?? false;
    },
  };
}
