import { describe, expect, test } from '@jest/globals';
import { errorCatalogue, httpStatusOf } from '@parcelway/kernel/error-codes';
import { environments } from './environment.ts';
import { ForecastSubmission } from './forecast-submission-api.ts';
import { buildOpenApi } from './openapi.ts';
import { errorCodesOf } from './openapi-errors.ts';
import { pathParameters, type RouteDefinition } from './route.ts';
import { routes } from './routes.ts';
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
    const { responses } = operationOf(sandbox, routes.find((one) => one.id === id) as RouteDefinition);
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
