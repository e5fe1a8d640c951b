import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import { warehouseScopes } from '@parcelway/contracts/scopes';
import { AppError } from '@parcelway/kernel/app-error';
import type { Request, RequestHandler, Router } from 'express';
import type { Relayed } from '../../edge/adapters/relay-webhooks.ts';
import type { WarehouseStore } from '../ports.ts';

/** What the routes of a warehouse work with. */
export interface AdminWarehouseOptions {
  readonly environment: Environment;
  readonly stores: { readonly warehouses: Pick<WarehouseStore, 'find'> };
  /** Passes a call on to a service as it is. */
  readonly relay: Relayed;
}

/**
 * What the operator does for a warehouse: its unclaimed parcels, the outcome of its events, and what is found by a scan. The intake responds, as it
 * does to the warehouse.
 */
export function adminWarehouseRoutes(router: Router, { environment, stores, relay }: AdminWarehouseOptions): void {
  const onBehalf: RequestHandler = async (req: Request, res) => {
    const warehouse = await stores.warehouses.find(String(req.params['code']));
    if (warehouse === undefined) throw new AppError('40403', 'The warehouse does not exist');
    const principal: Principal = {
      kind: 'warehouse',
      tenantId: null,
      warehouseCode: warehouse.code,
      keyId: 'admin',
      scopes: warehouseScopes,
      environment,
    };
    // Of the URL as it was sent, so that ids stay percent-encoded: /admin/v1/warehouses/{code}/…
    const [, , , , , ...rest] = req.url.split('/');
    await relay(req, res, { service: 'warehouse-intake', path: `/warehouse/v1/${rest.join('/')}`, principal });
  };
  router.get('/admin/v1/warehouses/:code/unclaimed', onBehalf);
  router.post('/admin/v1/warehouses/:code/unclaimed/:id/claim', onBehalf);
  router.post('/admin/v1/warehouses/:code/unclaimed/:id/dismiss', onBehalf);
  router.get('/admin/v1/warehouses/:code/events/:id', onBehalf);
  router.get('/admin/v1/warehouses/:code/lookup', onBehalf);
}
