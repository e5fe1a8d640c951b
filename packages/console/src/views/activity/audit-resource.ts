import type { AuditEntry } from '@parcelway/contracts/activity-api';
import type { Scope } from '@parcelway/contracts/scopes';
import type { Route } from '../../routing/route.ts';

type Kind = AuditEntry['resource']['type'];

/** Where a kind of resource is seen, and the scopes of which a key needs one to see it. */
interface Place {
  readonly scopes: readonly Scope[];
  readonly route: (id: string) => Route;
}

const PLACES: Partial<Readonly<Record<Kind, Place>>> = {
  key: { scopes: ['keys:manage'], route: () => ({ view: 'keys' }) },
  forecast: { scopes: ['forecasts:write', 'weighing:read'], route: (poNumber) => ({ view: 'parcel', poNumber }) },
  import: { scopes: ['forecasts:write'], route: (importId) => ({ view: 'import', importId, state: '' }) },
  endpoint: { scopes: ['webhooks:manage'], route: (endpointId) => ({ view: 'endpoint', endpointId, status: '' }) },
  connection: { scopes: ['connections:manage'], route: () => ({ view: 'connections' }) },
};

/**
 * Where the resource of an entry is seen; undefined when there is no view of it, when the key may not see it, or when it was deleted.
 * @param can true when the key has a scope
 */
export function placeOf({ action, resource }: AuditEntry, can: (scope: Scope) => boolean): Route | undefined {
  const place = PLACES[resource.type];
  if (place === undefined || resource.id === null || action.endsWith('.deleted') || !place.scopes.some(can)) return undefined;
  return place.route(resource.id);
}
