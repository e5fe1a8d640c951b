import { MAIN_OPERATOR, type OperatorRole } from '@parcelway/contracts/operator-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { type Request, type RequestHandler, Router } from 'express';
import type { LastUse } from '../../proxy/last-use.ts';
import { mayAct, type PresentOperator } from '../domain/operator.ts';
import type { OperatorTokens } from '../operator-tokens.ts';
import type { Audit } from './admin-audit.ts';
import type { AdminRoute } from './admin-routes.ts';

/** What requests are let in by. */
export interface OperatorAccessOptions {
  readonly operators: Pick<OperatorTokens, 'authenticate'>;
  /** Of tokens, by the names of their operators. */
  readonly operatorUse: Pick<LastUse, 'note'>;
  readonly clock: Clock;
}

const present = new WeakMap<Request, PresentOperator>();

/** Who makes a request of the operator's API: name and role. Throws for a request that {@link requireOperator} has not let in. */
export function operatorOf(req: Request): PresentOperator {
  const operator = present.get(req);
  if (operator === undefined) throw new Error('The request has no operator: requireOperator must run before');
  return operator;
}

/** Lets requests with a token in, and remembers whose it is. */
export function requireOperator({ operators, operatorUse, clock }: OperatorAccessOptions): RequestHandler {
  return async (req, _res, next) => {
    const header = req.headers.authorization;
    if (header === undefined) throw new AppError('40101', 'Send Authorization: Bearer with the admin token');
    const operator = await operators.authenticate(/^Bearer +(\S{1,1024}) *$/i.exec(header)?.[1] ?? '');
    if (operator.name !== MAIN_OPERATOR) operatorUse.note(operator.name, clock.now());
    present.set(req, operator);
    next();
  };
}

/** @throws AppError 40301 naming the role that is needed, when the operator of a request has a lesser one */
export function assertRole(req: Request, needed: OperatorRole): void {
  const { name, role } = operatorOf(req);
  if (mayAct(role, needed)) return;
  throw new AppError('40301', `This call needs the role ${needed}; the operator ${name} has the role ${role}`, {
    data: { required_role: needed, role },
  });
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** A router whose routes need the roles of a table. */
export interface GuardedRouter {
  readonly router: Router;
  /** @throws Error naming routes of the table that do not exist, and routes that were added past the guard */
  assertComplete(): void;
}

/**
 * Makes a router on which each route needs the role that a table has for it, and refuses others with 40301.
 * @param routes `METHOD /path` as routes are added → the role, and how it is audited
 * @param auditing makes the handler that goes directly before the last one of a route that is audited
 */
export function createGuardedRouter(
  routes: Readonly<Record<string, AdminRoute>>,
  auditing: (audit: Audit) => RequestHandler,
): GuardedRouter {
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
    assertComplete() {
      const missing = Object.keys(routes).filter((route) => !added.has(route));
      if (missing.length > 0) throw new Error(`admin-routes.ts names routes that do not exist: ${missing.join(', ')}`);
      if (router.stack.length !== added.size)
        throw new Error("A route of the operator's API was added past its roles: use get, post, put, patch or delete");
    },
  };
}
