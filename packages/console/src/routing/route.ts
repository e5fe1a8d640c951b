import { hrefIn, type Places, routeIn } from '@parcelway/page/routing';
import { FILTER_PARAMETERS, type ForecastFilter, NO_FILTER, trimmed } from '../api/forecast-filter.ts';
import { memoryOf } from '../session/tenant-memory.ts';

/** Where the merchant is. Filters belong to it, so that the browser's back button and a copied address keep them. */
export type Route =
  | { readonly view: 'parcels'; readonly filter: ForecastFilter }
  | { readonly view: 'new-parcel' }
  | { readonly view: 'parcel'; readonly poNumber: string }
  | { readonly view: 'correct-parcel'; readonly poNumber: string }
  | { readonly view: 'imports' }
  | { readonly view: 'new-import'; readonly checkId?: string }
  | { readonly view: 'import'; readonly importId: string; readonly state: string }
  | { readonly view: 'files'; readonly used: string; readonly range: string }
  | { readonly view: 'endpoints' }
  | { readonly view: 'new-endpoint' }
  | { readonly view: 'endpoint'; readonly endpointId: string; readonly status: string }
  | { readonly view: 'edit-endpoint'; readonly endpointId: string }
  | { readonly view: 'delivery'; readonly endpointId: string; readonly deliveryId: string }
  | { readonly view: 'events'; readonly type: string; readonly range: string; readonly poNumber: string }
  | { readonly view: 'connections' }
  | { readonly view: 'keys' }
  | { readonly view: 'usage'; readonly days: string }
  | { readonly view: 'failed-calls'; readonly requestId: string; readonly code: string; readonly keyId: string }
  | { readonly view: 'failed-call'; readonly requestId: string }
  | { readonly view: 'audit-log'; readonly action: string; readonly day: string }
  | { readonly view: 'unknown' };

/** First view after signing in: the list of parcels without any condition. */
export const HOME: Route = { view: 'parcels', filter: NO_FILTER };

const PLACES: Places<Exclude<Route['view'], 'unknown'>> = {
  parcels: ['parcels', FILTER_PARAMETERS],
  'new-parcel': ['new-parcel'],
  parcel: ['parcels/:poNumber'],
  'correct-parcel': ['parcels/:poNumber/correction'],
  imports: ['imports'],
  'new-import': ['imports/new', { checkId: 'check' }],
  import: ['imports/:importId', { state: 'state' }],
  files: ['files', { used: 'used', range: 'range' }],
  endpoints: ['webhooks'],
  'new-endpoint': ['webhooks/new'],
  endpoint: ['webhooks/:endpointId', { status: 'status' }],
  'edit-endpoint': ['webhooks/:endpointId/settings'],
  delivery: ['webhooks/:endpointId/deliveries/:deliveryId'],
  events: ['events', { type: 'type', range: 'range', poNumber: 'po_number' }],
  connections: ['connections'],
  keys: ['keys'],
  usage: ['activity/usage', { days: 'days' }],
  'failed-calls': ['activity/failed-calls', { requestId: 'request_id', code: 'code', keyId: 'key_id' }],
  'failed-call': ['activity/failed-calls/:requestId'],
  'audit-log': ['activity/audit-log', { action: 'action', day: 'day' }],
};

/** The part of the address after `#`, such as `#/webhooks/ep_1?status=failed`. */
export function hrefOf(route: Route): string {
  if (route.view === 'unknown') return '#/';
  return hrefIn(PLACES, route.view === 'parcels' ? { view: route.view, ...trimmed(route.filter) } : route);
}

/** The route of an address; the inverse of {@link hrefOf}. Empty is {@link HOME}. */
export function routeOf(hash: string): Route {
  const found = routeIn(PLACES, hash.replace(/^#?\/?(\?.*)?$/, '#/parcels$1').replace(/^#\/activity\/?(\?.*)?$/, '#/activity/usage$1'));
  if (found?.view !== 'parcels') return (found ?? { view: 'unknown' }) as Route;
  const { view, ...filter } = found;
  return { view, filter: filter as unknown as ForecastFilter };
}

/** Keeps which parcels a tenant looks for. @param tenantId undefined while signed out */
export function noteList(tenantId: string | undefined, route: Route): void {
  if (tenantId !== undefined && route.view === 'parcels') memoryOf(tenantId).list = hrefOf(route);
}

export const listHref = (tenantId: string): string => memoryOf(tenantId).list ?? hrefOf(HOME);
