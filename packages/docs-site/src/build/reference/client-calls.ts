import type { RouteDefinition } from '@parcelway/contracts/route';

/** How a client of the platform calls a route. */
export interface ClientCall {
  readonly client: 'Node' | 'Python';
  /** Such as `forecasts.submit(forecast)`. */
  readonly call: string;
  /** Address of the guide of the client, from `docs`. */
  readonly guide: string;
}

/** The calls of a route, first those of the client for Node. */
export type ClientCalls = (route: RouteDefinition) => readonly ClientCall[];

/** Clients, and the documents with their tables of methods, from docs/. */
const CLIENTS = [
  { client: 'Node', guide: 'docs/guides/sdk', document: 'sdk.md' },
  { client: 'Python', guide: 'docs/guides/python', document: '../clients/python/README.md' },
] as const;

/**
 * Reads the tables of methods in the guides of the clients.
 * @param document gives the text of a document, by its path from docs/
 */
export function clientCalls(document: (path: string) => string): ClientCalls {
  const rows = CLIENTS.flatMap(({ client, guide, document: path }) =>
    [...document(path).matchAll(/^\| `([^`]+)` \| [^|]+ \| `([A-Z]+ \/[^`]+)` \|$/gm)].map(([, call = '', route = '']) => ({
      route,
      ...{ client, call, guide },
    })),
  );
  return ({ method, path }) =>
    rows.filter(({ route }) => route === `${method} ${path}`).map(({ client, call, guide }) => ({ client, call, guide }));
}
