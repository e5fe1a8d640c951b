import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import { tenantScopes } from '@parcelway/contracts/scopes';
import { AppError } from '@parcelway/kernel/app-error';
import type { Request, RequestHandler, Router } from 'express';
import type { Relayed } from '../../edge/adapters/relay-webhooks.ts';
import { mayAct } from '../domain/operator.ts';
import type { TenantStore } from '../ports.ts';
import { noteCreatedIn } from './admin-audit.ts';
import { operatorOf } from './operator-access.ts';

/** What the routes of connections work with. */
export interface AdminConnectionOptions {
  readonly environment: Environment;
  readonly stores: { readonly tenants: Pick<TenantStore, 'find'> };
  /** Passes a call on to a service as it is. */
  readonly relay: Relayed;
}

/** The operator's connections to vendors of tracking data. The tracking service responds. */
export function adminConnectionRoutes(router: Router, { environment, stores, relay }: AdminConnectionOptions): void {
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'admin', scopes: [], environment };
  const isMasked = (req: Request): boolean => !mayAct(operatorOf(req).role, 'admin');
  const pass: RequestHandler = async (req, res) => {
    // Of the URL as it was sent, so that ids stay percent-encoded.
    const text = await relay(req, res, {
      service: 'tracking',
      path: req.url.replace('/admin/', '/internal/'),
      principal,
      isMasked: isMasked(req),
    });
    noteCreatedIn(res, text, 'connection_id');
  };
  router.get('/admin/v1/tenants/:id/carrier-connections', async (req, res) => {
    const tenant = await stores.tenants.find(String(req.params['id']));
    if (tenant === undefined) throw new AppError('40403', 'The tenant does not exist');
    const itself: Principal = { ...principal, kind: 'tenant', tenantId: tenant.id, scopes: tenantScopes };
    await relay(req, res, { service: 'tracking', path: '/open/v1/carrier-connections', principal: itself, isMasked: isMasked(req) });
  });
  router.post('/admin/v1/carrier-connections', pass);
  router.get('/admin/v1/carrier-connections', pass);
  router.get('/admin/v1/carrier-connections/:connection_id', pass);
  router.patch('/admin/v1/carrier-connections/:connection_id', pass);
  router.delete('/admin/v1/carrier-connections/:connection_id', pass);
  router.post('/admin/v1/carrier-connections/:connection_id/test', pass);
}
