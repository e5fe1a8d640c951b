// The table of routes in clients/python. Which of them may be repeated is read from packages/sdk, so that both clients repeat the same.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { routes } from '@parcelway/contracts/routes';
import { quote } from './python-words.ts';

/** Ids of the routes that change something and whose call may be made twice, as packages/sdk lists them. */
function harmlessRoutes(root: string): string[] {
  const source = readFileSync(join(root, 'packages/sdk/src/retry.ts'), 'utf8');
  const [, list = ''] = /harmless: ReadonlySet<RouteId> = new Set<RouteId>\(\[([^\]]*)\]\)/.exec(source) ?? [];
  const ids = [...list.matchAll(/'(\w+)'/g)].map(([, id = '']) => id);
  if (ids.length === 0) throw new Error('packages/sdk/src/retry.ts does not list the routes that may be repeated');
  return ids;
}

/** How the client for Python calls a route. */
export interface PythonCall {
  /** Such as `forecasts.list`; several are joined by `or`. */
  readonly method: string;
  /** Names of the parameters that have to be named. */
  readonly parameters: readonly string[];
}

/** A tuple, which has a comma behind its only element. */
const tuple = (values: readonly string[]) =>
  `(${values
    .map((value) => `${quote(value)},`)
    .join(' ')
    .replace(/(?<=, .*),$/, '')})`;

/** Text of the module with the table of routes, for the checkout at `root`. @param calls of the client, by id of the route */
export function pythonRoutes(root: string, calls: ReadonlyMap<string, PythonCall>): string {
  const harmless = new Set(harmlessRoutes(root));
  const rows = routes.map((route) => {
    const kind = route.body === 'multipart' ? 'upload' : route.data === 'binary' || route.data === 'table' ? 'file' : 'json';
    const flags = [
      route.access === 'public',
      route.idempotencyKey === true,
      route.ifMatch === true,
      route.method === 'GET' || harmless.has(route.id),
    ]
      .map(quote)
      .join(', ');
    const { method, parameters } = calls.get(route.id) ?? { method: '', parameters: [] };
    if (method === '') throw new Error(`No method of packages/sdk calls ${route.id}`);
    const called = `${quote(method)}, ${tuple(parameters)}`;
    return `    ${quote(route.id)}: Route(${[route.method, route.path, kind].map(quote).join(', ')}, ${flags}, ${called}),\n`;
  });
  return `# Made from the contract by \`npm run docs\`; do not edit.
"""Where each route is."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Route(NamedTuple):
    """A route of the API."""

    method: str
    path: str
    kind: Literal["json", "upload", "file"]
    """upload: the body is a file. file: the response is one."""
    public: bool
    """True when it needs no key, and gets none."""
    takes_key: bool
    """True when it takes the header Idempotency-Key."""
    takes_version: bool
    """True when it takes the header If-Match."""
    repeatable: bool
    """True when the same call may be made twice."""
    call: str
    """Method of the client, such as \`forecasts.list\`; several are joined by "or"."""
    parameters: tuple[str, ...]
    """Parameters of the method that have to be named."""


ROUTES = {
${rows.join('')}}
`;
}
