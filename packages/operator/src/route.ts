/** Where the operator is. */
export type Route =
  | { readonly view: 'overview' | 'unclaimed' | 'warehouses' | 'operators' | 'unknown' }
  | { readonly view: 'parcels'; readonly number: string }
  | { readonly view: 'tenants'; readonly search: string }
  | { readonly view: 'tenant'; readonly id: string }
  | { readonly view: 'failed-call'; readonly tenantId: string; readonly requestId: string }
  | { readonly view: 'dead-letters'; readonly topic: string };

/** The part of the address after `#`, such as `#/tenants/tnt_1`. */
export function hrefOf(route: Route): string {
  switch (route.view) {
    case 'overview':
    case 'unknown':
      return '#/';
    case 'tenants':
      return route.search === '' ? '#/tenants' : `#/tenants?${new URLSearchParams({ search: route.search })}`;
    case 'parcels':
      return route.number === '' ? '#/parcels' : `#/parcels?${new URLSearchParams({ number: route.number })}`;
    case 'tenant':
      return `#/tenants/${encodeURIComponent(route.id)}`;
    case 'failed-call':
      return `#/tenants/${encodeURIComponent(route.tenantId)}/requests/${encodeURIComponent(route.requestId)}`;
    case 'dead-letters':
      return route.topic === '' ? '#/dead-letters' : `#/dead-letters/${encodeURIComponent(route.topic)}`;
    default:
      return `#/${route.view}`;
  }
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** The route of an address; the inverse of {@link hrefOf}. Empty is the overview. */
export function routeOf(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [section = '', part, ...rest] = path.split('/').map(decoded);
  if (section === 'tenants' && part && rest[0] === 'requests' && rest[1] && rest.length === 2)
    return { view: 'failed-call', tenantId: part, requestId: rest[1] };
  if (rest.length > 0) return { view: 'unknown' };
  if (section === 'tenants' && part === undefined && !path.includes('/'))
    return { view: 'tenants', search: new URLSearchParams(search).get('search') ?? '' };
  if (section === 'parcels' && part === undefined) return { view: 'parcels', number: new URLSearchParams(search).get('number') ?? '' };
  if (section === 'tenants' && part) return { view: 'tenant', id: part };
  if (section === 'dead-letters') return { view: 'dead-letters', topic: part ?? '' };
  if (part !== undefined) return { view: 'unknown' };
  if (section === '') return { view: 'overview' };
  return section === 'unclaimed' || section === 'warehouses' || section === 'operators' ? { view: section } : { view: 'unknown' };
}
