import { idempotencyErrors, type RouteDefinition } from '@parcelway/contracts/route';
import { routes } from '@parcelway/contracts/routes';
import { compileValidator, type Validator } from '@parcelway/contracts/validator';
import { errorCatalogue, isErrorCode } from '@parcelway/kernel/error-codes';
import type { Answer, ApiClient } from './api-client.ts';

/** Parts of a call of a public route. */
export interface RouteCall {
  /** Values of the parameters in the path; encoded here. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Failures that any route may answer with. */
const SHARED_ERRORS = ['40001', '40003', '40101', '40301', '40302', '40402', '42901', '50000', '50301'];

const byId = new Map(routes.map((route) => [route.id, route]));
const validators = new Map<string, Validator<unknown>>();

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

function dataErrors(route: RouteDefinition, data: unknown): string[] {
  if (route.data === 'binary') return [];
  const validator = validators.get(route.id) ?? compileValidator(route.data);
  validators.set(route.id, validator);
  return validator.errors(data).map((error) => `data.${error.field}: ${error.message}`);
}

/**
 * What an answer of a route has wrong against the published contract: HTTP status, envelope, shape of `data`, codes that
 * the route is documented with, X-Request-Id. Empty when all is well.
 */
export function contractBreaches(route: RouteDefinition, answer: Answer<unknown>): string[] {
  const breaches: string[] = [];
  if (!answer.headers['x-request-id']) breaches.push('no X-Request-Id');
  if (route.access !== 'public' && answer.headers['cache-control'] !== 'no-store') breaches.push('no Cache-Control: no-store');
  if (answer.code === '0') {
    if (answer.status !== route.success) breaches.push(`status ${answer.status} instead of ${route.success}`);
    if (answer.message !== 'success') breaches.push(`message ${answer.message}`);
    return [...breaches, ...dataErrors(route, answer.data)];
  }
  if (!isErrorCode(answer.code)) return [...breaches, `no code of the catalogue: ${answer.status} ${answer.text.slice(0, 500)}`];
  const expected = errorCatalogue[answer.code].http;
  if (answer.status !== expected) breaches.push(`${answer.code} with status ${answer.status} instead of ${expected}`);
  if (answer.message === '') breaches.push('no message');
  if (answer.data === undefined) breaches.push('no data member');
  if (answer.status === 503 && !answer.headers['retry-after']) breaches.push(`${answer.code} without Retry-After`);
  const keyErrors = route.idempotencyKey ? idempotencyErrors : [];
  if (![...SHARED_ERRORS, ...route.errors, ...keyErrors].includes(answer.code))
    breaches.push(`${route.id} is not documented with ${answer.code}`);
  return breaches;
}

/**
 * Calls a route by its id and holds the answer, success or failure, against the published contract.
 * @throws Error when the answer breaks the contract
 */
export async function callRoute<T = Record<string, unknown>>(client: ApiClient, id: string, call: RouteCall = {}): Promise<Answer<T>> {
  const route = routeById(id);
  const answer = await client.call<T>(pathOf(route, call), {
    method: route.method,
    ...(call.body === undefined ? {} : { body: call.body }),
    ...(call.headers === undefined ? {} : { headers: call.headers }),
  });
  const breaches = contractBreaches(route, answer);
  if (breaches.length > 0) throw new Error(`${id} breaks its contract: ${breaches.join('; ')}\n${answer.text.slice(0, 1000)}`);
  return answer;
}

/** `data` of a call that has to succeed. @throws Error with the envelope otherwise */
export async function expectRoute<T = Record<string, unknown>>(client: ApiClient, id: string, call: RouteCall = {}): Promise<T> {
  const answer = await callRoute<T>(client, id, call);
  if (answer.code !== '0') throw new Error(`${id} answered ${answer.status} ${answer.text.slice(0, 1000)}`);
  return answer.data;
}
