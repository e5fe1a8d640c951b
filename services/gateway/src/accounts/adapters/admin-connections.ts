import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import type { RequestHandler, Router } from 'express';
import type { Relayed } from '../../edge/adapters/relay-webhooks.ts';

/** What the routes of connections work with. */
export interface AdminConnectionOptions {
  readonly environment: Environment;
  /** Passes a call on to a service as it is. */
  readonly relay: Relayed;
}

/** The operator's connections to vendors of tracking data. The tracking service responds. */
export function adminConnectionRoutes(router: Router, { environment, relay }: AdminConnectionOptions): void {
  const principal: Principal = { kind: 'system', tenantId: null, warehouseCode: null, keyId: 'admin', scopes: [], environment };
  const pass: RequestHandler = async (req, res) => {
    // Of the URL as it was sent, so that ids stay percent-encoded.
    await relay(req, res, { service: 'tracking', path: req.url.replace('/admin/', '/internal/'), principal });
  };
  router.post('/admin/v1/carrier-connections', pass);
  router.get('/admin/v1/carrier-connections', pass);
  router.get('/admin/v1/carrier-connections/:connection_id', pass);
  router.patch('/admin/v1/carrier-connections/:connection_id', pass);
  router.delete('/admin/v1/carrier-connections/:connection_id', pass);
  router.post('/admin/v1/carrier-connections/:connection_id/test', pass);
}
