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

/** Makes the routes of a group. The default is GET with the key of a tenant. */
export const routesWith =
  (common: Pick<RouteDefinition, 'service' | 'tag' | 'scopes'> & Partial<RouteDefinition>) =>
  ({ below = '', ...given }: Given): RouteDefinition => ({
    method: 'GET',
    access: 'tenant',
    rateClass: 'standard',
    success: 200,
    errors: [],
    ...common,
    path: `${common.path ?? ''}${below}`,
    ...given,
  });

/** Error codes of a route with a JSON body. */
export const bodyErrors = ['40001', '41301', '41501', '42201'] as const;

/** Failures that the header `Idempotency-Key` may lead to on any route that takes it. */
export const idempotencyErrors: readonly ErrorCode[] = ['40901', '40902', '42201'];

/** Names of the parameters in a path, in order. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1] as string);
}
