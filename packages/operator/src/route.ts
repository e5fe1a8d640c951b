import { hrefIn, type Places, routeIn } from '@parcelway/page/routing';
import { useEffect, useState } from 'preact/hooks';

/** Where the operator is. */
export type Route =
  | { readonly view: 'overview' | 'unclaimed' | 'warehouses' | 'operators' | 'unknown' }
  | { readonly view: 'parcels'; readonly number: string }
  | { readonly view: 'tenants'; readonly search: string }
  | { readonly view: 'tenant'; readonly id: string }
  | { readonly view: 'failed-call'; readonly tenantId: string; readonly requestId: string }
  | { readonly view: 'dead-letters'; readonly topic: string };

const PLACES: Places<Exclude<Route['view'], 'unknown'>> = {
  overview: [''],
  tenants: ['tenants', { search: 'search' }],
  tenant: ['tenants/:id'],
  'failed-call': ['tenants/:tenantId/requests/:requestId'],
  parcels: ['parcels', { number: 'number' }],
  warehouses: ['warehouses'],
  unclaimed: ['unclaimed'],
  'dead-letters': ['dead-letters/:topic?'],
  operators: ['operators'],
};

/** The part of the address after `#`, such as `#/tenants/tnt_1`. */
export const hrefOf = (route: Route): string => (route.view === 'unknown' ? '#/' : hrefIn(PLACES, { ...route, view: route.view }));
/** The route of an address; the inverse of {@link hrefOf}. Empty is the overview. */
const routeOf = (hash: string): Route => (routeIn(PLACES, hash) ?? { view: 'unknown' }) as Route;

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return routeOf(hash);
}

export function goTo(route: Route): void {
  location.hash = hrefOf(route);
}
