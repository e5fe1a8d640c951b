import type { Environment } from './environment.ts';
import { atBaseUrl, EXAMPLE_BASE_URL, exampleParcel } from './example-parcel.ts';
import { parameterExamples, routeExamples } from './examples.ts';
import type { JsonObject } from './openapi-schemas.ts';
import { tags } from './openapi-tags.ts';
import { pathParameters, type RouteDefinition } from './route.ts';
import { routes } from './routes.ts';

/*
 * The variables of the collection of requests: what a reader fills in once, and what later requests need from earlier responses.
 */

/** What a reader has to fill in before the first request. */
const keyVariables = {
  api_key: 'Key of a tenant: pf_test_… in the sandbox',
  warehouse_api_key: 'Key of a warehouse, for the folders of warehouses alone',
} as const;

const lastStep = (url: string) => url.split('/').at(-1) ?? '';
const responseOf = (id: string) => routeExamples[id]?.data as Readonly<Record<string, string>>;

/** Variable → its first value, which examples of bodies have in its place. */
const firstValues: Readonly<Record<string, unknown>> = {
  ...parameterExamples,
  forecast_no: exampleParcel.forecastNo,
  warehouse_code: exampleParcel.warehouseCode,
  image_id: responseOf('uploadImage')['image_id'],
  file_name: lastStep(responseOf('uploadPdf')['url'] ?? ''),
  photo_name: lastStep(responseOf('uploadPhoto')['image_url'] ?? ''),
};

/** The variable that fills in a parameter of a path. The name of a file is one of another kind than that of a photo. */
function pathVariable(route: RouteDefinition, parameter: string): string {
  return parameter === 'name' ? `${route.path.split('/')[1]?.replace(/s$/, '') ?? ''}_name` : parameter;
}

/** Names of the variables that requests use besides the address and the keys, with their first values. */
function requestVariables(routes: readonly RouteDefinition[]): ReadonlyMap<string, string> {
  const names = routes.flatMap((route) => pathParameters(route.path).map((parameter) => pathVariable(route, parameter)));
  const all = new Set(['po_number', 'forecast_no', 'warehouse_code', 'file_url', 'image_id', ...names]);
  return new Map([...all].map((name): [string, string] => [name, String(firstValues[name] ?? '')]));
}

/** The text of a body with variables in place of the reader's own values. */
function withVariables(body: unknown, variables: ReadonlyMap<string, string>): string {
  let text = JSON.stringify(body, null, 2).replaceAll(/"[^"\n]*"/g, (quoted) => {
    const [found] = [...variables].find(([, value]) => value !== '' && quoted === JSON.stringify(value)) ?? [];
    return found === undefined ? quoted : `"{{${found}}}"`;
  });
  text = text.replaceAll(new RegExp(`"${EXAMPLE_BASE_URL}/files/[^"]+"`, 'g'), '"{{file_url}}"');
  return text.replaceAll(EXAMPLE_BASE_URL, '{{base_url}}');
}

/**
 * Lines of a script that keeps what the response gives for later requests; none when it gives nothing. `data` is a name that Postman has taken. Where there are no scripts, the reader fills in the
 * variables.
 */
function keepingScript(route: RouteDefinition, variables: ReadonlyMap<string, string>): string[] {
  if (route.method !== 'POST' || route.data === 'binary') return [];
  const { properties = {} } = route.data as { readonly properties?: Readonly<Record<string, { readonly type?: string }>> };
  const names = Object.keys(properties).filter(
    (name) => variables.has(name) && ['string', 'integer'].includes(properties[name]?.type ?? ''),
  );
  const lines = names.map((name) => `if (created.${name}) pm.collectionVariables.set('${name}', created.${name});`);
  if (route.body === 'multipart' && ('url' in properties || 'image_url' in properties)) {
    const [url, kind] = 'url' in properties ? ['url', 'file'] : ['image_url', 'photo'];
    lines.push(`if (created.${url}) pm.collectionVariables.set('${kind}_name', created.${url}.split('/').pop());`);
    if (kind === 'file') lines.push(`if (created.${url}) pm.collectionVariables.set('file_url', created.${url});`);
  }
  return lines.length === 0 ? [] : ['const created = pm.response.json().data || {};', ...lines];
}

/** What a collection is built for. */
export interface PostmanOptions {
  readonly environment: Environment;
  /** Address of the gateway, without a slash at the end. */
  readonly baseUrl: string;
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** Folders that give what a forecast needs. */
const FIRST = ['Files', 'Warehouses'];

/** What changes something comes later, and what ends it last, so that a program can run a folder from the top to the bottom. */
function inOrder(shown: readonly RouteDefinition[]): RouteDefinition[] {
  const placeOf = ({ method, path }: RouteDefinition) => (method === 'DELETE' || path.endsWith('/cancel') ? 2 : method === 'PATCH' ? 1 : 0);
  return shown.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The key that opens a route. A folder or request that says nothing takes what is above it: the key of a tenant. */
function authOf(access: RouteDefinition['access']): JsonObject {
  if (access === 'public') return { type: 'noauth' };
  const value = access === 'warehouse' ? '{{warehouse_api_key}}' : '{{api_key}}';
  const entries = Object.entries({ key: 'X-Api-Key', value, in: 'header' });
  return { type: 'apikey', apikey: entries.map(([key, each]) => ({ key, value: each, type: 'string' })) };
}

interface QuerySchema {
  readonly properties?: Readonly<
    Record<string, { readonly description?: string; readonly default?: unknown; readonly enum?: readonly unknown[] }>
  >;
  readonly required?: readonly string[];
}

/** The parameters of the query. Those that may be left out are there, switched off, unless the example of the route fills them in. */
function queryOf(route: RouteDefinition, variables: ReadonlyMap<string, string>): JsonObject[] {
  const { properties = {}, required = [] } = (route.query ?? {}) as QuerySchema;
  const filledIn = routeExamples[route.id]?.query ?? {};
  return Object.entries(properties).map(([key, schema]) => {
    const own = variables.has(key) ? `{{${key}}}` : parameterExamples[key];
    const value = String(filledIn[key] ?? own ?? schema.default ?? schema.enum?.[0] ?? '');
    const isOff = !required.includes(key) && filledIn[key] === undefined;
    return { key, value, ...(schema.description ? { description: schema.description } : {}), ...(isOff ? { disabled: true } : {}) };
  });
}

function urlOf(route: RouteDefinition, variables: ReadonlyMap<string, string>): JsonObject {
  const path = route.path
    .slice(1)
    .replaceAll(/\{([a-z_]+)\}/g, ':$1')
    .split('/');
  const query = queryOf(route, variables);
  const on = query.filter(({ disabled }) => disabled !== true).map(({ key, value }) => `${key}=${value}`);
  const inPath = path.filter((step) => step.startsWith(':')).map((step) => step.slice(1));
  return {
    raw: `{{base_url}}/${path.join('/')}${on.length > 0 ? `?${on.join('&')}` : ''}`,
    host: ['{{base_url}}'],
    path,
    ...(query.length > 0 ? { query } : {}),
    ...(inPath.length > 0 ? { variable: inPath.map((key) => ({ key, value: `{{${pathVariable(route, key)}}}` })) } : {}),
  };
}

/** Headers that a reader may switch on. */
function headersOf(route: RouteDefinition): JsonObject[] {
  return [
    ...(route.body === undefined || route.body === 'multipart' ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
    ...(route.idempotencyKey ? [{ key: 'Idempotency-Key', value: '{{$guid}}', disabled: true }] : []),
    ...(route.ifMatch ? [{ key: 'If-Match', value: '"1"', disabled: true }] : []),
  ];
}

function bodyOf(route: RouteDefinition, example: unknown, variables: ReadonlyMap<string, string>): JsonObject {
  if (route.body === 'multipart') return { body: { mode: 'formdata', formdata: [{ key: 'file', type: 'file', src: [] }] } };
  if (example === undefined) return {};
  return { body: { mode: 'raw', raw: withVariables(example, variables), options: { raw: { language: 'json' } } } };
}

/** `directMail` → `direct mail`. */
const words = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** A request for each example of a route; one for a route without a body. */
function itemsOf(route: RouteDefinition, variables: ReadonlyMap<string, string>, baseUrl: string): JsonObject[] {
  const { requests = {}, needs = {}, data } = routeExamples[route.id] ?? {};
  const script = keepingScript(route, variables);
  const bodies: [string | undefined, unknown][] = Object.keys(requests).length > 0 ? Object.entries(requests) : [[undefined, undefined]];
  return bodies.map(([name, example], place) => {
    const need = name === undefined ? undefined : needs[name];
    const response = JSON.stringify({ code: '0', message: 'success', data: atBaseUrl(data, baseUrl) }, null, 2);
    return {
      name: bodies.length > 1 && name !== undefined ? `${route.summary}: ${words(name)}` : route.summary,
      // The ids of the first example: later requests suit that.
      ...(script.length > 0 && place === 0 ? { event: [{ listen: 'test', script: { type: 'text/javascript', exec: script } }] } : {}),
      request: {
        method: route.method,
        ...(route.access === 'tenant' ? {} : { auth: authOf(route.access) }),
        header: headersOf(route),
        url: urlOf(route, variables),
        ...bodyOf(route, example, variables),
        description: [route.description, need && `Before: ${need}.`].filter(Boolean).join('\n\n'),
      },
      response:
        data === undefined
          ? []
          : [{ name: 'Success', code: route.success, header: [{ key: 'Content-Type', value: 'application/json' }], body: response }],
    };
  });
}

/**
 * A request for every route and example, in folders by tag, as a Postman collection 2.1, which Postman, Insomnia, Bruno and Hoppscotch import. The reader fills in
 * a key; requests that create something keep its id for those that need it.
 */
export function buildPostman({ environment, baseUrl }: PostmanOptions): object {
  const shown = routes.filter((route) => environment === 'sandbox' || !route.sandboxOnly);
  const variables = requestVariables(shown);
  const folders = [...new Set([...FIRST, ...shown.map(({ tag }) => tag)])].filter((tag) => shown.some((route) => route.tag === tag));
  return {
    info: {
      name: environment === 'sandbox' ? 'Parcelway API (sandbox)' : 'Parcelway API',
      description:
        'Fill in the variable `api_key`, and `warehouse_api_key` for the folders of warehouses. Choose a `po_number` of your own. Other variables are ids: requests that create something fill them in, where your program runs the scripts of a collection.',
      schema: SCHEMA,
    },
    auth: authOf('tenant'),
    variable: [
      { key: 'base_url', value: baseUrl, type: 'string' },
      ...Object.entries(keyVariables).map(([key, text]) => ({ key, value: '', type: 'string', description: text })),
      ...[...variables].map(([key, value]) => ({ key, value, type: 'string' })),
    ],
    item: folders.map((tag) => ({
      name: tag,
      description: tags[tag] ?? '',
      item: inOrder(shown.filter((route) => route.tag === tag)).flatMap((route) => itemsOf(route, variables, baseUrl)),
    })),
  };
}
