import { createApp } from '@parcelway/http/app';
import { jsonBody } from '@parcelway/http/json-body';
import { assertPlainPath } from '@parcelway/http/plain-path';
import { durableResponses, sendOk } from '@parcelway/http/response';
import { type Express, Router } from 'express';
import { platformPrincipal, tenantPrincipal, warehousePrincipal } from '../../proxy/domain/principals.ts';
import { requestIdFrom } from '../../proxy/domain/request-id.ts';
import { findTenant } from '../../tenants/tenants.ts';
import { findWarehouse } from '../../tenants/warehouses.ts';
import { mayAct } from '../domain/operator.ts';
import { operatorOfToken } from '../operators.ts';
import { adminActivityRoutes } from './admin-activity.ts';
import { auditRoute, noteCreatedIn } from './admin-audit.ts';
import { adminDeadLetterRoutes } from './admin-dead-letters.ts';
import { adminKeyRoutes } from './admin-keys.ts';
import { adminOperationRoutes } from './admin-operations.ts';
import { adminOperatorRoutes } from './admin-operators.ts';
import { type AdminOptions, type Respond, tenantIdOf } from './admin-options.ts';
import { type AdminRoute, adminRoutes, type OwnRoute, type RelayedRoute } from './admin-routes.ts';
import { adminTenantDataRoutes } from './admin-tenant-data.ts';
import { adminTenantRoutes } from './admin-tenants.ts';
import { ExportCursors } from './export-cursors.ts';
import { operatorOf, requireOperator, requireRole } from './operator-access.ts';
import { relayCall } from './relay.ts';

/** Passes requests of a route on to the service that responds. */
function relayed({ environment, store, relay }: AdminOptions, { service, onBehalfOf, created, hasConnections }: RelayedRoute): Respond {
  return async (req, res) => {
    // What follows /admin/v1/tenants/{id}/ or /admin/v1/warehouses/{code}/, of the URL as it was sent: ids stay percent-encoded.
    const rest = req.url.split('/').slice(5).join('/');
    const target = {
      tenant: async () => ({
        path: `/open/v1/${rest}`,
        principal: tenantPrincipal(environment, (await findTenant(store, tenantIdOf(req))).tenantId),
      }),
      warehouse: async () => ({
        path: `/warehouse/v1/${rest}`,
        principal: warehousePrincipal(environment, (await findWarehouse(store, String(req.params['code']))).code),
      }),
      platform: async () => ({ path: req.url.replace('/admin/', '/internal/'), principal: platformPrincipal(environment, 'admin') }),
    };
    const isMasked = hasConnections === true && !mayAct(operatorOf(req).role, 'admin');
    const text = await relayCall(relay, req, res, { service, ...(await target[onBehalfOf]()) }, isMasked);
    if (created !== undefined) noteCreatedIn(res, text, created);
    return undefined;
  };
}

/**
 * The operator's API: tenants, keys, warehouses, connections, dead letters. It does not listen; serve it on an address that is not public.
 */
export function createAdminApp(options: AdminOptions): Express {
  const exports = new ExportCursors(options.fileSecrets, options.clock);
  const auditing = { trail: options.trail, keys: options.keys, exports };
  const own: Record<OwnRoute, Respond> = {
    ...adminTenantRoutes(options),
    ...adminKeyRoutes(options),
    ...adminOperationRoutes(options),
    ...adminDeadLetterRoutes(options),
    ...adminTenantDataRoutes(options, exports),
    ...adminOperatorRoutes(options),
    ...adminActivityRoutes(options),
  };
  const router = Router({ caseSensitive: true, strict: true });
  for (const [route, { role, audit, to, body }] of Object.entries<AdminRoute>(adminRoutes)) {
    const [method = '', path = ''] = route.split(' ');
    const respond = to === undefined ? own[route as OwnRoute] : relayed(options, to);
    const readsBody = to === undefined && (method === 'POST' || method === 'PATCH') && body !== 'none';
    router[method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'](
      path,
      requireRole(role),
      ...(readsBody ? [jsonBody({ optional: body === 'optional' })] : []),
      ...(audit ? [auditRoute(audit, auditing)] : []),
      async (req, res) => {
        const data = await respond(req, res);
        if (data !== undefined) sendOk(res, data);
      },
    );
  }
  const page = Router({ caseSensitive: true, strict: true });
  options.addPage(page);
  return createApp(options.logger, [
    (req, res, next) => {
      const given = req.headers['x-request-id'];
      const requestId = requestIdFrom(typeof given === 'string' ? given : null);
      req.headers['x-request-id'] = requestId;
      res.setHeader('X-Request-Id', requestId);
      res.setHeader('X-Content-Type-Options', 'nosniff');
      res.setHeader('Cache-Control', 'no-store');
      next();
    },
    page,
    requireOperator({ ...options, authenticate: (given) => operatorOfToken(options, options.token, given) }),
    durableResponses(options.settled),
    (req, _res, next) => {
      assertPlainPath(req.url);
      next();
    },
    router,
  ]);
}
