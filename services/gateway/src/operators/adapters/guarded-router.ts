import { type RequestHandler, Router } from 'express';
import type { Audit } from './admin-audit.ts';
import type { AdminRoute } from './admin-routes.ts';
import { assertRole } from './operator-access.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * Makes a router on which each route needs the role that a table has for it, and refuses others with 40301.
 * @param routes `METHOD /path` as routes are added → the role, and how it is audited
 * @param auditing makes the handler that goes directly before the last one of a route that is audited
 */
export function createGuardedRouter(routes: Readonly<Record<string, AdminRoute>>, auditing: (audit: Audit) => RequestHandler) {
  const router = Router({ caseSensitive: true, strict: true });
  const added = new Set<string>();
  for (const method of METHODS) {
    const add = router[method].bind(router) as (path: string, ...handlers: RequestHandler[]) => Router;
    const guarded = (path: string, ...handlers: RequestHandler[]): Router => {
      const route = `${method.toUpperCase()} ${path}`;
      const known = routes[route];
      if (known === undefined) throw new Error(`The route ${route} of the operator's API has no role: add it to admin-routes.ts`);
      added.add(route);
      const requireRole: RequestHandler = (req, _res, next) => {
        assertRole(req, known.role);
        next();
      };
      const inserted = known.role === 'read' || known.audit === null ? [] : [auditing(known.audit)];
      return add(path, requireRole, ...handlers.slice(0, -1), ...inserted, ...handlers.slice(-1));
    };
    Object.assign(router, { [method]: guarded });
  }
  return {
    router,
    /** @throws Error naming routes of the table that do not exist, and routes that were added past the guard */
    assertComplete(): void {
      const missing = Object.keys(routes).filter((route) => !added.has(route));
      if (missing.length > 0) throw new Error(`admin-routes.ts names routes that do not exist: ${missing.join(', ')}`);
      if (router.stack.length !== added.size)
        throw new Error("A route of the operator's API was added past its roles: use get, post, put, patch or delete");
    },
  };
}
