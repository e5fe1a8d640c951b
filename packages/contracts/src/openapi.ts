import { deprecationSentence } from './deprecation.ts';
import type { Environment } from './environment.ts';
import { atBaseUrl } from './example-parcel.ts';
import { parameterExamples, routeExamples } from './examples.ts';
import { ErrorResponses, errorSchemas } from './openapi-errors.ts';
import { fileHeaders, fileResponses, tableResponses, uploadEncoding, uploadOf } from './openapi-files.ts';
import { type JsonObject, SchemaCollector } from './openapi-schemas.ts';
import { tags } from './openapi-tags.ts';
import { describeWebhooks } from './openapi-webhooks.ts';
import { pathParameters, type RouteDefinition } from './route.ts';
import { routes } from './routes.ts';
import { BOOLEAN_PATTERN, integerPatternMaximum } from './text.ts';

/** What a document is built for. */
export interface OpenApiOptions {
  readonly environment: Environment;
  /** Address of the gateway, without a slash at the end. */
  readonly baseUrl: string;
  /** The schemas exactly as requests are validated, for comparison; otherwise in the words that generators of clients read. */
  readonly exact?: boolean;
}

/** What holds for every call, in Markdown. */
export const apiDescription = `Merchants announce parcels, and learn what the warehouse and the carrier do with them.

**Responses.** Every response is an object with \`code\`, \`message\` and \`data\`; \`code\` is \`"0"\` on success. Branch on \`code\`, never on \`message\`. \`X-Request-Id\` names the request in our logs.

**Keys.** \`X-Api-Key\` on every call. A key works in the environment that it was issued for and no other.

**Unknown parameters and fields.** Unknown query parameters are ignored, and \`data.warnings\` of the response names them. Warnings about fields of the body are listed there, too.

**Repeats.** A submission, a cancellation and a reported event may be sent again after a lost response; they take effect once. Calls that create something take the header \`Idempotency-Key\`. Every response with HTTP status 429 or 503 has the header \`Retry-After\`.

**Further codes.** \`40402\`: no such endpoint. \`40501\`: another method is needed, see the header \`Allow\`.

**Changes.** Fields and endpoints are added to v1, never removed: ignore what you do not know.`;

const headers: JsonObject = {
  RequestId: { description: 'Names the request', schema: { type: 'string' }, example: 'req_0193a5b2d7c07a1b8c2d9e3f4a5b6c7d' },
  RateLimitLimit: { description: 'Requests that the key may send at once', schema: { type: 'integer' }, example: 200 },
  RateLimitRemaining: { description: 'Requests left now', schema: { type: 'integer' }, example: 199 },
  RateLimitReset: {
    description: 'Seconds until the key may send that many requests at once again',
    schema: { type: 'integer' },
    example: 1,
  },
  RetryAfter: { description: 'Seconds to wait before the next try', schema: { type: 'integer' }, example: 1 },
  IdempotentReplayed: {
    description: '`true` when the response repeats the result of an earlier request; absent otherwise',
    schema: { type: 'string', const: 'true' },
  },
  ETag: { description: 'Version of the forecast, in double quotes', schema: { type: 'string' }, example: '"1"' },
  ...fileHeaders,
};

/** Headers of the responses of a deprecated route. */
const deprecationHeaders: JsonObject = {
  Deprecation: {
    description: 'When the route was deprecated: seconds since 1970 (RFC 9745)',
    schema: { type: 'string' },
    example: '@1793491200',
  },
  Sunset: {
    description: 'Time from which the route may be removed; absent until that is decided (RFC 8594)',
    schema: { type: 'string' },
    example: 'Wed, 01 Nov 2028 00:00:00 GMT',
  },
};

const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Marks the attempts at one request. For 24 hours the same key and content return the first success, and nothing is done again. Double quotes around it are allowed',
  schema: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[!-~]+$' },
  example: '7f9c24e8-3b12-4fef-91e0-4a2f6d1b8c55',
};

const ifMatch: JsonObject = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` that was read, a list of them, or `*`: the change is made only if one of them is current; otherwise 41201',
  schema: { type: 'string', minLength: 1 },
  example: '"1"',
};

/** A query is text, but what reads as an integer or a boolean there is described as one. */
function parameterSchema(schema: JsonObject): JsonObject {
  if (schema.pattern === BOOLEAN_PATTERN) return { type: 'boolean' };
  const maximum = integerPatternMaximum[String(schema.pattern)];
  if (maximum === undefined) return schema;
  return { type: 'integer', minimum: 1, maximum, ...(schema.default === undefined ? {} : { default: Number(schema.default) }) };
}

const header = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });

class DocumentBuilder {
  readonly schemas: SchemaCollector;
  readonly errors = new ErrorResponses();

  readonly #baseUrl: string;

  constructor(exact: boolean, baseUrl: string) {
    this.#baseUrl = baseUrl;
    this.schemas = new SchemaCollector({ forGenerators: !exact });
  }

  operation(route: RouteDefinition): JsonObject {
    const scopes = route.scopes.length > 0 ? `Scope: ${route.scopes.map((scope) => `\`${scope}\``).join(' or ')}.` : undefined;
    const end = route.deprecated && deprecationSentence(route.deprecated);
    const ownHeaders = [...(route.idempotencyKey ? [idempotencyKey] : []), ...(route.ifMatch ? [ifMatch] : [])];
    const parameters = [...this.#pathParameters(route), ...this.#queryParameters(route), ...ownHeaders];
    return {
      operationId: route.id,
      tags: [route.tag],
      summary: route.summary,
      description: [route.description, scopes, end].filter(Boolean).join('\n\n'),
      ...(end === undefined ? {} : { deprecated: true }),
      security: securityOf(route),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(route.body === undefined ? {} : { requestBody: this.#requestBody(route) }),
      responses: { ...this.#success(route), ...this.errors.of(route) },
    };
  }

  #pathParameters(route: RouteDefinition): JsonObject[] {
    return pathParameters(route.path).map((name) => ({
      name,
      in: 'path',
      required: true,
      ...parameterWords(name, ''),
      schema: { type: 'string' },
    }));
  }

  #queryParameters(route: RouteDefinition): JsonObject[] {
    if (!route.query) return [];
    const { properties, required = [] } = route.query as { properties: Record<string, JsonObject>; required?: readonly string[] };
    const filledIn = routeExamples[route.id]?.query ?? {};
    return Object.entries(properties).map(([name, property]) => {
      const { description: words, deprecated, ...schema } = this.schemas.schema(property) as JsonObject;
      return {
        name,
        in: 'query',
        required: required.includes(name),
        ...parameterWords(name, String(words ?? '')),
        ...(filledIn[name] === undefined ? {} : { example: filledIn[name] }),
        ...(deprecated === true ? { deprecated } : {}),
        schema: parameterSchema(schema),
      };
    });
  }

  #requestBody(route: RouteDefinition): JsonObject {
    if (route.body === 'multipart') {
      const { name, schema: described } = uploadOf(route);
      const schema = this.schemas.named(name, () => described);
      return { required: true, content: { 'multipart/form-data': { schema, encoding: uploadEncoding(route) } } };
    }
    const { requests = {}, needs = {} } = routeExamples[route.id] ?? {};
    const examples = Object.entries(atBaseUrl(requests, this.#baseUrl)).map(([name, value]) => {
      const summary = needs[name];
      return [name, { ...(summary === undefined ? {} : { summary }), value }];
    });
    return {
      required: !route.bodyOptional,
      content: {
        'application/json': {
          schema: this.schemas.schema(route.body),
          examples: Object.fromEntries(examples),
        },
      },
    };
  }

  /** The envelope around the data of a route: a component, which routes with the same data share. */
  #envelope(route: RouteDefinition, data = route.data): JsonObject {
    const { $id } = data as { readonly $id?: string };
    if ($id === undefined) throw new Error(`The data of the route ${route.id} has no $id, so its envelope has no name`);
    return this.schemas.named(`${$id}Envelope`, () => ({
      type: 'object',
      required: ['code', 'message', 'data'],
      properties: {
        code: { type: 'string', const: '0' },
        message: { type: 'string', const: 'success' },
        data: this.schemas.schema(data),
      },
    }));
  }

  /** The successful responses, by status. */
  #success(route: RouteDefinition): JsonObject {
    const common: JsonObject = { 'X-Request-Id': header('RequestId') };
    if (route.access !== 'public') {
      common['RateLimit-Limit'] = header('RateLimitLimit');
      common['RateLimit-Remaining'] = header('RateLimitRemaining');
      common['RateLimit-Reset'] = header('RateLimitReset');
    }
    if (route.deprecated) for (const name of Object.keys(deprecationHeaders)) common[name] = header(name);
    if (route.idempotencyKey || route.id === 'cancelForecast' || route.id === 'revokeKey')
      common['Idempotent-Replayed'] = header('IdempotentReplayed');
    if (route.etag) common['ETag'] = header('ETag');
    if (route.data === 'binary') return fileResponses(route, common);
    if (route.data === 'table') return tableResponses(common);
    const schema = this.#envelope(route);
    const { alternative } = route;
    const others = alternative && {
      'x-alternative-schemas': { [`${alternative.parameter}=${alternative.value}`]: this.#envelope(route, alternative.data) },
    };
    const example = { code: '0', message: 'success', data: atBaseUrl(routeExamples[route.id]?.data, this.#baseUrl) };
    return {
      [route.success]: { description: 'Success', headers: common, content: { 'application/json': { schema, example, ...others } } },
    };
  }
}

/**
 * The description of a parameter, with what a value looks like. That is no `example`: the reference page fills examples in, and
 * then filters find nothing and ids lead nowhere. A value that means the same to every reader is one: `query` of a route's example.
 */
function parameterWords(name: string, words: string): JsonObject {
  const example = parameterExamples[name];
  const description = [words, example === undefined ? '' : `Such as \`${example}\`.`].filter((part) => part !== '').join('. ');
  return description === '' ? {} : { description };
}

/** Alternatives: the key needs one of the scopes. */
function securityOf(route: RouteDefinition): readonly JsonObject[] {
  if (route.access === 'public') return [];
  return route.scopes.length === 0 ? [{ ApiKey: [] }] : route.scopes.map((scope) => ({ ApiKey: [scope] }));
}

/**
 * The description of the whole public API as OpenAPI 3.1, made of the table of routes and the schemas that validate the requests.
 * @param described other routes than those of the contract, to see how they would be described
 */
export function buildOpenApi(
  { environment, baseUrl, exact = false }: OpenApiOptions,
  described: readonly RouteDefinition[] = routes,
): JsonObject {
  const builder = new DocumentBuilder(exact, baseUrl);
  const shown = described.filter((route) => environment === 'sandbox' || !route.sandboxOnly);
  const paths: Record<string, JsonObject> = {};
  for (const route of shown) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: builder.operation(route) };
  }
  const webhooks = describeWebhooks(builder.schemas, environment);
  const used = [...new Set(shown.map((route) => route.tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parcelway Open API',
      version: '1.0.0',
      summary: 'Parcel forecasts, weighing and tracking for merchants',
      description: apiDescription,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl, description: environment === 'sandbox' ? 'Sandbox' : 'Production' }],
    tags: [...used, 'Webhook events'].map((name) => ({ name, description: tags[name] })),
    paths,
    webhooks,
    components: {
      schemas: { ...builder.schemas.schemas, ...errorSchemas },
      responses: builder.errors.responses,
      headers: shown.some((route) => route.deprecated) ? { ...headers, ...deprecationHeaders } : headers,
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'Kept on servers only. Shown once when it is issued.' },
      },
    },
  };
}
