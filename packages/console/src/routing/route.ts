import { type ForecastFilter, filterOfQuery, NO_FILTER, queryOfFilter } from '../api/forecast-filter.ts';
import { TenantMemory } from '../session/tenant-memory.ts';

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

function query(values: Readonly<Record<string, string>>): string {
  const present = Object.entries(values).filter(([, value]) => value !== '');
  return present.length === 0 ? '' : `?${new URLSearchParams(present)}`;
}

/** The part of the address after `#`, such as `#/webhooks/ep_1?status=failed`. */
export function hrefOf(route: Route): string {
  const part = encodeURIComponent;
  switch (route.view) {
    case 'parcels':
      return `#/parcels${query(queryOfFilter(route.filter))}`;
    case 'new-parcel':
      return '#/new-parcel';
    case 'parcel':
      return `#/parcels/${part(route.poNumber)}`;
    case 'correct-parcel':
      return `#/parcels/${part(route.poNumber)}/correction`;
    case 'imports':
      return '#/imports';
    case 'new-import':
      return `#/imports/new${query({ check: route.checkId ?? '' })}`;
    case 'import':
      return `#/imports/${part(route.importId)}${query({ state: route.state })}`;
    case 'files':
      return `#/files${query({ used: route.used, range: route.range })}`;
    case 'endpoints':
      return '#/webhooks';
    case 'new-endpoint':
      return '#/webhooks/new';
    case 'endpoint':
      return `#/webhooks/${part(route.endpointId)}${query({ status: route.status })}`;
    case 'edit-endpoint':
      return `#/webhooks/${part(route.endpointId)}/settings`;
    case 'delivery':
      return `#/webhooks/${part(route.endpointId)}/deliveries/${part(route.deliveryId)}`;
    case 'events':
      return `#/events${query({ type: route.type, range: route.range, po_number: route.poNumber })}`;
    case 'connections':
      return '#/connections';
    case 'keys':
      return '#/keys';
    case 'usage':
      return `#/activity/usage${query({ days: route.days })}`;
    case 'failed-calls':
      return `#/activity/failed-calls${query({ request_id: route.requestId, code: route.code, key_id: route.keyId })}`;
    case 'failed-call':
      return `#/activity/failed-calls/${part(route.requestId)}`;
    case 'audit-log':
      return `#/activity/audit-log${query({ action: route.action, day: route.day })}`;
    case 'unknown':
      return '#/';
  }
}

/** The text that a part of an address stands for; undefined when it is not well encoded. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

type Parts = readonly string[];
const UNKNOWN: Route = { view: 'unknown' };

function parcelRoute(parts: Parts, values: URLSearchParams): Route {
  const [poNumber, below] = parts;
  if (poNumber === undefined) return { view: 'parcels', filter: filterOfQuery(values) };
  if (below === undefined) return { view: 'parcel', poNumber };
  return below === 'correction' && parts.length === 2 ? { view: 'correct-parcel', poNumber } : UNKNOWN;
}

function importRoute(parts: Parts, values: URLSearchParams): Route {
  const [importId] = parts;
  if (importId === undefined) return { view: 'imports' };
  if (parts.length > 1) return UNKNOWN;
  const checkId = values.get('check');
  if (importId === 'new') return { view: 'new-import', ...(checkId === null ? {} : { checkId }) };
  return { view: 'import', importId, state: values.get('state') ?? '' };
}

function webhookRoute(parts: Parts, values: URLSearchParams): Route {
  const [endpointId, below, deliveryId] = parts;
  if (endpointId === undefined) return { view: 'endpoints' };
  if (endpointId === 'new' && below === undefined) return { view: 'new-endpoint' };
  if (below === undefined) return { view: 'endpoint', endpointId, status: values.get('status') ?? '' };
  if (below === 'settings' && deliveryId === undefined) return { view: 'edit-endpoint', endpointId };
  if (below === 'deliveries' && deliveryId !== undefined && parts.length === 3) return { view: 'delivery', endpointId, deliveryId };
  return UNKNOWN;
}

function activityRoute(parts: Parts, values: URLSearchParams): Route {
  const [tab = 'usage', requestId] = parts;
  const given = (name: string): string => values.get(name) ?? '';
  if (tab === 'failed-calls' && requestId !== undefined) return parts.length === 2 ? { view: 'failed-call', requestId } : UNKNOWN;
  if (parts.length > 1) return UNKNOWN;
  if (tab === 'usage') return { view: 'usage', days: given('days') };
  if (tab === 'audit-log') return { view: 'audit-log', action: given('action'), day: given('day') };
  if (tab !== 'failed-calls') return UNKNOWN;
  return { view: 'failed-calls', requestId: given('request_id'), code: given('code'), keyId: given('key_id') };
}

const alone =
  (routeOfValues: (values: URLSearchParams) => Route) =>
  (parts: Parts, values: URLSearchParams): Route =>
    parts.length === 0 ? routeOfValues(values) : UNKNOWN;

const sections: Readonly<Record<string, (parts: Parts, values: URLSearchParams) => Route>> = {
  parcels: parcelRoute,
  'new-parcel': alone(() => ({ view: 'new-parcel' })),
  imports: importRoute,
  files: alone((values) => ({ view: 'files', used: values.get('used') ?? '', range: values.get('range') ?? '' })),
  webhooks: webhookRoute,
  events: alone((values) => ({
    view: 'events',
    type: values.get('type') ?? '',
    range: values.get('range') ?? '',
    poNumber: values.get('po_number') ?? '',
  })),
  connections: alone(() => ({ view: 'connections' })),
  keys: alone(() => ({ view: 'keys' })),
  activity: activityRoute,
};

/** The route of an address; the inverse of {@link hrefOf}. Empty is {@link HOME}. */
export function routeOf(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  if (parts.includes(undefined)) return UNKNOWN;
  const [section, ...rest] = parts as string[];
  if (section === undefined) return HOME;
  const below = Object.hasOwn(sections, section) ? sections[section] : undefined;
  return below === undefined ? UNKNOWN : below(rest, new URLSearchParams(search));
}

/** The list of parcels as it was looked at last: a reload, signing out and another tenant forget it. */
const latest = new TenantMemory<Route>();

/** Keeps which parcels a tenant looks for. @param tenantId undefined while nobody is signed in */
export function noteList(tenantId: string | undefined, route: Route): void {
  if (tenantId !== undefined && route.view === 'parcels') latest.keep(tenantId, route);
}

export const listHref = (tenantId: string): string => hrefOf(latest.of(tenantId) ?? HOME);
