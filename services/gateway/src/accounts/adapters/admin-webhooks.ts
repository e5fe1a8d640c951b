import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import { tenantScopes } from '@parcelway/contracts/scopes';
import { ENDPOINTS_PATH, webhookRoutes } from '@parcelway/contracts/webhook-routes';
import { AppError } from '@parcelway/kernel/app-error';
import type { RequestHandler, Router } from 'express';
import type { Relayed } from '../../edge/adapters/relay-webhooks.ts';
import type { TenantStore } from '../ports.ts';
import { noteCreatedIn } from './admin-audit.ts';

/** What the routes of webhook endpoints work with. */
export interface AdminWebhookOptions {
  readonly environment: Environment;
  readonly stores: { readonly tenants: Pick<TenantStore, 'find'> };
  /** Passes a call on to a service as it is. */
  readonly relay: Relayed;
}

/** The routes of a tenant's webhook endpoints, for the operator. The webhook service responds, on the tenant's behalf. */
export function adminWebhookRoutes(router: Router, { environment, stores, relay }: AdminWebhookOptions): void {
  const pass: RequestHandler = async (req, res) => {
    const tenant = await stores.tenants.find(String(req.params['id']));
    if (tenant === undefined) throw new AppError('40403', 'The tenant does not exist');
    const principal: Principal = {
      kind: 'tenant',
      tenantId: tenant.id,
      warehouseCode: null,
      keyId: 'admin',
      scopes: tenantScopes,
      environment,
    };
    // Of the URL as it was sent, so that ids stay percent-encoded: /admin/v1/tenants/{id}/webhook-endpoints…
    const [, , , , , ...rest] = req.url.split('/');
    noteCreatedIn(res, await relay(req, res, { service: 'webhook', path: `/open/v1/${rest.join('/')}`, principal }), 'endpoint_id');
  };
  for (const { method, path } of webhookRoutes.filter((route) => route.path.startsWith(ENDPOINTS_PATH))) {
    const below = path.slice(ENDPOINTS_PATH.length).replaceAll(/\{([a-z_]+)\}/g, ':$1');
    router[method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'](`/admin/v1/tenants/:id/webhook-endpoints${below}`, pass);
  }
}
