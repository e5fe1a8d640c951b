import type { TableRoute } from './route-table.ts';

/**
 * Where tracking sources push. It takes no key: the service of the route verifies the signature of the source. It is no part of the API of merchants
 * and warehouses, so the reference does not list it.
 */
export const pushRoute: TableRoute = {
  id: 'receivePush',
  method: 'POST',
  path: '/carriers/v1/{source}/{connection_id}',
  service: 'tracking',
  access: 'public',
  scopes: [],
  rateClass: 'standard',
};
