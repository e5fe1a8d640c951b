import type { Environment } from '@parcelway/contracts/environment';
import type { RouteDefinition } from '@parcelway/contracts/route';

/** What the table needs to know of a route. */
export type TableRoute = Pick<
  RouteDefinition,
  'id' | 'method' | 'path' | 'service' | 'fallback' | 'access' | 'scopes' | 'rateClass' | 'sandboxOnly' | 'deprecated' | 'body'
>;

/** Outcome of a look-up: the route; or the methods that this path has; or undefined when the path has none. */
export type RouteMatch = { readonly route: TableRoute } | { readonly allow: string };

interface PathEntry {
  /** Method → route. Includes HEAD where the route supports it. */
  readonly byMethod: Map<string, { readonly route: TableRoute }>;
  /** Segments of the path; null for a parameter. */
  readonly segments: ReadonlyArray<string | null>;
  /** Value of `Allow`. */
  allow: string;
}

function segmentsOf(path: string): Array<string | null> {
  return path
    .slice(1)
    .split('/')
    .map((segment) => (segment.startsWith('{') ? null : segment));
}

function fits(entry: PathEntry, segments: readonly string[]): boolean {
  return entry.segments.every((expected, index) => (expected === null ? segments[index] !== '' : expected === segments[index]));
}

/**
 * The public routes, compiled: a map for fixed paths, patterns by number of segments for the others. Fixed paths win.
 * Paths are compared as they were sent, percent-encoding included, which is how the services compare them too.
 */
export class RouteTable {
  readonly #fixed = new Map<string, PathEntry>();
  readonly #patterns = new Map<number, PathEntry[]>();

  /** @param environment routes of the sandbox do not exist in production */
  constructor(routes: readonly TableRoute[], environment: Environment) {
    for (const route of routes) {
      if (route.sandboxOnly && environment !== 'sandbox') continue;
      const entry = this.#entryOf(route.path);
      entry.byMethod.set(route.method, { route });
      // A file may be asked about without being fetched (RFC 9110, 9.3.2); keyed routes respond to GET alone.
      if (route.method === 'GET' && route.access === 'public') entry.byMethod.set('HEAD', { route });
      entry.allow = [...entry.byMethod.keys()].sort().join(', ');
    }
  }

  /** @param path without the query, as sent */
  match(method: string, path: string): RouteMatch | undefined {
    const entry = this.#fixed.get(path) ?? this.#byPattern(path);
    if (entry === undefined) return undefined;
    return entry.byMethod.get(method) ?? entry;
  }

  #byPattern(path: string): PathEntry | undefined {
    const segments = path.slice(1).split('/');
    return this.#patterns.get(segments.length)?.find((entry) => fits(entry, segments));
  }

  #entryOf(path: string): PathEntry {
    const segments = segmentsOf(path);
    const isPattern = segments.includes(null);
    const siblings = this.#patterns.get(segments.length) ?? [];
    const known = isPattern ? siblings.find((entry) => entry.segments.join('/') === segments.join('/')) : this.#fixed.get(path);
    if (known) return known;
    const entry: PathEntry = { byMethod: new Map(), segments, allow: '' };
    if (isPattern) this.#patterns.set(segments.length, [...siblings, entry]);
    else this.#fixed.set(path, entry);
    return entry;
  }
}

/**
 * Where tracking sources push. It takes no key: the service of the route verifies the signature of the source. It is no part of the API of merchants
 * and warehouses, so the reference does not list it.
 */
export const pushRoute: TableRoute = {
  id: 'receivePush',
  method: 'POST',
  path: '/carriers/v1/{source}/{connection_id}',
  service: 'tracking',
  access: 'public',
  scopes: [],
  rateClass: 'standard',
};
