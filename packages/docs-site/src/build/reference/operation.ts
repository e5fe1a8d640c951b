import { deprecationSentence } from '@parcelway/contracts/deprecation';
import { failureWords } from '@parcelway/contracts/description/remedies';
import { parameterExamples, routeExamples } from '@parcelway/contracts/examples';
import { errorCodesOf } from '@parcelway/contracts/openapi-errors';
import { uploadOf } from '@parcelway/contracts/openapi-files';
import { pathParameters, type RouteDefinition } from '@parcelway/contracts/route';
import { type ErrorCode, httpStatusOf } from '@parcelway/kernel/error-codes';
import { bodyExample, isDownload, pathExample, queryExamples, sampleRequest } from '../samples/sample-request.ts';
import { type Samples, samplesOf } from '../samples/samples.ts';
import { type Field, fieldsOf } from './fields.ts';

export interface ClientCall {
  readonly client: 'Node' | 'Python';
  /** Such as `forecasts.submit(forecast)`. */
  readonly call: string;
  /** Address of the guide of the client, from `docs`. */
  readonly guide: string;
}

export type ClientCalls = (route: RouteDefinition) => readonly ClientCall[];

const CLIENTS = [
  { client: 'Node', guide: 'docs/guides/sdk', document: 'sdk.md' },
  { client: 'Python', guide: 'docs/guides/python', document: '../clients/python/README.md' },
] as const;

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

export interface Parameter extends Pick<Field, 'name' | 'type' | 'isRequired' | 'isDeprecated' | 'rule' | 'description'> {
  readonly place: 'path' | 'query' | 'header';
  /** What a value looks like; undefined when there is no example. */
  readonly example?: string;
  /** What the form fills in; empty when only the reader knows a value. */
  readonly filledIn: string;
}

export interface Failure {
  readonly code: string;
  readonly status: number;
  readonly cause: string;
  readonly remedy: string;
  readonly isCommon: boolean;
}

export interface RequestBody extends Pick<Field, 'children' | 'variants'> {
  readonly isUpload: boolean;
  readonly isOptional: boolean;
  readonly examples: readonly { readonly name: string; readonly needs?: string; readonly value: unknown }[];
}

export interface Operation {
  readonly id: string;
  readonly anchor: string;
  readonly route: RouteDefinition;
  readonly access: string;
  readonly deprecation?: string;
  readonly parameters: readonly Parameter[];
  readonly body?: RequestBody;
  /** Fields of `data`; undefined when the response is a file. */
  readonly data?: Pick<Field, 'children' | 'variants'>;
  /** The whole response of success; undefined when it is a file. */
  readonly responseExample?: unknown;
  readonly failures: readonly Failure[];
  readonly clients: readonly ClientCall[];
  readonly samples: Samples;
}

/** Lower case with hyphens: `submitForecast` or `Carrier connections`. */
export const slugOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(' ', '-')
    .toLowerCase();

const scopeWords = ({ access, scopes }: RouteDefinition): string => {
  if (access === 'public') return 'No key.';
  const owner = access === 'tenant' ? 'merchant' : 'warehouse';
  if (scopes.length === 0) return `Any key of a ${owner}.`;
  return `A key of a ${owner} with the scope ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
};

const header = (name: string, description: string, rule: string, example: string): Parameter => ({
  ...{ name, description, rule, example, place: 'header', type: 'string', isRequired: false, isDeprecated: false, filledIn: '' },
});

const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  'Marks the attempts at one request. For 24 hours the same key and content return the first success, and nothing is done again.',
  '1 to 64 visible ASCII characters',
  '7f9c24e8-3b12-4fef-91e0-4a2f6d1b8c55',
);
const IF_MATCH = header(
  'If-Match',
  'The `ETag` that you read: the change is made only if it is current; otherwise `41201`.',
  'an `ETag`, a list of them, or `*`',
  '"1"',
);

function parametersOf(route: RouteDefinition): Parameter[] {
  const inPath = pathParameters(route.path).map((name): Parameter => {
    const example = pathExample(route, name);
    const words = { name, type: 'string', isRequired: true, isDeprecated: false, rule: '', description: '' };
    // Only the po_number of the examples can be the reader's own.
    return { ...words, place: 'path', example, filledIn: name === 'po_number' ? example : '' };
  });
  const sent = queryExamples(route);
  const inQuery = (route.query === undefined ? [] : fieldsOf(route.query).children).map(
    ({ children: _, variants: __, ...field }): Parameter => {
      const example = sent[field.name] ?? parameterExamples[field.name];
      return { ...field, place: 'query', ...(example === undefined ? {} : { example: String(example) }), filledIn: sent[field.name] ?? '' };
    },
  );
  return [...inPath, ...inQuery, ...(route.idempotencyKey ? [IDEMPOTENCY_KEY] : []), ...(route.ifMatch ? [IF_MATCH] : [])];
}

function bodyOf(route: RouteDefinition): RequestBody | undefined {
  if (route.body === undefined) return undefined;
  if (route.body === 'multipart') {
    const { children } = fieldsOf(uploadOf(route).schema);
    const fields = children.map((field) => (field.name === 'file' ? { ...field, type: 'file', rule: '' } : field));
    return { isUpload: true, isOptional: false, examples: [], children: fields, variants: [] };
  }
  const { requests = {}, needs = {} } = routeExamples[route.id] ?? {};
  return {
    isUpload: false,
    isOptional: route.bodyOptional === true,
    examples: Object.entries(requests).map(([name, value]) => ({ name, value, ...(needs[name] ? { needs: needs[name] } : {}) })),
    ...fieldsOf(route.body),
  };
}

const failureOf = (code: ErrorCode, route: RouteDefinition): Failure => ({
  code,
  status: httpStatusOf(code),
  ...failureWords(code, route),
  isCommon: !route.errors.includes(code),
});

/** Everything that the reference says of a route. @param clients how the clients call routes; default none does @throws Error when the contract lacks an example */
export function operationOf(route: RouteDefinition, clients: ClientCalls = () => []): Operation {
  const body = bodyOf(route);
  if (body !== undefined && !body.isUpload && !body.isOptional && bodyExample(route) === undefined)
    throw new Error(`packages/contracts has no example of the body of ${route.id}`);
  const isFile = isDownload(route);
  return {
    id: route.id,
    anchor: slugOf(route.id),
    route,
    access: scopeWords(route),
    ...(route.deprecated ? { deprecation: deprecationSentence(route.deprecated) } : {}),
    parameters: parametersOf(route),
    ...(body === undefined ? {} : { body }),
    ...(isFile
      ? {}
      : { data: fieldsOf(route.data), responseExample: { code: '0', message: 'success', data: routeExamples[route.id]?.data } }),
    failures: errorCodesOf(route).map((code) => failureOf(code, route)),
    clients: clients(route),
    samples: samplesOf(sampleRequest(route)),
  };
}
