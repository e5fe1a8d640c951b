import type { ErrorCode } from '@parcelway/kernel/error-codes';
import type { TSchema } from 'typebox';
import type { Deprecation } from './deprecation.ts';
import type { Scope } from './scopes.ts';
import type { ServiceName } from './service-name.ts';

/** Which bucket a route draws from. `batch` is for requests that do the work of up to a hundred others. */
export type RateClass = 'standard' | 'upload' | 'tracking' | 'batch';

/** One public route: what the gateway checks and where it leads, and what the API reference says of it. */
export interface RouteDefinition {
  /** Unique; the operationId of the OpenAPI document. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with parameters in braces, such as `/open/v1/forecasts/{po_number}`. */
  readonly path: string;
  /** The service that responds; `gateway` for its own routes. */
  readonly service: ServiceName;
  /** The service that handles the request when `service` does not have the resource. For GET only: the request is sent twice. */
  readonly fallback?: ServiceName;
  /** Whose key opens it; `public` needs none. */
  readonly access: 'public' | 'tenant' | 'warehouse';
  /** The key needs one of these; empty when any key of the right kind will do. */
  readonly scopes: readonly Scope[];
  readonly rateClass: RateClass;
  /** Does not exist in production. */
  readonly sandboxOnly?: boolean;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Schema of the query; every property is a string. */
  readonly query?: TSchema;
  /** Schema of the JSON body, or `multipart` for an upload in the field `file`. */
  readonly body?: TSchema | 'multipart';
  /** True when an absent body is allowed. */
  readonly bodyOptional?: boolean;
  /** Schema of `data` on success; `binary` when the response is a file, `table` when it is a CSV table that comes as it is made. */
  readonly data: TSchema | 'binary' | 'table';
  /**
   * Another `data` of a success, for requests with this parameter in their query. The document names it in `x-alternative-schemas` and in words: with a
   * union as the schema of the response, generated clients would return something else for everybody.
   */
  readonly alternative?: { readonly parameter: string; readonly value: string; readonly data: TSchema };
  /** HTTP status on success: 200, or 202 where the work is done after the response (events of a warehouse). */
  readonly success: 200 | 202;
  /** What the same call again does, in a sentence; absent when the route changes nothing. */
  readonly repeat?: string;
  /** True when the header `Idempotency-Key` makes a repeat harmless. */
  readonly idempotencyKey?: boolean;
  /** True when the response has the version of what it shows in the header `ETag`. */
  readonly etag?: boolean;
  /** True when the header `If-Match` makes a change depend on the version. */
  readonly ifMatch?: boolean;
  /** Failures of this route beyond those that every route shares. */
  readonly errors: readonly ErrorCode[];
  /** Set when the route is on its way out: its responses and the reference say so. */
  readonly deprecated?: Deprecation;
}

/** A route without the fields that its group shares. `below` is appended to the path of the group. */
type Given = Pick<RouteDefinition, 'id' | 'summary' | 'data'> & Partial<RouteDefinition> & { readonly below?: string };

/** Failures that follow from what a route takes: its body, its query and what its path names. */
function inputErrors({ body, query, path }: Pick<RouteDefinition, 'body' | 'query' | 'path'>): ErrorCode[] {
  const codes = new Set<ErrorCode>();
  if (body === 'multipart') for (const code of ['41501', '42204', '42205', '42206', '42207'] as const) codes.add(code);
  else if (body) for (const code of ['40001', '41301', '41501', '42201'] as const) codes.add(code);
  if (query) codes.add('42201');
  for (const name of pathParameters(path)) codes.add(name === 'po_number' ? '40401' : '40403');
  return [...codes];
}

/** Makes the routes of a group. The default is GET with the key of a tenant. `errors` adds to the failures that follow from what the route takes. */
export const routesWith =
  (common: Pick<RouteDefinition, 'service' | 'tag' | 'scopes'> & Partial<RouteDefinition>) =>
  ({ below = '', errors = [], ...given }: Given): RouteDefinition => {
    const path = `${common.path ?? ''}${below}`;
    const route = {
      method: 'GET',
      access: 'tenant',
      rateClass: 'standard',
      success: 200,
      ...common,
      path,
      ...given,
    } satisfies Partial<RouteDefinition>;
    return { ...route, errors: [...inputErrors(route), ...errors] };
  };

/** Failures that the header `Idempotency-Key` may lead to on any route that takes it. */
export const idempotencyErrors: readonly ErrorCode[] = ['40901', '40902', '42201'];

/** Names of the parameters in a path, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1] as string);
}
