import { describe, expect, test } from '@jest/globals';
import { errorCatalogue, httpStatusOf } from '@parcelway/kernel/error-codes';
import { environments } from './environment.ts';
import { EXAMPLE_BASE_URL, exampleParcel } from './example-parcel.ts';
import { routeExamples } from './examples.ts';
import { ForecastSubmission } from './forecast-submission-api.ts';
import { buildOpenApi } from './openapi.ts';
import { errorCodesOf } from './openapi-errors.ts';
import { buildPostman } from './postman.ts';
import { pathParameters, type RouteDefinition } from './route.ts';
import { routeOf, routes } from './routes.ts';
import { scopes } from './scopes.ts';
import { DocumentProbe, type Part } from './testing/document-probe.ts';
import { compileValidator } from './validator.ts';
import { sentEventTypes } from './webhook-event-types.ts';

const baseUrl = 'https://api.example.test';
const sandbox = new DocumentProbe(buildOpenApi({ environment: 'sandbox', baseUrl }));
const production = new DocumentProbe(buildOpenApi({ environment: 'production', baseUrl }));

interface Operation extends Part {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: Part }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, Part> };
  readonly responses: Record<string, Part>;
  readonly security: readonly Record<string, readonly string[]>[];
}

interface Response extends Part {
  readonly content: Record<string, { readonly schema: Part; readonly examples: Record<string, { readonly value: Part }> }>;
  readonly headers: Part;
}

const pointer = (...steps: string[]): string => `#/${steps.map((step) => step.replaceAll('/', '~1')).join('/')}`;
const operationOf = (probe: DocumentProbe, route: RouteDefinition): Operation =>
  probe.at(pointer('paths', route.path, route.method.toLowerCase())) as Operation;
const each = routes.map((route) => [route.id, route] as const);

describe.each(environments)('the OpenAPI document of %s', (environment) => {
  const probe = environment === 'sandbox' ? sandbox : production;

  test('names version, server and environment', () => {
    expect(probe.root).toMatchObject({
      openapi: '3.1.0',
      info: { title: expect.any(String), version: expect.any(String) },
      servers: [{ url: baseUrl }],
    });
    expect(probe.at('#/servers/0').description).toBe(environment === 'sandbox' ? 'Sandbox' : 'Production');
  });

  test('describes exactly the routes that exist there', () => {
    const expected = routes.filter((route) => environment === 'sandbox' || !route.sandboxOnly);
    const described = Object.entries(probe.at('#/paths')).flatMap(([path, item]) =>
      Object.keys(item as Part).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(expected.map((route) => `${route.method} ${route.path}`).sort());
  });

  test('shows webhooks of its own environment, with valid bodies and the headers of the signature', () => {
    expect(Object.keys(probe.at('#/webhooks'))).toEqual([...sentEventTypes]);
    for (const type of Object.keys(probe.at('#/webhooks'))) {
      const { parameters, requestBody } = probe.at(pointer('webhooks', type, 'post')) as Operation;
      expect(parameters?.map((parameter) => parameter.name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
      const content = requestBody?.content['application/json'] as { readonly schema: Part; readonly example: { readonly data: Part } };
      expect(content.example).toMatchObject({ type, data: { environment } });
      expect(probe.valueErrors(content.schema, content.example)).toEqual([]);
    }
  });
});

describe('an operation', () => {
  test.each(each)('%s declares each parameter of its path, of its query and of its headers', (_id, route) => {
    const { parameters = [] } = operationOf(sandbox, route);
    const named = (place: string): string[] => parameters.filter((parameter) => parameter.in === place).map((parameter) => parameter.name);
    const query = route.query as { readonly properties: object; readonly required?: readonly string[] } | undefined;
    expect(named('path')).toEqual(pathParameters(route.path));
    expect(named('query')).toEqual(Object.keys(query?.properties ?? {}));
    expect(named('header')).toEqual([...(route.idempotencyKey ? ['Idempotency-Key'] : []), ...(route.ifMatch ? ['If-Match'] : [])]);
    for (const parameter of parameters) {
      expect(parameter.required).toBe(parameter.in === 'path' || (query?.required ?? []).includes(parameter.name));
      expect(sandbox.schemaErrors(parameter.schema)).toEqual([]);
    }
  });

  test.each(each)('%s documents every way in which it fails, by status, with examples of the catalogue', (_id, route) => {
    const { responses } = operationOf(sandbox, route);
    const codes = new Set<string>();
    for (const [status, reference] of Object.entries(responses)) {
      if (status.startsWith('2')) continue;
      const response = sandbox.resolve(reference) as {
        'x-error-codes': unknown;
        content: Record<string, { schema: Part; examples: Record<string, { value: Part }> }>;
        headers: Part;
      };
      expect(response.headers).toHaveProperty('X-Request-Id');
      expect(Object.hasOwn(response.headers, 'Retry-After')).toBe(status === '429' || status === '503');
      const { schema, examples } = response.content['application/json'] as { schema: Part; examples: Record<string, { value: Part }> };
      for (const [code, { value }] of Object.entries(examples)) {
        codes.add(code);
        expect(value.code).toBe(code);
        expect(String(httpStatusOf(code as keyof typeof errorCatalogue))).toBe(status);
        expect(value.message).toContain(errorCatalogue[code as keyof typeof errorCatalogue].message);
        expect(sandbox.valueErrors(schema, value)).toEqual([]);
        expect(sandbox.valueErrors(schema, { ...value, code: '0' })).not.toEqual([]);
        const always = (response['x-error-codes'] as Readonly<Record<string, readonly string[] | null>>)[code];
        if (always === null) expect(value.data).toBeNull();
        else expect(Object.keys(value.data as object)).toEqual(expect.arrayContaining([...(always ?? [])]));
      }
    }
    expect([...codes].sort()).toEqual([...errorCodesOf(route)]);
    for (const code of route.errors) expect(codes).toContain(code);
  });

  test('shows a validation error that the validation of a submission gives', () => {
    const { content } = sandbox.at('#/components/responses/UnprocessableContent42201') as Response;
    const shown = content['application/json']?.examples['42201']?.value.data as { readonly errors: readonly object[] };
    expect(compileValidator(ForecastSubmission).errors({})).toEqual(expect.arrayContaining([...shown.errors]));
  });

  // That examples fit their schemas, a linter shows: tools/contracts/src/openapi-lint.test.ts.
  test.each(each)('%s has its headers and a body of its kind', (_id, route) => {
    const { requestBody, responses } = operationOf(sandbox, route);
    const success = responses[route.success] as { readonly headers: Part; readonly content: Record<string, Part> };
    expect(success.headers).toHaveProperty('X-Request-Id');
    expect(Object.hasOwn(success.headers, 'RateLimit-Limit')).toBe(route.access !== 'public');
    if (route.data === 'table') expect(success.content).toHaveProperty(['text/csv']);
    if (route.body === undefined) expect(requestBody).toBeUndefined();
    else if (route.body === 'multipart') expect(requestBody?.content['multipart/form-data']).toMatchObject({ encoding: { file: {} } });
    else expect(Object.keys(requestBody?.content['application/json']?.examples ?? {})).not.toEqual([]);
  });

  test.each(['openFile', 'openPhoto'])('%s gives the file, or a part of it', (id) => {
    const { responses } = operationOf(sandbox, routeOf(id));
    const [whole, part] = [responses[200], responses[206]] as [Response & { headers: Part }, Response & { headers: Part }];
    expect(part.content).toEqual(whole.content);
    expect(Object.keys(part.headers)).toEqual([...Object.keys(whole.headers), 'Content-Range']);
  });

  test.each(each)('%s says which key opens it', (_id, route) => {
    const { security } = operationOf(sandbox, route);
    if (route.access === 'public') expect(security).toEqual([]);
    else expect(security.map((choice) => choice.ApiKey)).toEqual(route.scopes.length === 0 ? [[]] : route.scopes.map((scope) => [scope]));
    for (const scope of security.flatMap((choice) => choice.ApiKey ?? [])) expect(scopes).toContain(scope);
  });
});

describe('the whole', () => {
  test('leads a reader of an event to the schema of its type', () => {
    expect(sandbox.at('#/components/schemas/WarehouseEvent').discriminator).toEqual({
      propertyName: 'type',
      mapping: expect.objectContaining({ arrival: '#/components/schemas/ArrivalEvent', release: '#/components/schemas/ReleaseEvent' }),
    });
  });
});

/* What generators of clients need, so that none invents a name such as `EndpointFilterAdminStatus1`. */

const PROSE = new Set(['description', 'title', 'summary', 'example', 'examples']);
const parts = [...sandbox.parts()].filter(([path]) => !/\/(example|examples)\//.test(path));
const isComponent = (path: string): boolean => /^#\/components\/schemas\/[^/]+$/.test(path);

/** A schema without prose: two that are equal so are one. */
const structure = (schema: unknown): string =>
  JSON.stringify(schema, (key, value: unknown) => (PROSE.has(key) && typeof value === 'string' ? undefined : value));

describe('the document for generators', () => {
  test('has every closed list as a component: add a new one to openapi-schemas.ts', () => {
    const inline = parts.filter(([path, part]) => Array.isArray(part.enum) && !isComponent(path));
    expect(inline.map(([path]) => path)).toEqual([]);
  });

  test('has a component for every object that declares fields: give it an $id', () => {
    const inline = parts.filter(([path, part]) => part.type === 'object' && part.properties !== undefined && !isComponent(path));
    expect(inline.map(([path]) => path)).toEqual([]);
  });

  test('has every failure as a component, all of one schema', () => {
    for (const [path, part] of parts) {
      const status = /^#\/paths\/.*\/responses\/(\d+)$/.exec(path)?.[1];
      if (status === undefined || status.startsWith('2')) continue;
      expect([path, Object.keys(part)]).toEqual([path, ['$ref']]);
      expect(sandbox.resolve(part)).toMatchObject({
        content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorEnvelope' } } },
      });
    }
  });

  test('has no value or list of values, no map by patterns, and no default outside components', () => {
    for (const [path, part] of parts.filter(([path]) => path.startsWith('#/components/schemas/'))) {
      expect(part).not.toHaveProperty('patternProperties');
      if (Array.isArray(part.anyOf)) expect([path, part.anyOf.filter((each: Part) => each.type === 'array')]).toEqual([path, []]);
      // openapi-typescript takes a field with a default for required, but not a reference to a component with one.
      if ('default' in part) expect([path, isComponent(path)]).toEqual([path, true]);
    }
  });

  test('names components in PascalCase, no two that differ in case alone', () => {
    const names = ['schemas', 'responses', 'headers'].flatMap((kind) => Object.keys(sandbox.at(`#/components/${kind}`)));
    for (const name of names) expect(name).toMatch(/^([A-Z][a-z0-9]*)+$/);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });

  test('has no two components that are the same but for their name and prose', () => {
    for (const kind of ['schemas', 'responses', 'headers']) {
      const byStructure = new Map<string, string>();
      for (const [name, part] of Object.entries(sandbox.at(`#/components/${kind}`))) {
        // Headers and responses are distinguished by what they mean.
        const text = kind === 'schemas' ? structure(part) : JSON.stringify(part);
        expect([name, byStructure.get(text)]).toEqual([name, undefined]);
        byStructure.set(text, name);
      }
    }
  });

  test('has patterns that every language reads alike: ASCII, without the escapes that only JavaScript knows', () => {
    const patterns = parts.flatMap(([, { pattern }]) => (typeof pattern === 'string' ? [pattern] : []));
    expect(patterns.length).toBeGreaterThan(30);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is looked for
    expect(patterns.filter((pattern) => /\\[upPNLlUF]|[^\x00-\x7f]/.test(pattern))).toEqual([]);
  });
});

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly auth?: { readonly type: string; readonly apikey?: readonly { readonly key: string; readonly value: string }[] };
    readonly url: { readonly raw: string; readonly variable?: readonly { readonly key: string; readonly value: string }[] };
    readonly body?: { readonly mode: string; readonly raw?: string };
  };
  readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[];
}

interface Collection {
  readonly variable: readonly { readonly key: string; readonly value: string }[];
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
}

const build = (environment: (typeof environments)[number]) => buildPostman({ environment, baseUrl }) as Collection;
const itemsOf = ({ item }: Collection) => item.flatMap((folder) => folder.item);
const pathOf = ({ request }: Item) =>
  request.url.raw
    .replace('{{base_url}}', '')
    .replace(/\?.*/, '')
    .replaceAll(/:([a-z_]+)/g, '{$1}');

describe.each(environments)('the collection of %s', (environment) => {
  const collection = build(environment);

  test('has every example of every route, in the folder of its tag', () => {
    const expected = routes
      .filter((route) => environment === 'sandbox' || !route.sandboxOnly)
      .flatMap(({ id, tag, method, path }) =>
        Array.from({ length: Math.max(1, Object.keys(routeExamples[id]?.requests ?? {}).length) }, () => [tag, `${method} ${path}`]),
      );
    const found = collection.item.flatMap((folder) => folder.item.map((item) => [folder.name, `${item.request.method} ${pathOf(item)}`]));
    expect([...found].sort()).toEqual([...expected].sort());
  });

  test('uses no variable that it does not have, and has none that it does not use', () => {
    const used = new Set([...JSON.stringify(collection.item).matchAll(/\{\{([a-z_]+)\}\}/g)].map(([, name]) => name));
    for (const [name] of JSON.stringify(collection).matchAll(/(?<=collectionVariables\.set\(')[a-z_]+/g)) used.add(name);
    expect([...new Set([...used, 'api_key'])].sort()).toEqual(collection.variable.map(({ key }) => key).sort());
    expect(collection.variable.find(({ key }) => key === 'base_url')?.value).toBe(baseUrl);
  });

  test('shows nothing of the address of the examples', () => {
    expect(JSON.stringify(collection.item.map(({ item }) => item.map(({ request }) => request)))).not.toContain(EXAMPLE_BASE_URL);
  });
});

test('a body has variables for what is the reader’s own, and is JSON', () => {
  const items = itemsOf(build('sandbox'));
  const submission = items.find(({ name }) => name === 'Submit a forecast: direct mail');
  expect(JSON.parse(submission?.request.body?.raw ?? '')).toMatchObject({
    po_number: '{{po_number}}',
    warehouse_code: '{{warehouse_code}}',
    shipping_label: '{{file_url}}',
  });
  for (const { request } of items) if (request.body?.mode === 'raw') expect(() => JSON.parse(request.body?.raw ?? '')).not.toThrow();
  expect(JSON.stringify(items.map(({ request }) => request.body))).not.toContain(exampleParcel.poNumber);
});

test('each request has the key that opens it', () => {
  for (const item of itemsOf(build('sandbox'))) {
    const route = routes.find(({ method, path }) => method === item.request.method && path === pathOf(item));
    const key = item.request.auth?.apikey?.find((entry) => entry.key === 'value')?.value ?? item.request.auth?.type;
    expect([item.name, key]).toEqual([
      item.name,
      { tenant: undefined, warehouse: '{{warehouse_api_key}}', public: 'noauth' }[route?.access ?? 'tenant'],
    ]);
  }
});

test('what creates something keeps its id', () => {
  const scripts = Object.fromEntries(itemsOf(build('sandbox')).map(({ name, event }) => [name, event?.[0]?.script.exec.join('\n') ?? '']));
  expect(scripts['Register an endpoint: endpoint']).toContain("set('endpoint_id', created.endpoint_id)");
  expect(scripts['Upload a PDF']).toContain("set('file_url', created.url)");
  expect(scripts['Upload a photo']).toContain("set('photo_name', ");
  expect(scripts['List forecasts']).toBe('');
});
