import type { RouteDefinition } from '@parcelway/contracts/route';
import type { Request, RequestHandler, Router } from 'express';
import { jsonBody } from './json-body.ts';
import { sendOk } from './response.ts';

/** Makes `data` of the successful response of one route. */
export type RouteResponse<Caller> = (req: Request, caller: Caller) => object | Promise<object>;

/** Adds routes with JSON bodies as the contract describes them. Throws when one of them has no response. */
export function addContractRoutes<Caller>(
  router: Router,
  routes: readonly RouteDefinition[],
  options: {
    /** By the ids of routes. */
    readonly responses: Readonly<Record<string, RouteResponse<Caller>>>;
    readonly callerOf: (req: Request) => Caller;
    /** What comes before the body of a route is read. */
    readonly before?: (routeId: string) => readonly RequestHandler[];
    /** Lets a request take effect once; for routes that take a key of idempotency. */
    readonly once?: (routeId: string) => RequestHandler;
  },
): void {
  const { responses, callerOf, before, once } = options;
  for (const { id, method, path, body, bodyOptional, idempotencyKey, success: status } of routes) {
    const respond = responses[id];
    if (respond === undefined) throw new Error(`No response for the route ${id}`);
    const handlers = [...(before?.(id) ?? [])];
    if (body !== undefined) handlers.push(jsonBody({ optional: bodyOptional === true }));
    if (idempotencyKey && once) handlers.push(once(id));
    const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
    router[verb](path.replaceAll(/\{([a-z_]+)\}/g, ':$1'), ...handlers, async (req: Request, res) => {
      sendOk(res, await respond(req, callerOf(req)), { status });
    });
  }
}
