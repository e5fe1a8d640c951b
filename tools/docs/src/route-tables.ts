import type { JsonSchema } from '@parcelway/contracts/description/json-schema';
import { leavesOf } from '@parcelway/contracts/description/schema-words';
import type { RouteDefinition } from '@parcelway/contracts/route';
import { routeOf, routes } from '@parcelway/contracts/routes';
import { sdkResources } from '@parcelway/tools-contracts/sdk-resources';
import { code, table } from './markdown.ts';
import { type ClientMethod, pythonMethods } from './python-resources.ts';

/** True for a route of a warehouse. */
export const isWarehouse = (route: RouteDefinition) => route.access === 'warehouse';

/** True for a route of webhook endpoints. */
export const isWebhook = (route: RouteDefinition) => route.tag === 'Webhook endpoints';

/** What a repeat of each changing call does, by itself and with a key. */
export function repeatTable(chosen: (route: RouteDefinition) => boolean): string {
  const changing = routes.filter((route) => chosen(route) && route.method !== 'GET');
  const silent = changing.filter(({ repeat }) => repeat === undefined);
  if (silent.length > 0)
    throw new Error(`packages/contracts does not say what repeating does for ${silent.map(({ id }) => id).join(', ')}`);
  return table(
    ['Call', 'The same call again', '`Idempotency-Key`'],
    changing.map((route) => [code(`${route.method} ${route.path}`), route.repeat, route.idempotencyKey ? 'yes' : '']),
  );
}

/** Routes with their scopes and rates. */
export const routeTable = (wanted: (route: RouteDefinition) => boolean): string =>
  table(
    ['Route', 'Does', 'Scope', 'Rate'],
    routes
      .filter(wanted)
      .map((route) => [
        code(`${route.method} ${route.path}`),
        route.summary,
        route.access === 'public' ? 'no key' : route.scopes.map(code).join(' or ') || `any key of a ${route.access}`,
        route.access === 'public' ? '' : route.rateClass,
      ]),
  );

/** Methods of the client for Node, with the route of each. @throws Error for a route without a method */
export const sdkMethodTable = (): string =>
  methodTable(
    sdkResources.flatMap(({ property, methods }) =>
      methods.flatMap(({ name, parameters, routes: called }) =>
        called.map((route) => ({ call: `${property}.${name}(${parameters.join(', ')})`, route })),
      ),
    ),
  );

/** Methods of the client for Python, with the route of each. @throws Error for a route without a method */
export const pythonMethodTable = (): string => methodTable(pythonMethods());

function methodTable(methods: readonly ClientMethod[]): string {
  const missing = routes.filter(({ id }) => !methods.some((method) => method.route === id));
  if (missing.length > 0) throw new Error(`The SDK has no method for ${missing.map(({ id }) => id).join(', ')}`);
  const rows = methods.map(({ call, route }) => {
    const { method, path, summary } = routeOf(route);
    return [code(call), summary, code(`${method} ${path}`)];
  });
  return table(['Method', 'Does', 'Route'], rows);
}

/** Path of each field of a route's body and query → what it may hold; of a union, what each branch allows. */
function rulesOfRoute({ query, body }: RouteDefinition): [path: string, rule: string][] {
  const rules = new Map<string, Set<string>>();
  for (const schema of [query, body]) {
    if (schema === undefined || schema === 'multipart') continue;
    for (const [full, rule] of leavesOf(schema as JsonSchema)) {
      // A forecast of a batch follows the rules of a submission: they are listed once.
      const path = full.replace(/^forecasts\[\]\./, '');
      rules.set(path, new Set([...(rules.get(path) ?? []), rule].filter(Boolean)));
    }
  }
  return [...rules].filter(([, allowed]) => allowed.size > 0).map(([path, allowed]) => [path, [...allowed].join('; or ')]);
}

/** What every field of a request may hold; routes that allow the same share a row. */
export function limitTable(wanted: (route: RouteDefinition) => boolean): string {
  const rows = new Map<string, { readonly path: string; readonly rule: string; readonly routes: string[] }>();
  for (const route of routes.filter(wanted)) {
    for (const [path, rule] of rulesOfRoute(route)) {
      const key = JSON.stringify([path, rule]);
      const row = rows.get(key) ?? { path, rule, routes: [] };
      row.routes.push(code(`${route.method} ${route.path}`));
      rows.set(key, row);
    }
  }
  return table(
    ['Field', 'What is allowed', 'Routes'],
    [...rows.values()].map((row) => [code(row.path), row.rule, row.routes.join('<br>')]),
  );
}
