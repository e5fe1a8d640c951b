import { ENDPOINTS_PATH, webhookRoutes } from '@parcelway/contracts/webhook-routes';
import { AppError } from '@parcelway/kernel/app-error';
import type { Request, Router } from 'express';
import { platformPrincipal, tenantPrincipal, warehousePrincipal } from '../../tenants/adapters/principals.ts';
import { findTenant } from '../../tenants/manage-tenants.ts';
import { mayAct } from '../domain/operator.ts';
import { noteCreatedIn } from './admin-audit.ts';
import type { AdminOptions } from './admin-options.ts';
import { operatorOf } from './operator-access.ts';

const tenantIdOf = (req: Request): string => String(req.params['id']);

/** What follows /admin/v1/tenants/{id}/ or /admin/v1/warehouses/{code}/, of the URL as it was sent: ids stay percent-encoded. */
const restOf = ({ url }: Request): string => url.split('/').slice(5).join('/');

/** A tenant's webhook endpoints. The webhook service responds, as it does to the tenant. */
export function endpointRoutes(router: Router, { environment, stores, relay }: AdminOptions): void {
  for (const { method, path } of webhookRoutes.filter((route) => route.path.startsWith(ENDPOINTS_PATH))) {
    const below = path.slice(ENDPOINTS_PATH.length).replaceAll(/\{([a-z_]+)\}/g, ':$1');
    const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
    router[verb](`/admin/v1/tenants/:id/webhook-endpoints${below}`, async (req, res) => {
      const principal = tenantPrincipal(environment, (await findTenant(stores, tenantIdOf(req))).id);
      noteCreatedIn(res, await relay.call(req, res, { service: 'webhook', path: `/open/v1/${restOf(req)}`, principal }), 'endpoint_id');
    });
  }
}

/** Unclaimed parcels of a warehouse, the outcome of its events, and what is found by a scan. The intake responds, as it does to the warehouse. */
export function warehouseWorkRoutes(router: Router, { environment, stores, relay }: AdminOptions): void {
  for (const [method, path] of [
    ['get', 'unclaimed'],
    ['post', 'unclaimed/:id/claim'],
    ['post', 'unclaimed/:id/dismiss'],
    ['get', 'events/:id'],
    ['get', 'lookup'],
  ] as const) {
    router[method](`/admin/v1/warehouses/:code/${path}`, async (req, res) => {
      const warehouse = await stores.warehouses.find(String(req.params['code']));
      if (warehouse === undefined) throw new AppError('40403', 'The warehouse does not exist');
      const principal = warehousePrincipal(environment, warehouse.code);
      await relay.call(req, res, { service: 'warehouse-intake', path: `/warehouse/v1/${restOf(req)}`, principal });
    });
  }
}

/** Connections to vendors of tracking data: the operator's own, and those that a tenant has. The tracking service responds. */
export function connectionRoutes(router: Router, { environment, stores, relay }: AdminOptions): void {
  const isMasked = (req: Request): boolean => !mayAct(operatorOf(req).role, 'admin');
  router.get('/admin/v1/tenants/:id/carrier-connections', async (req, res) => {
    const principal = tenantPrincipal(environment, (await findTenant(stores, tenantIdOf(req))).id);
    await relay.call(req, res, { service: 'tracking', path: '/open/v1/carrier-connections', principal, isMasked: isMasked(req) });
  });
  const principal = platformPrincipal(environment, 'admin');
  for (const [method, path] of [
    ['post', ''],
    ['get', ''],
    ['get', '/:connection_id'],
    ['patch', '/:connection_id'],
    ['delete', '/:connection_id'],
    ['post', '/:connection_id/test'],
  ] as const) {
    router[method](`/admin/v1/carrier-connections${path}`, async (req, res) => {
      const inside = req.url.replace('/admin/', '/internal/');
      const text = await relay.call(req, res, { service: 'tracking', path: inside, principal, isMasked: isMasked(req) });
      noteCreatedIn(res, text, 'connection_id');
    });
  }
}
