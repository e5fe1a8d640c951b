import type { ServerResponse } from 'node:http';
import { type Deprecation, deprecatedInputOf, deprecationHeaders, hasField } from '@parcelway/contracts/deprecation';
import type { Request } from 'express';

/** What is looked at of a route of the contract. */
interface Input {
  readonly method: string;
  readonly path: string;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly deprecated?: Deprecation;
}

/**
 * Adds the headers of a deprecation to the response when the request has used a deprecated parameter or field. A route that is
 * deprecated itself is left to the gateway, which says so of every response.
 * @param routes those of the contract; what they hold is looked through once, so that a request of any other route costs a look-up at most
 */
export function deprecatedInput(routes: readonly Input[]): (res: ServerResponse) => void {
  const byRoute = new Map(
    routes
      .filter((route) => route.deprecated === undefined)
      .map((route) => [`${route.method} ${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`, deprecatedInputOf(route)] as const)
      .filter(([, { query, body }]) => query.length + body.length > 0),
  );
  if (byRoute.size === 0) return () => undefined;
  return (res) => {
    const req = res.req as Request;
    const input = byRoute.get(`${req.method} ${(req.route as { readonly path?: string } | undefined)?.path}`);
    const used =
      input?.query.find(({ path }) => hasField(req.query, path)) ?? input?.body.find(({ path }) => hasField(req.body as unknown, path));
    if (used === undefined) return;
    const headers = deprecationHeaders(used.deprecation);
    for (let index = 0; index < headers.length; index += 2) res.setHeader(headers[index] as string, headers[index + 1] as string);
  };
}
