import { errorHandler } from '@parcelway/http/app';
import { assertPlainPath } from '@parcelway/http/plain-path';
import { durableResponses } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import express, { type Express, Router } from 'express';
import { requestIdFrom } from '../../proxy/domain/request-id.ts';
import { adminActivityRoutes } from './admin-activity.ts';
import { auditRoute } from './admin-audit.ts';
import { adminConsoleLinkRoutes } from './admin-console-links.ts';
import { adminKeyRoutes } from './admin-keys.ts';
import { adminListRoutes } from './admin-lists.ts';
import { connectionRoutes, endpointRoutes, warehouseWorkRoutes } from './admin-on-behalf.ts';
import { adminOperationRoutes } from './admin-operations.ts';
import { adminOperatorRoutes } from './admin-operators.ts';
import type { AdminOptions } from './admin-options.ts';
import { adminParcelRoutes } from './admin-parcels.ts';
import { adminRoutes } from './admin-routes.ts';
import { adminTenantDataRoutes } from './admin-tenant-data.ts';
import { adminTenantRoutes } from './admin-tenants.ts';
import { ExportCursors } from './export-cursors.ts';
import { createGuardedRouter } from './guarded-router.ts';
import { requireOperator } from './operator-access.ts';

/**
 * The operator's API: tenants, keys, warehouses, connections, dead letters. It does not listen; serve it on an address that is not public.
 * @throws Error when a route has no role
 */
export function createAdminApp(options: AdminOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use((req, res, next) => {
    const given = req.headers['x-request-id'];
    const requestId = requestIdFrom(typeof given === 'string' ? given : null);
    req.headers['x-request-id'] = requestId;
    res.setHeader('X-Request-Id', requestId);
    res.setHeader('X-Content-Type-Options', 'nosniff');
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
  const page = Router({ caseSensitive: true, strict: true });
  options.addPage(page);
  app.use(page);
  app.use(requireOperator(options));
  app.use(durableResponses(options.settled));
  app.use((req, _res, next) => {
    assertPlainPath(req.url);
    next();
  });
  const exports = new ExportCursors(options.fileSecrets, options.clock);
  const audit = { trail: options.trail, keys: options.stores.keys, exports };
  const { router, assertComplete } = createGuardedRouter(adminRoutes, (audited) => auditRoute(audited, audit));
  adminTenantRoutes(router, options);
  adminParcelRoutes(router, options);
  adminKeyRoutes(router, options);
  adminListRoutes(router, options);
  adminOperationRoutes(router, options);
  warehouseWorkRoutes(router, options);
  endpointRoutes(router, options);
  connectionRoutes(router, options);
  adminTenantDataRoutes(router, options, exports);
  adminOperatorRoutes(router, options);
  adminActivityRoutes(router, options);
  adminConsoleLinkRoutes(router, options);
  assertComplete();
  app.use(router);
  app.use(() => {
    throw new AppError('40402');
  });
  app.use(errorHandler(options.logger));
  return app;
}
