/** Where the merchant is. Filters belong to it, so that the browser's back button and a copied address keep them. */
export type Route =
  | { readonly view: 'parcels'; readonly status: string; readonly poNumber: string }
  | { readonly view: 'parcel'; readonly poNumber: string }
  | { readonly view: 'endpoints' }
  | { readonly view: 'new-endpoint' }
  | { readonly view: 'endpoint'; readonly endpointId: string; readonly status: string }
  | { readonly view: 'edit-endpoint'; readonly endpointId: string }
  | { readonly view: 'delivery'; readonly endpointId: string; readonly deliveryId: string }
  | { readonly view: 'events'; readonly type: string; readonly range: string }
  | { readonly view: 'unknown' };

/** First view after signing in. */
export const HOME: Route = { view: 'parcels', status: '', poNumber: '' };

function query(values: Readonly<Record<string, string>>): string {
  const present = Object.entries(values).filter(([, value]) => value !== '');
  return present.length === 0 ? '' : `?${new URLSearchParams(present)}`;
}

/** The part of the address after `#`, such as `#/webhooks/ep_1?status=failed`. */
export function hrefOf(route: Route): string {
  const part = encodeURIComponent;
  switch (route.view) {
    case 'parcels':
      return `#/parcels${query({ status: route.status, po_number: route.poNumber })}`;
    case 'parcel':
      return `#/parcels/${part(route.poNumber)}`;
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
      return `#/events${query({ type: route.type, range: route.range })}`;
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

function webhookRoute(parts: readonly string[], values: URLSearchParams): Route {
  const [endpointId, below, deliveryId] = parts;
  if (endpointId === undefined) return { view: 'endpoints' };
  if (endpointId === 'new' && below === undefined) return { view: 'new-endpoint' };
  if (below === undefined) return { view: 'endpoint', endpointId, status: values.get('status') ?? '' };
  if (below === 'settings' && deliveryId === undefined) return { view: 'edit-endpoint', endpointId };
  if (below === 'deliveries' && deliveryId !== undefined && parts.length === 3) return { view: 'delivery', endpointId, deliveryId };
  return { view: 'unknown' };
}

/** The route of an address; the inverse of {@link hrefOf}. Empty is {@link HOME}. */
export function routeOf(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  if (parts.includes(undefined)) return { view: 'unknown' };
  const [section, ...rest] = parts as string[];
  const values = new URLSearchParams(search);
  if (section === undefined) return HOME;
  if (section === 'parcels' && rest.length === 0) {
    return { view: 'parcels', status: values.get('status') ?? '', poNumber: values.get('po_number') ?? '' };
  }
  if (section === 'parcels' && rest.length === 1) return { view: 'parcel', poNumber: String(rest[0]) };
  if (section === 'webhooks') return webhookRoute(rest, values);
  if (section === 'events' && rest.length === 0)
    return { view: 'events', type: values.get('type') ?? '', range: values.get('range') ?? '' };
  return { view: 'unknown' };
}
