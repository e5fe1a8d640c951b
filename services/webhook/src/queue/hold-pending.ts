import type { Store, Stored, Write } from '@parcelway/store/store';
import { type EndpointDocument, endpoints } from '../endpoints/endpoints-collection.ts';
import { type DeliveryDocument, deliveries, placed } from '../intake/deliveries-collection.ts';

/**
 * Holds pending deliveries of an endpoint that was read as disabled. Both are one write, because two things must not come apart: "is disabled" and "is held".
 * Otherwise a process that read "disabled" could hold what the tenant, who has enabled the endpoint since, has just had replayed.
 * @returns how many; undefined when the endpoint has changed since it was read, or one of them
 */
export async function holdPending(store: Store, endpoint: Stored<EndpointDocument>, limit: number): Promise<number | undefined> {
  const { tenantId, endpointId } = endpoint.value;
  const { items } = await store.find(deliveries.by.unfinished, { eq: [tenantId, endpointId, 'pending'], limit });
  if (items.length === 0) return 0;
  const held = { status: 'held', nextAttemptAt: null, nextReason: null } as const;
  const writes = items.map((stored): Write => {
    return { in: deliveries, patch: stored, set: { ...held, ...placed({ ...stored.value, ...held }) } as Partial<DeliveryDocument> };
  });
  const outcomes = await store.apply([{ in: endpoints, touch: endpoint }, ...writes], { together: true });
  return outcomes.every(({ kind }) => kind === 'written') ? items.length : undefined;
}
