import { idempotencyErrors, type RouteDefinition } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import { compileValidator, type Validator } from '@parcelway/contracts/validator';
import { errorCatalogue, isErrorCode } from '@parcelway/kernel/error-codes';
import type { ApiClient, ApiResponse } from './api-client.ts';

/** Parts of a call of a public route. */
export interface RouteCall {
  /** Values of the parameters in the path; encoded here. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type UploadedAs = readonly [name: string, content: Uint8Array, type?: string];

/** Failures that any route may respond with. */
const SHARED_ERRORS = ['40001', '40003', '40101', '40301', '40302', '40402', '42901', '50000', '50301'];

const byId = new Map(routes.map((route) => [route.id, route]));
const validators = new Map<object, Validator<unknown>>();

/** A public route by its id. @throws Error when there is none */
export function routeById(id: string): RouteDefinition {
  const route = byId.get(id);
  if (!route) throw new Error(`There is no route ${id}`);
  return route;
}

/** The path of a route with its parameters filled in, and the query. */
export function pathOf(route: RouteDefinition, call: RouteCall = {}): string {
  const path = route.path.replaceAll(/\{([a-z_]+)\}/g, (_match, name: string) => encodeURIComponent(call.path?.[name] ?? name));
  const pairs = Object.entries(call.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const query = new URLSearchParams(pairs).toString();
  return query === '' ? path : `${path}?${query}`;
}

function dataErrors({ data: schema }: RouteDefinition, data: unknown): string[] {
  if (typeof schema === 'string') return [];
  const validator = validators.get(schema) ?? compileValidator(schema);
  validators.set(schema, validator);
  return validator.errors(data).map((error) => `data.${error.field}: ${error.message}`);
}

/**
 * What a response of a route has wrong against the published contract: HTTP status, envelope, shape of `data`, codes that
 * the route is documented with, X-Request-Id. Empty when all is well.
 */
export function contractBreaches(route: RouteDefinition, response: ApiResponse<unknown>): string[] {
  const breaches: string[] = [];
  if (!response.headers['x-request-id']) breaches.push('no X-Request-Id');
  if (route.access !== 'public' && response.headers['cache-control'] !== 'no-store') breaches.push('no Cache-Control: no-store');
  if (route.data === 'table' && String(response.headers['content-type']).startsWith('text/csv')) return breaches;
  // A file has no envelope.
  if (route.data === 'binary' && response.status === route.success) return breaches;
  if (response.code === '0') {
    if (response.status !== route.success) breaches.push(`status ${response.status} instead of ${route.success}`);
    if (response.message !== 'success') breaches.push(`message ${response.message}`);
    return [...breaches, ...dataErrors(route, response.data)];
  }
  if (!isErrorCode(response.code)) return [...breaches, `no code of the catalogue: ${response.status} ${response.text.slice(0, 500)}`];
  const expected = errorCatalogue[response.code].http;
  if (response.status !== expected) breaches.push(`${response.code} with status ${response.status} instead of ${expected}`);
  if (response.message === '') breaches.push('no message');
  if (response.data === undefined) breaches.push('no data member');
  if (response.status === 503 && !response.headers['retry-after']) breaches.push(`${response.code} without Retry-After`);
  const keyErrors = route.idempotencyKey ? idempotencyErrors : [];
  if (![...SHARED_ERRORS, ...route.errors, ...keyErrors].includes(response.code))
    breaches.push(`${route.id} is not documented with ${response.code}`);
  return breaches;
}

/**
 * Calls a route by its id and holds the response, success or failure, against the published contract.
 * @throws Error when the response breaks the contract
 */
export async function callRoute<T = Record<string, unknown>>(client: ApiClient, id: string, call: RouteCall = {}): Promise<ApiResponse<T>> {
  const route = routeById(id);
  const response = await client.call<T>(pathOf(route, call), {
    method: route.method,
    ...(call.body === undefined ? {} : { body: call.body }),
    ...(call.headers === undefined ? {} : { headers: call.headers }),
  });
  return held(route, response);
}

/** Uploads a file by a route, and holds the response against the published contract. @throws Error when it breaks the contract */
export async function uploadRoute<T>(client: ApiClient, id: string, ...file: UploadedAs): Promise<ApiResponse<T>> {
  const route = routeById(id);
  return held(route, await client.upload<T>(route.path, ...file));
}

function held<T>(route: RouteDefinition, response: ApiResponse<T>): ApiResponse<T> {
  const breaches = contractBreaches(route, response);
  if (breaches.length > 0) throw new Error(`${route.id} breaks its contract: ${breaches.join('; ')}\n${response.text.slice(0, 1000)}`);
  return response;
}

/** `data` of a call that has to succeed. @throws Error with the envelope otherwise */
export async function expectRoute<T = Record<string, unknown>>(client: ApiClient, id: string, call: RouteCall = {}): Promise<T> {
  const response = await callRoute<T>(client, id, call);
  if (response.code !== '0') throw new Error(`${id} responded with ${response.status} ${response.text.slice(0, 1000)}`);
  return response.data;
}
